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
	// Prefix is what most values of the first field begin with, before hexadecimal digits that are as good as random.
	// A range is split there before there are records.
	Prefix string
}

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
