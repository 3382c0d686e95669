package mongo

import "golang.org/x/text/cases"

// Fold gives the form of a name in which names that differ only in case are equal, in
// the Unicode sense. Records carry it, lookups use it.
func Fold(name string) string { return cases.Fold().String(name) }

// foldAll folds keys, in their order.
func foldAll(keys []string) []string {
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = Fold(k)
	}
	return out
}
