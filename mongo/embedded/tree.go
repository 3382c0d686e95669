package embedded

import (
	"slices"
	"strconv"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// node is a value being changed. Only values that a change touches are decoded; all others stay encoded.
type node struct {
	value  value // while not opened
	opened bool
	kind   bson.Type // of an opened node: document or array
	fields []member
}

// member is a field of an opened document, or an element of an opened array, whose name is its position.
type member struct {
	name string
	node *node
}

func newNode(v value) *node { return &node{value: v} }

// open decodes a document or array one level deep; false for other values.
func (n *node) open() bool {
	if n.opened {
		return true
	}
	if !n.value.isNested() {
		return false
	}
	n.opened, n.kind = true, n.value.kind
	for name, v := range n.value.doc().all() {
		n.fields = append(n.fields, member{name, newNode(v)})
	}
	return true
}

func (n *node) typeOf() bson.Type {
	if n.opened {
		return n.kind
	}
	return n.value.kind
}

func (n *node) get() value {
	if !n.opened {
		return n.value
	}
	return value{n.kind, n.append(nil)}
}

// append writes an opened node as a document or array.
func (n *node) append(dst []byte) []byte {
	dst, at := openDoc(dst)
	for i, m := range n.fields {
		name := m.name
		if n.kind == bson.TypeArray {
			name = strconv.Itoa(i)
		}
		if !m.node.opened {
			dst = appendValue(dst, name, m.node.value)
			continue
		}
		dst = m.node.append(appendName(dst, m.node.kind, name))
	}
	return closeDoc(dst, at)
}

func (n *node) set(v value) { *n = node{value: v} }

// child finds a field of an opened document or an element of an opened array.
func (n *node) child(part string) *node {
	for _, m := range n.fields {
		if m.name == part {
			return m.node
		}
	}
	return nil
}

// reach follows a path and, with create, creates missing nodes. Without create it returns nil when there is no such
// field.
func (n *node) reach(p path, create bool) (*node, error) {
	for i, part := range p {
		if !n.open() {
			if create {
				return nil, errorf(codePathNotViable, "Cannot create field '%s' in element {%s: %s}", part, p[:i], show(n.value))
			}
			return nil, nil
		}
		next := n.child(part)
		if next == nil {
			if !create {
				return nil, nil
			}
			var err error
			if next, err = n.add(p, i); err != nil {
				return nil, err
			}
		}
		n = next
	}
	return n, nil
}

// add creates the field that part i of a path names: an empty document on the way, a missing value at the end. It does
// not create elements of arrays.
func (n *node) add(p path, i int) (*node, error) {
	if n.kind == bson.TypeArray {
		return nil, errorf(codePathNotViable, "Cannot create field '%s' in element {%s: [array]}", p[i], p[:i])
	}
	fresh := newNode(missing)
	if i < len(p)-1 {
		fresh = newNode(docValue(emptyDoc))
	}
	n.fields = append(n.fields, member{p[i], fresh})
	return fresh, nil
}

// unset removes a field.
func (n *node) unset(p path) error {
	parent, err := n.reach(p[:len(p)-1], false)
	if parent == nil || err != nil || !parent.open() {
		return err
	}
	if parent.kind == bson.TypeArray {
		return errorf(codePathNotViable, "Elements of arrays cannot be unset: '%s'", p)
	}
	last := p[len(p)-1]
	parent.fields = slices.DeleteFunc(parent.fields, func(m member) bool { return m.name == last })
	return nil
}
