package cluster

import (
	"fmt"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/mongo"
)

// isKey reports whether the server's description of a key is this one.
func isKey(described bson.D, k mongo.ShardKey) bool {
	return slices.EqualFunc(described, document(k), func(a, b bson.E) bool {
		return a.Key == b.Key && fmt.Sprint(a.Value) == fmt.Sprint(b.Value)
	})
}

// document is a key as commands have it.
func document(k mongo.ShardKey) bson.D {
	var kind any = 1
	if k.Hashed {
		kind = "hashed"
	}
	var out bson.D
	for _, field := range k.Fields {
		out = append(out, bson.E{Key: field, Value: kind})
	}
	return out
}

// bounds returns the bounds of n ranges of about equal size for each kind of values: the first begins with the least
// key, the last ends with the greatest one.
func bounds(k mongo.ShardKey, n int) []bson.D {
	whole := func(end any) (bound bson.D) {
		for _, field := range k.Fields {
			bound = append(bound, bson.E{Key: field, Value: end})
		}
		return bound
	}
	out := []bson.D{whole(bson.MinKey{})}
	for kind, v := range k.Values {
		for i := range n {
			if kind+i > 0 {
				bound := whole(bson.MinKey{})
				bound[0].Value = v.Prefix + fraction(i, n, v.Digits)
				out = append(out, bound)
			}
		}
	}
	return append(out, whole(bson.MaxKey{}))
}

// fraction returns the digits of i/n behind the point. Four suffice for a thousand shards.
func fraction(i, n int, digits string) string {
	var text [4]byte
	for place := range text {
		i *= len(digits)
		text[place] = digits[i/n]
		i %= n
	}
	return strings.TrimRight(string(text[:]), digits[:1])
}
