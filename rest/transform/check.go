package transform

import (
	"errors"
	"fmt"
	"slices"
)

// checkNames checks that the fields named by a directive are selected and always written. TestTransformThenReverse
// tests with random data that every operation transforms in one pass and reverses without loss.
func (f *field) checkNames() error {
	names, err := f.entryNames()
	if err != nil {
		return err
	}
	if f.Unwrap != "" {
		names = append(names, f.Unwrap)
	}
	if f.Pick != nil && f.Pick.Variable != "" {
		names = append(names, f.Pick.Key)
	}
	for _, name := range names {
		c := f.child(name)
		if c == nil || c.conditional || c.on != nil || c.Coalesced || c.Spread || c.OmitNull || c.Text || c.Offset ||
			c.Header != "" || c.Within != "" || c.check {
			return fmt.Errorf("a directive names %q, which is not selected or not always written", name)
		}
	}
	if f.Pick != nil && f.picked() == nil {
		return fmt.Errorf("a directive names %q, which is not selected", f.Pick.Key)
	}
	return nil
}

// entryNames returns the fields that can name an entry of a map. They must be selected first.
func (f *field) entryNames() ([]string, error) {
	k := f.keyBy
	if k == nil {
		return nil, nil
	}
	if f.list() == nil || (k.field == "") == (k.variable == "") {
		return nil, errors.New("@keyBy requires a list of objects, and either field or chosen")
	}
	names := []string{k.field}
	if k.variable != "" {
		k.username = "username"
		if f.child(k.username) == nil && f.child("name") != nil {
			k.username = "name"
		}
		names = []string{k.username, "uuid"}
	}
	if k.clash != "" && !slices.Contains(names, k.clash) {
		names = append(names, k.clash)
	}
	k.keys = len(names)
	for _, name := range names {
		if at := slices.IndexFunc(f.children, func(c *field) bool { return c.name == name }); at >= k.keys {
			return nil, fmt.Errorf("%q names entries, so it must be selected before the other fields", name)
		}
	}
	return names, nil
}
