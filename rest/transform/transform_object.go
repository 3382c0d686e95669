package transform

import "slices"

func (t *transformer) object(f *field) error {
	if err := t.enter('{'); err != nil {
		return err
	}
	switch {
	case f.Pick.Chosen(func(flag string) bool { return t.vars[flag] == true }):
		return t.one(f, 0, f.Pick.Key)
	case f.Unwrap != "" && t.othersNull(f.Unwrap):
		return t.one(f, 0, f.Unwrap)
	case f.Tuple:
		return t.tuple(f)
	}
	t.out.WriteByte('{')
	_, err := t.members(f, 0, false)
	t.out.WriteByte('}')
	return err
}

func (t *transformer) tuple(f *field) error {
	t.out.WriteByte('[')
	for i, c := range f.children {
		comma(t.out, i > 0)
		if key, err := t.member(); err != nil || string(key) != c.name {
			return ErrData
		}
		if err := t.copy(); err != nil {
			return err
		}
	}
	t.out.WriteByte(']')
	if t.another('}') {
		return ErrData
	}
	return nil
}

// othersNull looks at the rest of the object and reports whether every remaining member except one is null.
func (t *transformer) othersNull(name string) bool {
	lookahead := t.scanner
	for {
		key, err := lookahead.member()
		if err != nil || key == nil {
			return err == nil
		}
		if string(key) != name && !lookahead.null() {
			return false
		}
		if _, err := lookahead.skip(); err != nil {
			return false
		}
	}
}

// next finds the child of a response key from an index on, or among all children if their order depends on the type.
func (f *field) next(from int, key []byte) (int, error) {
	for i := from; i < len(f.children); i++ {
		if f.children[i].name == string(key) {
			return i, nil
		}
	}
	for i := 0; f.anyOrder && i < min(from, len(f.children)); i++ {
		if f.children[i].name == string(key) {
			return i, nil
		}
	}
	return 0, ErrData
}

// members writes the rest of an open object after reading its children before at. more reports whether a member
// precedes them, and the result whether a member has been written afterwards.
func (t *transformer) members(f *field, at int, more bool) (bool, error) {
	written := ""  // the shared key already written
	within := ""   // the key of the open object of @within
	deciding := -1 // position of the value named by @omitNull(when:)
	for ; ; at++ {
		key, err := t.member()
		if err != nil || key == nil {
			return t.within(within, "", more), err
		}
		if at, err = f.next(at, key); err != nil {
			return more, err
		}
		c := f.children[at]
		if c.Within != within {
			more = t.within(within, c.Within, more)
			within = c.Within
		}
		if c.verbatim {
			comma(t.out, more)
			more = true
			t.out.WriteString(c.prefix)
			if err := t.copy(); err != nil {
				return more, err
			}
			continue
		}
		null := t.null()
		if c.decides {
			deciding = t.i
			if len(c.children) == 1 {
				deciding += len(`{"":`) + len(c.children[0].name)
			}
		}
		if c.Constant != nil {
			comma(t.out, more)
			more = true
			t.out.WriteString(`"` + c.Constant.Key + `":` + c.Constant.JSON)
		}
		switch {
		case c.check:
			err = t.check(c)
		case c.Header != "":
			err = t.header(c)
		case null && c.WhenNull != "":
			more, err = t.whenNull(c, more)
		case null && (t.omitsNull(c, deciding) || c.Spread || !c.lastOfKey), c.OmitEmpty && t.empty(),
			c.Coalesced && c.key == written:
			_, err = t.skip()
		case c.Spread:
			more, err = t.spread(c, more)
		default:
			if c.Coalesced {
				written = c.key
			}
			comma(t.out, more)
			more = true
			t.out.WriteString(c.prefix)
			err = t.value(c)
		}
		if err != nil {
			return more, err
		}
	}
}

// whenNull writes the replacement given by @whenNull instead of null.
func (t *transformer) whenNull(f *field, more bool) (bool, error) {
	comma(t.out, more)
	if f.Spread {
		t.out.WriteString(f.WhenNull[1 : len(f.WhenNull)-1])
	} else {
		t.out.WriteString(f.prefix + f.WhenNull)
	}
	_, err := t.skip()
	return true, err
}

// within ends the object of one key and begins the object of the next; an empty key stands for no object. more and the
// result report whether a member precedes the next member.
func (t *transformer) within(open, next string, more bool) bool {
	if open != "" {
		t.out.WriteByte('}')
		more = true
	}
	if next != "" {
		comma(t.out, more)
		t.out.WriteString(`"` + next + `":{`)
		more = false
	}
	return more
}

// omitsNull reports whether the key of a field is omitted because its value is null.
func (t *transformer) omitsNull(f *field, deciding int) bool {
	if f.OmitWhen == nil || deciding < 0 {
		return f.OmitNull && f.OmitWhen == nil
	}
	text, err := (&scanner{in: t.in, i: deciding}).skip()
	return err == nil && text[0] == '"' && slices.Contains(f.OmitWhen.Is, string(f.decider.spell(unquote(text))))
}

// one writes the value of one key of an open object after reading its children before at.
func (t *transformer) one(f *field, at int, want string) error {
	written := false
	for ; ; at++ {
		key, err := t.member()
		switch {
		case err != nil:
			return err
		case key == nil && !written:
			return ErrData
		case key == nil:
			return nil
		}
		if at, err = f.next(at, key); err != nil {
			return err
		}
		switch c := f.children[at]; {
		case c.check:
			err = t.check(c)
		case written || c.key != want || t.null() && !c.lastOfKey:
			_, err = t.skip()
		default:
			written = true
			err = t.value(c)
		}
		if err != nil {
			return err
		}
	}
}

// spread writes the members of a spread object, or the entries of a spread list, into its parent.
func (t *transformer) spread(f *field, more bool) (bool, error) {
	if f.keyBy != nil {
		return t.keyed(f, more)
	}
	if err := t.enter('{'); err != nil {
		return more, err
	}
	return t.members(f, 0, more)
}
