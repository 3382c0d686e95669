package rest

import (
	"encoding/json"
	"strconv"

	"gamedata/internal/cache"
)

// cacheKey identifies the operation and its variables, including variables that only the transform uses. It ignores the
// spelling of the request: unknown parameters, order and encoding.
func (op *Operation) cacheKey(vars map[string]any) string {
	key := append(make([]byte, 0, 128), "rest "...)
	key = append(key, op.Name...)
	for _, def := range op.Definition().VariableDefinitions {
		key = append(key, ' ')
		switch v := vars[def.Variable].(type) {
		case nil:
			key = append(key, '-')
		case string:
			key = cache.AppendString(key, v)
		case bool:
			key = strconv.AppendBool(key, v)
		default: // numbers and filters, whose members are encoded in sorted order
			text, _ := json.Marshal(v) // cannot fail: it was JSON
			key = cache.AppendString(key, string(text))
		}
	}
	return string(key)
}
