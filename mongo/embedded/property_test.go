package embedded

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"pgregory.net/rapid"
)

var drawnPaths = rapid.SampledFrom([]string{"a", "b", "c", "c.d", "c.e"})

func scalar() *rapid.Generator[any] {
	return rapid.OneOf(
		rapid.Map(rapid.Int32Range(0, 4), func(n int32) any { return n }),
		rapid.Map(rapid.SampledFrom([]int64{1, 2, 1<<53 + 1}), func(n int64) any { return n }),
		rapid.Map(rapid.SampledFrom([]float64{0.5, 2, 3, 1 << 53}), func(f float64) any { return f }),
		rapid.Map(rapid.SampledFrom([]string{"", "a", "ab", "b\x00", "b"}), func(s string) any { return s }),
		rapid.SampledFrom([]any{nil, true, false, bson.DateTime(5), bson.DateTime(-5)}),
	)
}

// fieldValue draws scalars, arrays, documents and arrays of documents.
func fieldValue() *rapid.Generator[any] {
	inner := rapid.Custom(func(t *rapid.T) any {
		d := bson.D{}
		for _, name := range []string{"d", "e"} {
			if rapid.Bool().Draw(t, "has "+name) {
				d = append(d, bson.E{Key: name, Value: scalar().Draw(t, name)})
			}
		}
		return d
	})
	list := func(of *rapid.Generator[any]) *rapid.Generator[any] {
		return rapid.Map(rapid.SliceOfN(of, 0, 3), func(l []any) any { return bson.A(l) })
	}
	return rapid.OneOf(scalar(), scalar(), scalar(), list(scalar()), inner, list(inner))
}

func drawDoc(t *rapid.T, id int) bson.D {
	d := d("_id", int32(id))
	for _, name := range []string{"a", "b", "c"} {
		if rapid.IntRange(0, 4).Draw(t, "has "+name) > 0 {
			d = append(d, bson.E{Key: name, Value: fieldValue().Draw(t, name)})
		}
	}
	return d
}

func drawCondition(t *rapid.T) any {
	op := rapid.SampledFrom([]string{
		"", "", "$ne", "$gt", "$gte", "$lt", "$lte", "range", "$in", "$exists", "$not",
	}).Draw(t, "operator")
	one := func() any { return scalar().Draw(t, "operand") }
	switch op {
	case "":
		return fieldValue().Draw(t, "equal")
	case "range":
		return d("$gte", one(), "$lt", one())
	case "$in":
		return d(op, bson.A(rapid.SliceOfN(scalar(), 0, 3).Draw(t, "operands")))
	case "$exists":
		return d(op, rapid.Bool().Draw(t, "exists"))
	case "$not":
		return d(op, d("$gt", one()))
	}
	return d(op, one())
}

func drawFilter(t *rapid.T, depth int) bson.D {
	filter := d()
	for range rapid.IntRange(0, 2).Draw(t, "conditions") {
		filter = append(filter, bson.E{Key: drawnPaths.Draw(t, "path"), Value: drawCondition(t)})
	}
	if depth > 0 && rapid.IntRange(0, 3).Draw(t, "logic") == 0 {
		var parts bson.A
		for range rapid.IntRange(1, 3).Draw(t, "parts") {
			parts = append(parts, drawFilter(t, depth-1))
		}
		filter = append(filter, bson.E{Key: "$or", Value: parts})
	}
	return filter
}

func drawSort(t *rapid.T) bson.D {
	by := d()
	for _, path := range rapid.SliceOfNDistinct(drawnPaths, 0, 2, rapid.ID[string]).Draw(t, "sort") {
		if path == "c" && len(by) > 0 {
			continue
		}
		by = append(by, bson.E{Key: path, Value: rapid.SampledFrom([]int32{1, -1}).Draw(t, "direction")})
	}
	return append(by, bson.E{Key: "_id", Value: int32(1)})
}

// drawIndexes makes indexes that a query may or may not use.
func drawIndexes(t *rapid.T) []driver.IndexModel {
	var models []driver.IndexModel
	for i := range rapid.IntRange(1, 4).Draw(t, "indexes") {
		keys := d()
		for _, path := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c.d", "c.e", "_id"}), 1, 3,
			rapid.ID[string]).Draw(t, "fields") {
			keys = append(keys, bson.E{Key: path, Value: rapid.SampledFrom([]int32{1, -1}).Draw(t, "direction")})
		}
		o := options.Index().SetName(fmt.Sprint("i", i))
		if rapid.IntRange(0, 3).Draw(t, "kind") == 0 {
			o.SetPartialFilterExpression(d("b", d("$exists", true)))
		}
		models = append(models, driver.IndexModel{Keys: keys, Options: o})
	}
	return models
}

