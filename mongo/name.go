package mongo

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// MaxName is how many characters a name may have.
const MaxName = 64

// CheckNames returns an error for an invalid name of a player, guild or account: it would be invisible, look like
// another name, or change the text beside it.
func CheckNames(names ...string) error {
	for _, s := range names {
		if n := utf8.RuneCountInString(s); n < 1 || n > MaxName || strings.TrimSpace(s) != s || !IsPrinted(s) {
			return fmt.Errorf("%q is no name: 1 to %d characters, none that is invisible and no space at its ends", s, MaxName)
		}
	}
	return nil
}

// IsPrinted reports whether a text is UTF-8 without control characters, direction marks, noncharacters and other
// characters that are not printed.
func IsPrinted(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsGraphic(r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
	})
}

// Isolate prepares a name for the middle of a sentence, so that a right-to-left name does not reorder the sentence. A
// name older than CheckNames loses its direction marks.
func Isolate(name string) string {
	if !strings.ContainsFunc(name, func(r rune) bool { return r > unicode.MaxASCII }) {
		return name
	}
	return "\u2068" + strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Bidi_Control, r) {
			return -1
		}
		return r
	}, name) + "\u2069"
}

// Fold returns the form in which names are compared: NFKC with full case folding. Records store it, lookups that ignore
// case use it.
func Fold(name string) string {
	return norm.NFKC.String(cases.Fold().String(norm.NFKC.String(name)))
}
