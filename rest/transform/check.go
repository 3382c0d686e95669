package transform

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
)

// The checks of a compiled field. What passes them can be transformed in one pass over the data
// and reversed without loss.

func (f *field) valid() error {
	forms := 0
	for _, has := range []bool{f.keyBy != nil, f.Tuple, f.Pick != nil, f.Numbered, f.Text, f.Offset} {
		if has {
			forms++
		}
	}
	object := len(f.children) > 0 && f.list() == nil
	switch {
	case f.check && (!f.typ.NonNull || f.list() != nil || f.conditional || forms > 0 || f.Spread || f.Coalesced ||
		f.Unwrap != "" || f.OmitNull || f.Reject != nil && (f.typ.Name() != "Boolean" || f.Reject.Empty != "")):
		return errors.New("@reject(true:) requires a Boolean that is never null and always selected, no other directive")
	case forms > 1 || f.Tuple && f.Unwrap != "" || f.Pick != nil && (f.Unwrap != "" || f.Coalesced):
		return errors.New("the directives contradict each other")
	case len(f.children) == 0 &&
		(f.keyBy != nil || f.Tuple || f.Pick != nil || f.EmptyObject || f.Spread || f.Unwrap != ""):
		return errors.New("this directive requires a selection set")
	case len(f.children) > 0 && f.list() != nil && f.list().Elem != nil:
		return errors.New("lists of lists of objects are not supported")
	case f.typ.NonNull && (f.OmitNull || f.EmptyObject):
		return errors.New("this directive requires a field that can be null")
	case f.Text && (!f.leaf() || textBits(f.typ) == 0):
		return errors.New("@text requires a number")
	case f.OrFalse && (f.typ.NonNull || f.typ.Name() != "Boolean" || f.list() != nil || f.OmitNull || f.Coalesced):
		return errors.New("@orFalse requires a Boolean that can be null and is always written")
	case f.Spelling != "" && (len(f.children) > 0 || f.enum == nil):
		return errors.New("@spelled requires an enum, or a list of its values")
	case f.Reject != nil && f.Reject.Empty != "" && f.list() == nil:
		return errors.New("@reject(empty:) requires a list")
	case f.Reject != nil && f.Reject.Null != "" && f.typ.NonNull:
		return errors.New("@reject(null:) requires a field that can be null")
	case f.WhenNull != "" && (!json.Valid([]byte(f.WhenNull)) || f.typ.NonNull || f.OmitNull || f.Coalesced ||
		f.EmptyObject || f.Spread && (f.keyBy != nil || !f.hasKeys(f.WhenNull))):
		return errors.New("@whenNull requires JSON and a field that can be null; of a spread object with exactly its keys")
	case f.Constant != nil && (f.Constant.Key == "" || !json.Valid([]byte(f.Constant.JSON)) || f.conditional || f.Spread):
		return errors.New("@constant requires a key, JSON, and a field that is always selected and not spread")
	case f.Within != "" && (f.conditional || f.OmitNull || f.OmitEmpty || f.Coalesced || f.Spread || f.Header != ""):
		return errors.New("@within requires a field that is always written")
	case f.Offset && (!f.leaf() || f.typ.Name() != "DateTime"):
		return errors.New("@offset requires a DateTime")
	case f.Numbered && (f.list() == nil || f.list().Elem != nil || f.Spread || f.Unwrap != ""):
		return errors.New("@numbered requires a list, and neither @spread nor @unwrap on it")
	case f.OmitEmpty && (f.list() == nil || f.conditional || f.OmitNull || f.Coalesced || f.Spread):
		return errors.New("@omitEmpty requires a list that is always selected, without @omitNull, @coalesce and @spread")
	case f.OmitWhen != nil && (f.Coalesced || f.conditional):
		return errors.New("@omitNull(when:) requires a field that is always selected and does not share its key")
	case f.Coalesced && (f.conditional || f.EmptyObject || f.Unwrap != "" || f.list() != nil && !f.list().NonNull):
		return errors.New("@coalesce cannot be combined with this directive or type")
	case f.EmptyObject && (!object || f.OmitNull || f.Spread || !f.neverEmpty()):
		return errors.New("@emptyObject requires an object that is never written empty")
	case f.Spread && (f.Coalesced || f.OmitNull || f.Tuple || f.Pick != nil || f.Unwrap != ""),
		f.Spread && f.keyBy == nil && (!object || !f.typ.NonNull && !f.neverEmpty()):
		return errors.New("@spread requires an object that is never written empty, or a list with @keyBy")
	case f.Tuple && slices.ContainsFunc(f.children, func(c *field) bool { return !c.plainLeaf() || c.on != nil }):
		return errors.New("@tuple requires plain single values")
	case f.Spread && f.keyBy != nil && !f.typ.NonNull:
		return errors.New("@spread requires a list that is never null: null and empty are written alike")
	case f.Spread && f.keyBy == nil &&
		slices.ContainsFunc(f.children, func(c *field) bool { return c.Spread && c.keyBy != nil }):
		return errors.New("a list cannot be spread through two objects")
	case f.Missing != "" && (!object || f.typ.NonNull || f.OmitNull || f.Coalesced):
		return errors.New("@tuple(missing:) requires an object that can be null, without @omitNull and @coalesce")
	case f.Pick != nil && !object:
		return errors.New("@pick requires an object")
	}
	return errors.Join(f.checkHeader(), f.checkKeyBy(), f.checkUnwrap(), f.checkPick())
}

