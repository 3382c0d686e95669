package mongo

import "strings"

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
