package embedded

import (
	"go.mongodb.org/mongo-driver/v2/bson"
)

// The methods below return a command's arguments, checked for their type; a missing one is the zero value.

func (c *command) mismatch(field string, v value, expected string) error {
	return errorf(codeTypeMismatch, "BSON field '%s.%s' is the wrong type '%s', expected type '%s'",
		c.name, field, typeName(v.kind), expected)
}

// namespace is the collection a command is about.
func (c *command) namespace() (string, error) {
	if c.argument.kind != bson.TypeString {
		return "", errorf(codeInvalidNamespace, "collection name has invalid type %s", typeName(c.argument.kind))
	}
	ns := c.db + "." + string(c.argument.text())
	return ns, checkNamespace(ns)
}

func (c *command) doc(field string) (raw, error) {
	switch v := c.body.lookup(field); v.kind {
	case bson.TypeEmbeddedDocument:
		return v.doc(), nil
	case 0, bson.TypeNull:
		return emptyDoc, nil
	default:
		return nil, c.mismatch(field, v, "object")
	}
}

// number reads a whole number, 0 if the field is missing.
func (c *command) number(field string) (int64, error) {
	v := c.body.lookup(field)
	if v.kind == 0 || v.kind == bson.TypeNull {
		return 0, nil
	}
	n, ok := v.integer()
	if !v.isNumber() {
		return 0, c.mismatch(field, v, "long")
	}
	if !ok {
		return 0, errorf(codeFailedToParse, "Expected an integer: %s", field)
	}
	return n, nil
}

// count is a number that may not be negative.
func (c *command) count(field string) (int64, error) {
	n, err := c.number(field)
	if err == nil && n < 0 {
		err = errorf(51024, "BSON field '%s' value must be >= 0, actual value '%d'", field, n)
	}
	return n, err
}

func (c *command) flag(field string, otherwise bool) bool {
	v := c.body.lookup(field)
	if v.kind == 0 {
		return otherwise
	}
	return v.truthy()
}

// list reads an array of documents, from the body or from a sequence beside it.
func (c *command) list(field string) ([]raw, error) {
	for _, seq := range c.req.sequences {
		if seq.name == field {
			return seq.docs, nil
		}
	}
	v := c.body.lookup(field)
	switch v.kind {
	case bson.TypeArray:
	case 0:
		return nil, errorf(40414, "BSON field '%s.%s' is missing but a required field", c.name, field)
	default:
		return nil, c.mismatch(field, v, "array")
	}
	var docs []raw
	for _, e := range v.doc().all() {
		if e.kind != bson.TypeEmbeddedDocument {
			return nil, c.mismatch(field+".0", e, "object")
		}
		docs = append(docs, e.doc())
	}
	return docs, nil
}

// hint reads the name of the index that a query demands; the client may give its key instead.
func hint(v value, c *collection) (string, error) {
	switch v.kind {
	case 0, bson.TypeNull:
		return "", nil
	case bson.TypeString:
		return string(v.text()), nil
	case bson.TypeEmbeddedDocument:
		if v.doc().empty() {
			return "", nil
		}
		if v.doc().lookup("$natural").kind != 0 {
			return "$natural", nil
		}
		if c == nil {
			return "", nil
		}
		for _, ix := range c.indexes {
			if compareDocs(v.doc(), raw(ix.Key), true) == 0 {
				return ix.Name, nil
			}
		}
		return "", errorf(
			codeBadValue,
			"error processing query: planner returned error: hint provided does not correspond to an existing index",
		)
	}
	return "", errorf(codeFailedToParse, "hint must be a string or an object")
}

// typeName is MongoDB's short name of a type.
func typeName(kind bson.Type) string {
	switch kind {
	case 0:
		return "missing"
	case bson.TypeEmbeddedDocument:
		return "object"
	case bson.TypeArray:
		return "array"
	case bson.TypeInt32:
		return "int"
	case bson.TypeInt64:
		return "long"
	case bson.TypeBoolean:
		return "bool"
	case bson.TypeDateTime:
		return "date"
	case bson.TypeObjectID:
		return "objectId"
	case bson.TypeBinary:
		return "binData"
	case bson.TypeDecimal128:
		return "decimal"
	}
	return kind.String()
}
