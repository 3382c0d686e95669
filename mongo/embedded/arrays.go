package embedded

import (
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// push is $push and its modifiers.
type push struct {
	values   []value
	position *int64
	slice    *int64
	sort     []sortField
	whole    int // order of the elements themselves: 1, -1, or 0 for none
}

func parsePush(_ string, arg value) (func(*node, path) error, error) {
	op := &push{values: []value{arg}}
	if arg.isDoc() && arg.doc().lookup("$each").kind != 0 {
		if err := op.parse(arg.doc()); err != nil {
			return nil, err
		}
	}
	return op.apply, nil
}

func (op *push) parse(d raw) error {
	for name, v := range d.all() {
		switch name {
		case "$each":
			values, err := each("$push", v)
			if err != nil {
				return err
			}
			op.values = values
		case "$position", "$slice":
			n, ok := v.integer()
			if !v.isNumber() || !ok {
				return errorf(codeBadValue, "The value for %s must be an integer value but was given type: %s", name,
					typeName(v.kind))
			}
			if name == "$slice" {
				op.slice = &n
			} else {
				op.position = &n
			}
		case "$sort":
			n, whole := v.integer()
			switch {
			case v.isNumber() && whole && (n == 1 || n == -1):
				op.whole = int(n)
			case v.isDoc() && !v.doc().empty():
				var err error
				if op.sort, err = parseSort(v.doc()); err != nil {
					return errorf(codeBadValue, "The $sort element value must be either 1 or -1")
				}
			default:
				return errorf(codeBadValue,
					"The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1} to sort embedded fields")
			}
		default:
			return errorf(codeBadValue, "Unrecognized clause in $push: %s", name) //nolint:misspell // MongoDB's message
		}
	}
	return nil
}

func each(operator string, v value) ([]value, error) {
	if v.kind != bson.TypeArray {
		return nil, errorf(codeTypeMismatch, "The argument to $each in %s must be an array but it was of type: %s", operator,
			typeName(v.kind))
	}
	var values []value
	for _, e := range v.doc().all() {
		values = append(values, e)
	}
	return values, nil
}

// reachArray finds or makes the array that an operator works on.
func reachArray(root *node, p path, operator string) (*node, error) {
	n, err := root.reach(p, true)
	if err != nil {
		return nil, err
	}
	if n.typeOf() == 0 {
		n.set(array(nil))
	}
	if n.typeOf() != bson.TypeArray {
		return nil, errorf(codeBadValue, "The field '%s' must be an array but is of type %s (%s)", p, typeName(n.typeOf()),
			operator)
	}
	n.open()
	return n, nil
}

func (op *push) apply(root *node, p path) error {
	list, err := reachArray(root, p, "$push")
	if err != nil {
		return err
	}
	at := len(list.fields)
	if op.position != nil {
		if at = int(max(min(*op.position, int64(at)), -int64(at))); at < 0 {
			at += len(list.fields)
		}
	}
	var added []member
	for _, v := range op.values {
		added = append(added, member{"", newNode(v)})
	}
	list.fields = slices.Insert(list.fields, at, added...)
	op.order(list.fields)
	if op.slice == nil {
		return nil
	}
	size := int64(len(list.fields))
	if n := *op.slice; n >= 0 {
		list.fields = list.fields[:min(n, size)]
	} else {
		list.fields = list.fields[size-min(-max(n, -size), size):]
	}
	return nil
}

func (op *push) order(elements []member) {
	switch {
	case op.whole != 0:
		slices.SortStableFunc(elements, func(a, b member) int { return op.whole * compareValues(a.node.get(), b.node.get()) })
	case op.sort != nil:
		key := func(m member) string {
			v := m.node.get()
			if !v.isDoc() {
				v = docValue(emptyDoc)
			}
			return string(appendSortKey(nil, v.doc(), op.sort))
		}
		slices.SortStableFunc(elements, func(a, b member) int { return strings.Compare(key(a), key(b)) })
	}
}

func parseAddToSet(_ string, arg value) (func(*node, path) error, error) {
	values := []value{arg}
	if arg.isDoc() {
		if list := arg.doc().lookup("$each"); list.kind != 0 {
			var err error
			if values, err = each("$addToSet", list); err != nil {
				return nil, err
			}
			for name := range arg.doc().all() {
				if name != "$each" {
					return nil, errorf(codeBadValue, "Found unexpected fields after $each in $addToSet: %s", name)
				}
			}
		}
	}
	return func(root *node, p path) error {
		list, err := reachArray(root, p, "$addToSet")
		if err != nil {
			return err
		}
		known := map[string]bool{}
		for _, m := range list.fields {
			known[string(appendKey(nil, m.node.get()))] = true
		}
		for _, v := range values {
			if key := string(appendKey(nil, v)); !known[key] {
				known[key] = true
				list.fields = append(list.fields, member{"", newNode(v)})
			}
		}
		return nil
	}, nil
}

// parsePull reads what $pull removes: elements equal to a value, matching operators, or documents that pass a
// filter.
func parsePull(_ string, arg value) (func(*node, path) error, error) {
	removed, err := pullTest(arg)
	if err != nil {
		return nil, err
	}
	return func(root *node, p path) error {
		list, err := root.reach(p, false)
		if list == nil || err != nil || list.typeOf() == 0 {
			return err
		}
		if list.typeOf() != bson.TypeArray {
			return errorf(codeBadValue, "Cannot apply $pull to a non-array value")
		}
		list.open()
		list.fields = slices.DeleteFunc(list.fields, func(m member) bool { return removed(m.node.get()) })
		return nil
	}, nil
}

func pullTest(arg value) (func(value) bool, error) {
	switch {
	case arg.kind == bson.TypeRegex:
		re, err := newPattern(arg.regex())
		if err != nil {
			return nil, err
		}
		return re.test, nil
	case !arg.isDoc():
		return func(v value) bool { return compareValues(v, arg) == 0 }, nil
	case isOperators(arg):
		tests, err := parseTests(arg.doc(), 0)
		return tests.test, err
	}
	filter, err := parseFilter(arg.doc())
	return func(v value) bool { return v.isDoc() && filter.matches(v.doc()) }, err
}