// hasKeys reports whether a JSON object has exactly the keys of the field's object.
func (f *field) hasKeys(text string) bool {
	var object map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &object); err != nil || text == "" || text[0] != '{' || len(object) == 0 {
		return false
	}
	keys := f.keys()
	return len(keys) == len(object) && !slices.ContainsFunc(keys, func(key string) bool {
		_, ok := object[key]
		return !ok
	})
}

// plain finds a child that is always written as itself.
func (f *field) plain(name string) (*field, error) {
	c := f.child(name)
	if c == nil || c.conditional || c.on != nil || c.Coalesced || c.Spread || c.OmitNull || c.Text || c.Offset ||
		c.Header != "" || c.Within != "" || c.check {
		return nil, fmt.Errorf("a directive names %q, which is not selected or not always written", name)
	}
	return c, nil
}

// checkKeyBy checks that the fields that can name an entry come first and are never null, and
// that nothing selected is lost.
func (f *field) checkKeyBy() error {
	k := f.keyBy
	if k == nil {
		return nil
	}
	if f.list() == nil || !f.list().NonNull || (k.field == "") == (k.variable == "") {
		return errors.New("@keyBy requires a list of objects, and either field or chosen")
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
		c, err := f.plain(name)
		if err != nil {
			return err
		}
		if t := c.typ.Name(); !c.leaf() || !c.typ.NonNull || t == "Float" || t == "Boolean" {
			return fmt.Errorf("%q cannot name an entry: want a string or integer that is never null", name)
		}
		if c.decides {
			return fmt.Errorf("%q names entries, so @omitNull(when:) cannot name it", name)
		}
		if slices.Index(f.children, c) >= k.keys {
			return fmt.Errorf("%q names entries, so it must be selected before the other fields", name)
		}
	}
	if key := f.children[0]; k.always != nil && (k.keys > 1 || slices.ContainsFunc(k.always, func(text string) bool {
		return key.enum == nil || !slices.Contains(key.spelledValues(), text)
	})) {
		return errors.New("@keyBy(always:) requires one field that names entries, and values of its enum")
	}
	if k.value == "" {
		return nil
	}
	for _, c := range f.children[k.keys:] {
		if c.key != k.value || c.Spread {
			return fmt.Errorf("%q would be lost: only %q of an entry is written", c.name, k.value)
		}
	}
	if len(f.children) == k.keys || f.Unwrap != "" {
		return fmt.Errorf("no selected field is written to %q, or the field has @unwrap too", k.value)
	}
	return nil
}

// checkUnwrap checks that the bare value is never null and that all others can be.
func (f *field) checkUnwrap() error {
	if f.Unwrap == "" {
		return nil
	}
	bare, err := f.plain(f.Unwrap)
	if err != nil {
		return err
	}
	if !bare.leaf() || !bare.typ.NonNull {
		return fmt.Errorf("%q cannot be written bare: want a single value that is never null", f.Unwrap)
	}
	for i, c := range f.children {
		if key := f.keyBy != nil && i < f.keyBy.keys; c != bare && !key && c.typ.NonNull {
			return fmt.Errorf("%q is never written bare, since %q is never null", f.Unwrap, c.name)
		}
	}
	return nil
}

// checkPick checks that a body shows whether it is the object or its picked key.
func (f *field) checkPick() error {
	if f.Pick == nil {
		return nil
	}
	c, err := f.plain(f.Pick.Key)
	if f.Pick.Variable == "" {
		if text := f.child(f.Pick.Key); text != nil && text.Text {
			c, err = text, nil
		}
		if err == nil && slices.ContainsFunc(f.children, func(o *field) bool { return o != c && !o.check }) {
			err = fmt.Errorf("only %q of the object is written: select nothing else", f.Pick.Key)
		}
		return err
	}
	if err == nil && (c.list() == nil || c.keyBy != nil || !c.typ.NonNull) {
		return fmt.Errorf("@pick requires a list that is never null, which %q is not", f.Pick.Key)
	}
	return err
}

var headerName = regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)

// checkHeader checks that a field can be sent in a header.
func (f *field) checkHeader() error {
	switch {
	case f.Header == "":
		return nil
	case !headerName.MatchString(f.Header):
		return fmt.Errorf("%q is not a header name of lower-case words and dashes", f.Header)
	case !f.leaf() || f.typ.Name() != "DateTime" || f.conditional || f.OmitNull || f.Coalesced || f.Offset:
		return errors.New("@header requires a DateTime that is always selected, and no other directive")
	}
	return nil
}

// checkHeaders checks that only the root object has headers, each once.
func (f *field) checkHeaders(root bool) error {
	seen := map[string]bool{}
	for _, c := range f.children {
		if c.Header != "" && (!root || c.on != nil || f.list() != nil || f.Tuple || f.Unwrap != "" || f.Pick != nil) {
			return fmt.Errorf("%s: @header requires a field of the root object, which is written whole", c.name)
		}
		if c.Header != "" && seen[c.Header] {
			return fmt.Errorf("%s: the header %s is sent twice", c.name, c.Header)
		}
		seen[c.Header] = true
		if err := c.checkHeaders(false); err != nil {
			return err
		}
	}
	return nil
}
