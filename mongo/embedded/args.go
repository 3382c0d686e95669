package embedded

import (
	"go.mongodb.org/mongo-driver/v2/bson"
)

// The methods below return a command's arguments and check their types; a missing argument is the zero value. An
// invalid argument sets c.err, which the command checks after it has read all arguments.

// reject sets the error of an argument; the first error is sent.
func (c *command) reject(err error) {
	if c.err == nil {
		c.err = err
	}
}

func (c *command) mismatch(field string, v value, expected string) error {
	return errorf(codeTypeMismatch, "BSON field '%s.%s' is the wrong type '%s', expected type '%s'",
		c.name, field, v.kind, expected)
}

func (c *command) namespace() string {
	if c.argument.kind != bson.TypeString {
		c.reject(errorf(codeInvalidNamespace, "collection name has invalid type %s", c.argument.kind))
		return ""
	}
	ns := c.db + "." + string(c.argument.text())
	c.reject(checkNamespace(ns))
	return ns
}

func (c *command) doc(field string) raw {
	switch v := c.body.lookup(field); v.kind {
	case bson.TypeEmbeddedDocument:
		return v.doc()
	case 0, bson.TypeNull:
	default:
		c.reject(c.mismatch(field, v, "object"))
	}
	return emptyDoc
}

func (c *command) filter(field string) allOf {
	f, err := parseFilter(c.doc(field))
	c.reject(err)
	return f
}

func (c *command) sort() []sortField {
	fields, err := parseSort(c.doc("sort"))
	c.reject(err)
	return fields
}

func (c *command) projection() projection {
	p, err := parseProjection(c.doc("projection"))
	c.reject(err)
	return p
}

// count reads a non-negative whole number; 0 if the field is missing.
func (c *command) count(field string) int64 {
	v := c.body.lookup(field)
	if v.kind == 0 || v.kind == bson.TypeNull {
		return 0
	}
	n, ok := v.integer()
	if !v.isNumber() {
		c.reject(c.mismatch(field, v, "long"))
	} else if !ok {
		c.reject(errorf(codeFailedToParse, "Expected an integer: %s", field))
	}
	if n < 0 {
		c.reject(errorf(51024, "BSON field '%s' value must be >= 0, actual value '%d'", field, n))
	}
	return n
}

func (c *command) flag(field string, otherwise bool) bool {
	v := c.body.lookup(field)
	if v.kind == 0 {
		return otherwise
	}
	return v.truthy()
}

// list reads an array of documents, from the body or from a sequence beside it.
func (c *command) list(field string) (docs []raw) {
	for _, seq := range c.req.sequences {
		if seq.name == field {
			return seq.docs
		}
	}
	switch v := c.body.lookup(field); v.kind {
	case bson.TypeArray:
		for _, e := range v.doc().all() {
			if e.kind != bson.TypeEmbeddedDocument {
				c.reject(c.mismatch(field+".0", e, "object"))
			}
			docs = append(docs, e.doc())
		}
	case 0:
		c.reject(errorf(40414, "BSON field '%s.%s' is missing but a required field", c.name, field))
	default:
		c.reject(c.mismatch(field, v, "array"))
	}
	return docs
}
