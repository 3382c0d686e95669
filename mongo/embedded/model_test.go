package embedded

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// A naive database on decoded documents, written apart from the server's code to check it.

type absent struct{} // a missing value

func modelGet(d bson.D, name string) any {
	for _, e := range d {
		if e.Key == name {
			return e.Value
		}
	}
	return absent{}
}

// modelReach returns what a path leads to.
func modelReach(v any, path []string) []any {
	if len(path) == 0 {
		return []any{v}
	}
	switch v := v.(type) {
	case bson.D:
		return modelReach(modelGet(v, path[0]), path[1:])
	case bson.A:
		var out []any
		for _, e := range v {
			if d, ok := e.(bson.D); ok {
				out = append(out, modelReach(d, path)...)
			}
		}
		return out
	}
	return []any{absent{}}
}

func modelRank(v any) int {
	switch v.(type) {
	case nil, absent:
		return 1
	case int32, int64, float64:
		return 2
	case string:
		return 3
	case bson.D:
		return 4
	case bson.A:
		return 5
	case bool:
		return 8
	case bson.DateTime:
		return 9
	}
	return 0 // the empty array, as a sort key
}

func modelNumber(v any) *big.Rat {
	switch n := v.(type) {
	case int32:
		return new(big.Rat).SetInt64(int64(n))
	case int64:
		return new(big.Rat).SetInt64(n)
	}
	return new(big.Rat).SetFloat64(v.(float64))
}

func modelCompare(a, b any) int {
	if c := cmp.Compare(modelRank(a), modelRank(b)); c != 0 {
		return c
	}
	switch x := a.(type) {
	case int32, int64, float64:
		return modelNumber(a).Cmp(modelNumber(b))
	case string:
		return strings.Compare(x, b.(string))
	case bool:
		return cmp.Compare(map[bool]int{true: 1}[x], map[bool]int{true: 1}[b.(bool)])
	case bson.DateTime:
		return cmp.Compare(x, b.(bson.DateTime))
	case bson.D:
		return slices.CompareFunc(x, b.(bson.D), func(p, q bson.E) int {
			return cmp.Or(cmp.Compare(modelRank(p.Value), modelRank(q.Value)), strings.Compare(p.Key, q.Key),
				modelCompare(p.Value, q.Value))
		})
	case bson.A:
		return slices.CompareFunc(x, b.(bson.A), modelCompare)
	}
	return 0
}

func modelMatch(d bson.D, filter bson.D) bool {
	for _, e := range filter {
		var ok bool
		switch e.Key {
		case "$or":
			ok = slices.ContainsFunc(e.Value.(bson.A), func(part any) bool { return modelMatch(d, part.(bson.D)) })
		default:
			ok = modelField(modelReach(d, strings.Split(e.Key, ".")), e.Value)
		}
		if !ok {
			return false
		}
	}
	return true
}

func modelField(leaves []any, condition any) bool {
	ops, ok := condition.(bson.D)
	if !ok || len(ops) == 0 || ops[0].Key[0] != '$' {
		ops = d("$eq", condition)
	}
	for _, op := range ops {
		var ok bool
		switch op.Key {
		case "$ne":
			ok = !modelAny(leaves, "$eq", op.Value)
		case "$not":
			ok = !modelField(leaves, op.Value)
		case "$exists":
			ok = slices.ContainsFunc(leaves, func(v any) bool { return v != any(absent{}) }) == op.Value.(bool)
		default:
			ok = modelAny(leaves, op.Key, op.Value)
		}
		if !ok {
			return false
		}
	}
	return true
}

// modelAny tests each value, and each element of each array.
func modelAny(leaves []any, op string, arg any) bool {
	return slices.ContainsFunc(leaves, func(v any) bool {
		if list, ok := v.(bson.A); ok && slices.ContainsFunc(list, func(e any) bool { return modelTest(e, op, arg) }) {
			return true
		}
		return modelTest(v, op, arg)
	})
}