// TestIndexesChangeNothing runs random queries and updates on a collection without indexes and on one with random
// indexes: both must agree. What is right is tested by the conformance tests of the package mongo.
func TestIndexesChangeNothing(t *testing.T) {
	s := openServer(t, Options{NoSync: true})
	db := connect(t, s)
	round := 0
	rapid.Check(t, func(rt *rapid.T) {
		round++
		plain, indexed := db.Collection(fmt.Sprint("plain", round)), db.Collection(fmt.Sprint("indexed", round))
		models := drawIndexes(rt)
		early := rapid.Bool().Draw(rt, "indexes first")
		if early {
			createIndexesFor(rt, t, indexed, models)
		}
		for i := range rapid.IntRange(1, 12).Draw(rt, "documents") {
			d := drawDoc(rt, i)
			if _, err := indexed.InsertOne(t.Context(), d); err != nil {
				continue // an index refuses parallel arrays; then the document exists nowhere
			}
			must(plain.InsertOne(t.Context(), d))(rt)
		}
		if !early {
			createIndexesFor(rt, t, indexed, models)
		}
		for range rapid.IntRange(1, 6).Draw(rt, "steps") {
			if rapid.IntRange(0, 2).Draw(rt, "update") == 0 {
				updateBoth(rt, t, plain, indexed)
			} else {
				queryBoth(rt, t, plain, indexed)
			}
		}
		checkIndexes(rt, s, db.Name()+"."+indexed.Name())
	})
}

func createIndexesFor(rt *rapid.T, t *testing.T, c *driver.Collection, models []driver.IndexModel) {
	for _, m := range models {
		if _, err := c.Indexes().CreateOne(t.Context(), m); err != nil && !isCode(err, codeParallelArrays) &&
			!isCode(err, codeIndexOptionsConflict) {
			rt.Fatal(err)
		}
	}
}

func isCode(err error, c code) bool {
	var refused driver.ServerError
	return errors.As(err, &refused) && refused.HasErrorCode(int(c))
}

func queryBoth(rt *rapid.T, t *testing.T, plain, indexed *driver.Collection) {
	filter, by := drawFilter(rt, 2), drawSort(rt)
	o := options.Find().SetSort(by).SetSkip(rapid.Int64Range(0, 2).Draw(rt, "skip")).
		SetLimit(rapid.Int64Range(0, 4).Draw(rt, "limit"))
	query := func(c *driver.Collection) (found []bson.D, total int64) {
		cursor, err := c.Find(t.Context(), filter, o.SetBatchSize(rapid.Int32Range(1, 5).Draw(rt, "batch")))
		if err == nil {
			err = cursor.All(t.Context(), &found)
		}
		if err == nil {
			total, err = c.CountDocuments(t.Context(), filter)
		}
		if err != nil {
			rt.Fatal(err)
		}
		return found, total
	}
	want, total := query(plain)
	got, counted := query(indexed)
	if diff := cmp.Diff(want, got); diff != "" || counted != total {
		rt.Fatalf("find %v sorted by %v: %d documents, with indexes %d (-plain +indexed)\n%s", filter, by, total, counted,
			diff)
	}
}

// updateBoth changes a document, unless an index refuses it.
func updateBoth(rt *rapid.T, t *testing.T, plain, indexed *driver.Collection) {
	op := rapid.SampledFrom([]string{"$set", "$unset", "$inc", "$max", "$pull"}).Draw(rt, "change")
	arg := scalar().Draw(rt, "argument")
	if op == "$inc" {
		arg = rapid.Int32Range(-3, 3).Draw(rt, "increment")
	}
	filter := d("_id", rapid.Int32Range(0, 12).Draw(rt, "id"))
	change := d(op, d(rapid.SampledFrom([]string{"a", "b", "c", "c.d"}).Draw(rt, "path"), arg))
	_, refused := indexed.UpdateOne(t.Context(), filter, change)
	if isCode(refused, codeParallelArrays) {
		return
	}
	if _, err := plain.UpdateOne(t.Context(), filter, change); (err == nil) != (refused == nil) {
		rt.Fatalf("%v: got %v, with indexes %v", change, err, refused)
	}
}

// checkIndexes compares every index with what its documents ask for.
func checkIndexes(rt interface{ Fatalf(string, ...any) }, s *Server, namespace string) {
	err := s.view(func(snap snapshot) error {
		if err := verify(snap); err != nil {
			return err
		}
		c := snap.cat.collections[namespace]
		if c == nil {
			return nil
		}
		want := make([]map[string]string, len(c.indexes))
		for i := range want {
			want[i] = map[string]string{}
		}
		err := snap.tx.Bucket(bucketName('d', c.id)).ForEach(func(k, v []byte) error {
			for i, ix := range c.indexes {
				entries, _, err := ix.entries(raw(v))
				if err != nil {
					return err
				}
				for _, e := range entries {
					want[i][string(withRecord(e, recordOf(k)))] = ""
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		for i, ix := range c.indexes {
			got := map[string]string{}
			err := snap.tx.Bucket(bucketName('i', ix.ID)).ForEach(func(k, v []byte) error {
				got[string(k)] = string(v)
				return nil
			})
			if err != nil {
				return err
			}
			if diff := cmp.Diff(want[i], got); diff != "" {
				rt.Fatalf("index %s of %s (-documents +index)\n%s", ix.Name, namespace, diff)
			}
		}
		return nil
	})
	if err != nil {
		rt.Fatalf("%v", err)
	}
}
