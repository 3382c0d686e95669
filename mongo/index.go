package mongo

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gamedata/mongo/conn"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// listTimeout is the minimum timeout for listing the indexes of a collection.
const listTimeout = 5 * time.Second

// IndexProblem is an index of Collections that the store lacks.
type IndexProblem struct {
	Collection string
	Index      Index
	// Existing is the name of an index that is in the way: it has the same key or name. Empty if
	// there is none.
	Existing string
	// Difference says how the existing index differs: "is not unique".
	Difference string
}

// Name returns collection(field, field).
func (p IndexProblem) Name() string {
	return p.Collection + "(" + strings.Join(p.Index.Fields, ", ") + ")"
}

// String names the index and says what is wrong.
func (p IndexProblem) String() string {
	if p.Existing == "" {
		return p.Name() + " is missing"
	}
	return fmt.Sprintf("%s: the existing index %q %s", p.Name(), p.Existing, p.Difference)
}

// Remedy returns the command that solves the problem.
func (p IndexProblem) Remedy() string {
	if p.Existing == "" {
		return "gamedata migrate"
	}
	return "gamedata migrate --replace"
}

// SummarizeIndexProblems lists problems and returns the command that solves them.
func SummarizeIndexProblems(problems []IndexProblem) (text, command string) {
	for _, p := range problems {
		command = max(command, p.Remedy()) // the longer one solves all
	}
	return strings.Join(each(problems, IndexProblem.String), ", "), command
}

// IndexStore compares and builds indexes.
type IndexStore struct{ family }

// Problems compares the indexes of the store with Collections. One of these or the index on _id serves every query of
// this package; a test checks this with the counters of the embedded server.
func (s *IndexStore) Problems(ctx context.Context) ([]IndexProblem, error) {
	var problems []IndexProblem
	for _, c := range Collections {
		if len(c.indexes()) == 0 {
			continue
		}
		existing, err := s.existing(ctx, c.Name)
		if err != nil {
			return nil, err
		}
		for _, ix := range c.indexes() {
			if p := compareIndex(ix, existing); p != nil {
				p.Collection = c.Name
				problems = append(problems, *p)
			}
		}
	}
	return problems, nil
}

// existingIndex is an index as the server lists it.
type existingIndex struct {
	Name    string   `bson:"name"`
	Key     bson.D   `bson:"key"`
	Unique  bool     `bson:"unique"`
	Sparse  bool     `bson:"sparse"`
	Expire  *float64 `bson:"expireAfterSeconds"`
	Partial bson.D   `bson:"partialFilterExpression"`
}

func (s *IndexStore) existing(ctx context.Context, collection string) ([]existingIndex, error) {
	var found []existingIndex
	err := s.db.Collection(collection).Indexes(conn.WithTimeout(ctx, listTimeout), &found)
	return found, err
}

// fields returns the fields of an index in the notation of Index.Fields.
func (e existingIndex) fields() []string {
	return each(e.Key, func(f bson.E) string {
		if strings.HasPrefix(fmt.Sprint(f.Value), "-") {
			return "-" + f.Key
		}
		return f.Key
	})
}

// difference says how an index with the wanted key differs; empty if it does not.
func (e existingIndex) difference(wanted Index) string {
	switch {
	case wanted.Unique && !e.Unique:
		return "is not unique"
	case e.Unique && !wanted.Unique:
		return "is unique"
	case wanted.Expires != (e.Expire != nil) || e.Expire != nil && *e.Expire != 0:
		return "expires records at another time"
	case e.Sparse || fmt.Sprint(e.Partial) != fmt.Sprint(wanted.partial()):
		return "has other records"
	}
	return ""
}

// compareIndex returns the problem of a wanted index, nil if the index exists.
func compareIndex(wanted Index, existing []existingIndex) *IndexProblem {
	problem := &IndexProblem{Index: wanted}
	for _, e := range existing {
		switch sameKey := slices.Equal(e.fields(), wanted.Fields); {
		case sameKey && e.difference(wanted) == "":
			return nil
		case sameKey:
			problem.Existing, problem.Difference = e.Name, e.difference(wanted)
		case e.Name == wanted.name() && problem.Existing == "":
			problem.Existing, problem.Difference = e.Name, "has the fields "+strings.Join(e.fields(), ", ")
		}
	}
	return problem
}

// name is the name that the driver gives an index.
func (ix Index) name() string {
	return strings.Join(each(ix.Fields, func(f string) string {
		if name, descending := strings.CutPrefix(f, "-"); descending {
			return name + "_-1"
		}
		return f + "_1"
	}), "_")
}

// partial is the filter of the indexed records; nil when all are indexed.
func (ix Index) partial() bson.D {
	switch {
	case ix.True != "":
		return bson.D{{Key: ix.True, Value: true}}
	case ix.Exists != "":
		return bson.D{{Key: ix.Exists, Value: bson.D{{Key: "$exists", Value: true}}}}
	}
	return nil
}

func (ix Index) model() driver.IndexModel {
	keys := bson.D{}
	for _, f := range ix.Fields {
		name, descending := strings.CutPrefix(f, "-")
		direction := 1
		if descending {
			direction = -1
		}
		keys = append(keys, bson.E{Key: name, Value: direction})
	}
	o := options.Index().SetName(ix.name())
	if ix.Unique {
		o.SetUnique(true)
	}
	if partial := ix.partial(); partial != nil {
		o.SetPartialFilterExpression(partial)
	}
	if ix.Expires {
		o.SetExpireAfterSeconds(0)
	}
	return driver.IndexModel{Keys: keys, Options: o}
}
