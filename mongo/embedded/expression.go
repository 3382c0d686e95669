package embedded

import (
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// expression is a value computed from a document: a field path, a constant, or a document of expressions.
type expression interface{ eval(d raw) value }

type (
	constant  struct{ value value }
	fieldPath struct{ path path }
	docExpr   []computed
)

func (e constant) eval(raw) value { return e.value }

// eval follows the path; through an array it collects the values of all documents in it.
func (e fieldPath) eval(d raw) value { return follow(docValue(d), e.path) }

func follow(v value, p path) value {
	if len(p) == 0 {
		return v
	}
	switch v.kind {
	case bson.TypeEmbeddedDocument:
		return follow(v.doc().lookup(p[0]), p[1:])
	case bson.TypeArray:
		var found []value
		for _, e := range v.doc().all() {
			if e.kind != bson.TypeEmbeddedDocument && e.kind != bson.TypeArray {
				continue
			}
			if inner := follow(e, p); inner.kind != 0 {
				found = append(found, inner)
			}
		}
		return array(found)
	}
	return missing
}

func (e docExpr) eval(d raw) value {
	return docValue(document(func(dst []byte) []byte {
		for _, c := range e {
			if v := c.expr.eval(d); v.kind != 0 {
				dst = appendValue(dst, c.name, v)
			}
		}
		return dst
	}))
}

// parseExpression reads an expression; unknown operators are errors.
func parseExpression(v value) (expression, error) {
	switch v.kind {
	case bson.TypeString:
		text := string(v.text())
		if !strings.HasPrefix(text, "$") {
			return constant{v}, nil
		}
		if strings.HasPrefix(text, "$$") {
			name, rest, dotted := strings.Cut(text[2:], ".")
			if name != "ROOT" && name != "CURRENT" {
				return nil, errorf(17276, "Use of undefined variable: %s", name)
			}
			if !dotted {
				return fieldPath{}, nil
			}
			text = "$" + rest
		}
		if err := checkPath(text[1:]); err != nil {
			return nil, err
		}
		return fieldPath{parsePath(text[1:])}, nil
	case bson.TypeEmbeddedDocument:
		return parseDocExpression(v.doc())
	case bson.TypeArray:
		for _, e := range v.doc().all() {
			if inner, err := parseExpression(e); err != nil {
				return nil, err
			} else if _, fixed := inner.(constant); !fixed {
				return nil, errorf(codeInvalidPipeline, "arrays of expressions are not supported")
			}
		}
	}
	return constant{v}, nil
}

func parseDocExpression(d raw) (expression, error) {
	var fields docExpr
	fixed := true
	for name, v := range d.all() {
		if name == "$literal" {
			return constant{v.clone()}, nil
		}
		if strings.HasPrefix(name, "$") {
			return nil, errorf(codeInvalidPipeline, "Unrecognized expression '%s'", name) //nolint:misspell // MongoDB's message
		}
		if name == "" || strings.Contains(name, ".") {
			return nil, errorf(40353, "field names of an object expression may not be empty or contain '.': '%s'", name)
		}
		inner, err := parseExpression(v)
		if err != nil {
			return nil, err
		}
		_, isFixed := inner.(constant)
		fixed = fixed && isFixed
		fields = append(fields, computed{name, inner})
	}
	if fixed {
		return constant{fields.eval(nil)}, nil
	}
	return fields, nil
}
