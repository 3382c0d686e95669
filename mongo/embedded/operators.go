package embedded

import (
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// applied applies an update operator at a path.
type applied func(root *node, p path) error

// operators are the update operators. Each reads its argument for one field.
var operators = map[string]func(field string, arg value) (applied, error){
	"$set":         parseSet,
	"$setOnInsert": parseSet,
	"$unset": func(string, value) (applied, error) {
		return func(root *node, p path) error { return root.unset(p) }, nil
	},
	"$inc":  parseInc,
	"$max":  parseMax,
	"$pull": parsePull,
}

func parseSet(_ string, arg value) (applied, error) {
	return func(root *node, p path) error {
		n, err := root.reach(p, true)
		if err == nil {
			n.set(arg)
		}
		return err
	}, nil
}

func parseInc(field string, arg value) (applied, error) {
	if !arg.isNumber() {
		return nil, errorf(codeTypeMismatch, "Cannot increment with non-numeric argument: {%s: %s}", field, show(arg))
	}
	return func(root *node, p path) error {
		n, err := root.reach(p, true)
		if err != nil {
			return err
		}
		now := n.get()
		if now.kind == 0 {
			n.set(arg)
			return nil
		}
		if !now.isNumber() {
			return errorf(codeTypeMismatch, "Cannot apply $inc to a value of non-numeric type. The field '%s' is of type %s", p,
				now.kind)
		}
		sum, ok := add(now, arg)
		if !ok {
			return errorf(codeBadValue, "Failed to apply $inc operations to current value of '%s': %s", p, show(now))
		}
		n.set(sum)
		return nil
	}, nil
}

// parseMax reads the value that $max sets if it is greater, in the order of all values.
func parseMax(_ string, arg value) (applied, error) {
	return func(root *node, p path) error {
		n, err := root.reach(p, true)
		if err != nil {
			return err
		}
		if now := n.get(); now.kind == 0 || compareValues(arg, now) > 0 {
			n.set(arg)
		}
		return nil
	}, nil
}

// parsePull reads which elements $pull removes: elements equal to a value, or documents that pass a filter.
func parsePull(_ string, arg value) (applied, error) {
	removed := func(v value) bool { return compareValues(v, arg) == 0 }
	if arg.isDoc() {
		filter, err := parseFilter(arg.doc())
		if err != nil {
			return nil, err
		}
		removed = func(v value) bool { return v.isDoc() && filter.matches(v.doc()) }
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
