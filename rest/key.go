package rest

import (
	"encoding/json"
	"strconv"

	"gamedata/internal/cache"
)

// key names the operation and what a request gave its variables, those that only shape the
// body included. It is no question of how the request was written: unknown parameters, their
// order and their encoding are not in it (WIRE §1.3). ok is false for values that cannot be told
// apart, which no request gives.
func (op *Operation) key(vars map[string]any) (_ string, ok bool) {
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
		default: // numbers, and filters: members of an object are written in one order
			text, err := json.Marshal(v)
			if err != nil {
				return "", false
			}
			key = cache.AppendString(key, string(text))
		}
	}
	return string(key), true
}
