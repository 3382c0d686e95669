package embedded

import (
	"encoding/hex"
	"fmt"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// duplicate is the error for a document whose entry in a unique index belongs to another one already.
func duplicate(c *collection, ix *index, d raw, e entry) error {
	g := keyGenerator{index: ix, want: e.key}
	state := make([]progress, len(ix.fields))
	for i, f := range ix.fields {
		state[i] = progress{docValue(d), f.path}
	}
	if err := g.expand(state); err != nil {
		return err
	}
	var shown []string
	keyValue := document(func(dst []byte) []byte {
		for i, f := range ix.fields {
			v := g.values[i]
			if v.kind == 0 {
				v = null
			}
			dst = appendValue(dst, f.name, v)
			shown = append(shown, f.name+": "+show(v))
		}
		return dst
	})
	return &failure{
		code: codeDuplicateKey,
		message: fmt.Sprintf("E11000 duplicate key error collection: %s index: %s dup key: { %s }",
			c.namespace, ix.Name, strings.Join(shown, ", ")),
		keyPattern: raw(ix.Key),
		keyValue:   keyValue,
	}
}

// show writes a value for a message.
func show(v value) string {
	switch v.kind {
	case bson.TypeString:
		return fmt.Sprintf("%q", v.text())
	case bson.TypeObjectID:
		return "ObjectId('" + hex.EncodeToString(v.data) + "')"
	case bson.TypeBinary:
		return fmt.Sprintf("BinData(%d, %X)", v.data[4], v.data[5:])
	}
	return bson.RawValue{Type: v.kind, Value: v.data}.String()
}
