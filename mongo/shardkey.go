package mongo

import (
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// ShardKey is the key by which a sharded cluster distributes a collection. Writes of single records name all of its
// fields; queries name the first one, or are accepted to go to every shard: see the list in mongotest.
type ShardKey struct {
	// Fields are ascending. None leaves a collection whole: on one shard.
	Fields []string
	// Hashed distributes by the hash of the only field: for values that rise with time, which would all be added to the
	// last range.
	Hashed bool
	// Values are what most values of the first field look like, in their order; uuids if there are none. Before there are
	// records each kind is split into ranges of about equal size.
	Values []KeyValues
}

// KeyValues are values of a shard key that begin with Prefix. Digits, in their order, are what each of the next
// characters may be, all about as often.
type KeyValues struct{ Prefix, Digits string }

// The digits of uuids, and those of names, which nearly all begin with letters.
const (
	hexadecimals = "0123456789abcdef"
	letters      = "abcdefghijklmnopqrstuvwxyz"
)

// The keys of collections whose ids are uuids, and of those whose ids rise.
var (
	byID       = ShardKey{Fields: []string{"_id"}}
	byHashedID = ShardKey{Fields: []string{"_id"}, Hashed: true}
)

// String lists the fields; it is empty for a collection that stays whole.
func (k ShardKey) String() string {
	text := strings.Join(k.Fields, ", ")
	if k.Hashed {
		text += " hashed"
	}
	return text
}

// document is the key as commands have it.
func (k ShardKey) document() bson.D {
	if k.Hashed {
		return bson.D{{Key: k.Fields[0], Value: "hashed"}}
	}
	return allOnes(k.Fields)
}

// bounds returns the bounds of n ranges of about equal size for each kind of values: the first begins with the least
// key, the last ends with the greatest one.
func (k ShardKey) bounds(n int) []bson.D {
	whole := func(end any) (bound bson.D) {
		for _, field := range k.Fields {
			bound = append(bound, bson.E{Key: field, Value: end})
		}
		return bound
	}
	values := k.Values
	if values == nil {
		values = []KeyValues{{Digits: hexadecimals}}
	}
	out := []bson.D{whole(bson.MinKey{})}
	for kind, v := range values {
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
