package embedded

import (
	"bytes"
	"encoding/binary"

	"go.mongodb.org/mongo-driver/v2/bson"
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
	rest := b[4 : len(b)-1]
	for len(rest) > 0 {
		kind := bson.Type(rest[0])
		end := bytes.IndexByte(rest[1:], 0)
		if end < 0 {
			return malformed("field name")
		}
		body := rest[end+2:]
		size := bodySize(kind, body)
		if size < 0 && order(kind) == 0 {
			return errorf(codeInvalidBSON, "values of BSON type %v are not supported", kind)
		}
		if size < 0 {
			return malformed("value of field " + quoteShort(rest[1:end+1]))
		}
		if err := validateBody(kind, body[:size], depth); err != nil {
			return err
		}
		rest = body[size:]
	}
	return nil
}

func validateBody(kind bson.Type, b []byte, depth int) error {
	switch kind {
	case bson.TypeEmbeddedDocument, bson.TypeArray:
		return validateDoc(b, depth+1)
	case bson.TypeString:
		if b[len(b)-1] != 0 {
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
