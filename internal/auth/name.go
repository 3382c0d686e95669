package auth

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"gamedata/mongo"
)

const (
	maxName        = 40  // characters
	maxDescription = 200 // characters
)

// validateName rejects long names and whatever mongo.CheckNames rejects.
func validateName(s string) error {
	if mongo.CheckNames(s) != nil || utf8.RuneCountInString(s) > maxName {
		return ErrInvalidName
	}
	return nil
}

func validateDescription(s string) error {
	if !printable(s, maxDescription) {
		return ErrInvalidDescription
	}
	return nil
}

// printable reports whether s is UTF-8 of at most max characters without control characters.
func printable(s string, max int) bool {
	return utf8.ValidString(s) && utf8.RuneCountInString(s) <= max && !strings.ContainsFunc(s, unicode.IsControl)
}

// About adds the user's invalid values to an error; it returns nil if there are no values.
func About(err error, values ...string) error {
	if len(values) == 0 {
		return nil
	}
	return fmt.Errorf("%w: “%s”", err, strings.Join(values, "”, “"))
}
