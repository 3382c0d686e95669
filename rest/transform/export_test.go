package transform

import (
	"encoding/json"
	"regexp"
	"testing"

	"pgregory.net/rapid"
)

// What the tests of the service's own operations need of the package.

// CheckRoundTrip transforms random data of an operation and reverses the body.
func CheckRoundTrip(tb testing.TB, t *rapid.T, op *Operation) { roundTrip(tb, t, op) }

// DataOf is the data that Transform takes, of what Reverse returned. The operation is changed for
// good: it reads data under the schema's names instead of its aliases.
func DataOf(op *Operation, value json.RawMessage) json.RawMessage {
	return json.RawMessage(`{"` + op.root.name + `":` + string(useSchemaNames(op.root, value)) + `}`)
}

// Reversible reports whether Reverse can read the bodies of an operation.
func Reversible(op *Operation) bool { return !op.oneWay }

// HasRecords reports whether bodies are lists of records, which ReverseEach reads one by one.
func HasRecords(op *Operation) bool { return op.records() != nil }

// EntryNames lists the names of all entries of all maps in a body, in order.
func EntryNames(op *Operation, body []byte) ([]string, error) {
	root, err := parse(body, 0)
	if err != nil {
		return nil, err
	}
	return entryNames(op.root, root), nil
}

func entryNames(f *field, n *node) []string {
	if f.Pick != nil && (f.Pick.Variable == "" || n.kind == '[') {
		return entryNames(f.picked(), n)
	}
	var out []string
	for i, v := range n.items {
		switch {
		case n.kind == '[':
			out = append(out, entryNames(f, v)...)
		case f.keyBy == nil:
			for _, c := range f.children {
				if c.key == n.keys[i] {
					out = append(out, entryNames(c, v)...)
				}
			}
		default:
			out = append(out, n.keys[i])
			for _, c := range f.children {
				if c.key == f.keyBy.value {
					out = append(out, entryNames(c, v)...)
				} else if v.kind == '{' && v.get(c.key) != nil {
					out = append(out, entryNames(c, v.get(c.key))...)
				}
			}
		}
	}
	return out
}

// useSchemaNames makes a plan read data under the schema's names, as Reverse returns it.
// useSchemaNames renames the fields, and adds the members of fields that select the same schema field as another.
func useSchemaNames(f *field, value []byte) []byte {
	switch {
	case f.twin != nil:
		member := regexp.MustCompile(`"` + f.field.Name + `":("[^"]*"|[^,}]*)`)
		value = member.ReplaceAll(value, []byte(`$0,"`+f.name+`":$1`))
	case !f.aliased:
		f.name = f.field.Name
	}
	for _, c := range f.children {
		if f.keyBy != nil && f.keyBy.field == c.name {
			f.keyBy.field = c.field.Name
		}
		value = useSchemaNames(c, value)
	}
	return value
}

// Decoded decodes JSON, numbers as they are written.
func Decoded(t testing.TB, text []byte) any { return decoded(t, text) }