func modelTest(v any, op string, arg any) bool {
	same := modelRank(v) == modelRank(arg) && (v != any(absent{}) || arg == nil)
	switch op {
	case "$eq":
		return same && modelCompare(v, arg) == 0
	case "$gt":
		return same && modelCompare(v, arg) > 0
	case "$gte":
		return same && modelCompare(v, arg) >= 0
	case "$lt":
		return same && modelCompare(v, arg) < 0
	case "$lte":
		return same && modelCompare(v, arg) <= 0
	case "$in":
		return slices.ContainsFunc(arg.(bson.A), func(one any) bool { return modelTest(v, "$eq", one) })
	}
	panic("the model does not know " + op)
}

// modelSort orders documents; the last field is unique, so the order is total.
func modelSort(docs []bson.D, by bson.D) []bson.D {
	docs = slices.Clone(docs)
	slices.SortFunc(docs, func(a, b bson.D) int {
		for _, f := range by {
			direction := int(f.Value.(int32))
			c := modelCompare(modelExtreme(a, f.Key, direction), modelExtreme(b, f.Key, direction))
			if c != 0 {
				return c * direction
			}
		}
		return 0
	})
	return docs
}

type noElements struct{} // what an empty array sorts as

func modelExtreme(d bson.D, path string, direction int) any {
	var all []any
	for _, v := range modelReach(d, strings.Split(path, ".")) {
		list, ok := v.(bson.A)
		switch {
		case ok && len(list) == 0:
			all = append(all, noElements{})
		case ok:
			all = append(all, list...)
		default:
			all = append(all, v)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return slices.MinFunc(all, func(a, b any) int { return direction * modelCompare(a, b) })
}

// modelUpdate applies one operator to a field, which may be inside of a document, or says that it is rejected.
func modelUpdate(d bson.D, op, path string, arg any) (bson.D, bool) {
	head, rest, nested := strings.Cut(path, ".")
	i := slices.IndexFunc(d, func(e bson.E) bool { return e.Key == head })
	if nested {
		inner := bson.D{}
		if i >= 0 {
			var ok bool
			inner, ok = d[i].Value.(bson.D)
			if !ok {
				return d, op == "$unset" || op == "$pull"
			}
		} else if op == "$unset" || op == "$pull" {
			return d, true
		}
		next, ok := modelUpdate(inner, op, rest, arg)
		return modelPut(d, head, next), ok
	}
	var now any = absent{}
	if i >= 0 {
		now = d[i].Value
	}
	list, isList := now.(bson.A)
	list = slices.Clone(list)
	_, missing := now.(absent)
	switch op {
	case "$set":
		return modelPut(d, head, arg), true
	case "$unset":
		return slices.DeleteFunc(slices.Clone(d), func(e bson.E) bool { return e.Key == head }), true
	case "$max":
		if missing || modelCompare(arg, now) > 0 {
			return modelPut(d, head, arg), true
		}
		return d, true
	case "$inc":
		switch n := now.(type) {
		case absent:
			return modelPut(d, head, arg), true
		case int32:
			return modelPut(d, head, n+arg.(int32)), true
		case int64:
			return modelPut(d, head, n+int64(arg.(int32))), n+int64(arg.(int32)) >= n || arg.(int32) < 0
		case float64:
			return modelPut(d, head, n+float64(arg.(int32))), true
		}
		return d, false
	case "$pull":
		if missing {
			return d, true
		}
		return modelPut(d, head, slices.DeleteFunc(list, func(e any) bool { return modelCompare(e, arg) == 0 })), isList
	}
	panic("the model does not know " + op)
}

func modelPut(d bson.D, name string, v any) bson.D {
	d = slices.Clone(d)
	for i := range d {
		if d[i].Key == name {
			d[i].Value = v
			return d
		}
	}
	return append(d, bson.E{Key: name, Value: v})
}
