package embedded

import (
	"encoding/binary"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
)

const (
	maxDocument = 16 << 20 // the largest document a client may store, in bytes
	maxDepth    = 100      // the deepest nesting accepted; the outermost document is level 1
)

// validate checks that b is exactly one well-formed document nested at most maxDepth deep. All other code relies on
// this check and reads without further ones.
func validate(b []byte) error { return validateDoc(b, 1) }

func validateDoc(b []byte, depth int) error {
	if depth > maxDepth {
		return errorf(codeOverflow, "document nested deeper than %d levels", maxDepth)
	}
	if len(b) < 5 || int(int32(binary.LittleEndian.Uint32(b))) != len(b) || b[len(b)-1] != 0 {
		return malformed("document length")
	}
	for rest := b[4 : len(b)-1]; len(rest) > 0; {
		kind := bson.Type(rest[0])
		name, body, ok := bsoncore.ReadKeyBytes(rest[1:])
		if !ok {
			return malformed("field name")
		}
		if order(kind) == 0 || kind == bson.TypeUndefined {
			return errorf(codeInvalidBSON, "values of BSON type %v are not supported", kind)
		}
		v, after, ok := bsoncore.ReadValue(body, bsoncore.Type(kind))
		if !ok {
			return malformed("value of field " + quoteShort(name))
		}
		if err := validateBody(kind, v.Data, depth); err != nil {
			return err
		}
		rest = after
	}
	return nil
}

func validateBody(kind bson.Type, b []byte, depth int) error {
	switch kind {
	case bson.TypeEmbeddedDocument, bson.TypeArray:
		return validateDoc(b, depth+1)
	case bson.TypeString:
		if len(b) < 5 || b[len(b)-1] != 0 {
			return malformed("string")
		}
	case bson.TypeBoolean:
		if b[0] > 1 {
			return malformed("boolean")
		}
	}
	return nil
}

func malformed(what string) error { return errorf(codeInvalidBSON, "invalid BSON: malformed %s", what) }

// quoteShort quotes a field's name in a message and shortens a long one.
func quoteShort(name []byte) string {
	if len(name) > 60 {
		return "'" + string(name[:60]) + "…'"
	}
	return "'" + string(name) + "'"
}
