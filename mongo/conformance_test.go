package mongo_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gamedata/mongo/mongotest"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// The conformance suite checks the behaviour of the MongoDB protocol that the service relies on. It runs against
// MONGO_TEST_URI, or the embedded server when that is not set.

// conformanceCase is a collection, a command and its expected result. All are extended JSON; "c" in the command is
// replaced by the name of the collection.
type conformanceCase struct {
	name    string
	docs    string // documents inserted before
	indexes string // keys of indexes to create before, or whole specs with a field "key"
	before  string // commands to run before, in an array
	command string
	want    string // an array: the documents or values returned; an object: fields of the reply
	code    int    // the error code expected; 0 for success
	after   string // documents in the collection afterwards, by _id
}

func conformanceDatabase(t *testing.T) *driver.Database {
	t.Helper()
	server := must(mongotest.StartServer(t.TempDir()))(t)
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return server.Database(t)
}

func TestConformance(t *testing.T) {
	db := conformanceDatabase(t)
	for group, cases := range map[string][]conformanceCase{
		"filter": filterCases, "array": arrayCases, "order": orderCases, "projection": projectionCases,
		"update": updateCases, "updateArray": updateArrayCases, "upsert": upsertCases, "modify": modifyCases,
		"write": writeCases, "aggregate": aggregateCases, "index": indexCases, "cursor": cursorCases,
	} {
		t.Run(group, func(t *testing.T) {
			for i, c := range cases {
				t.Run(c.name, func(t *testing.T) { c.run(t, db, fmt.Sprintf("%s%d", group, i)) })
			}
		})
	}
}

func (c conformanceCase) run(t *testing.T, db *driver.Database, name string) {
	ctx := t.Context()
	coll := db.Collection(name)
	if docs := conformanceList(t, c.docs); len(docs) > 0 {
		must(coll.InsertMany(ctx, docs))(t)
	}
	for i, spec := range conformanceList(t, c.indexes) {
		d := spec.(bson.D)
		if d[0].Key != "key" {
			d = bson.D{{Key: "key", Value: d}}
		}
		d = append(d, bson.E{Key: "name", Value: fmt.Sprintf("ix%d", i)})
		create := bson.D{{Key: "createIndexes", Value: name}, {Key: "indexes", Value: bson.A{d}}}
		check(t, db.RunCommand(ctx, create).Err())
	}
	for _, command := range conformanceList(t, c.before) {
		check(t, db.RunCommand(ctx, onCollection(command.(bson.D), name)).Err())
	}
	command := onCollection(conformanceDoc(t, c.command), name)
	reply, err := db.RunCommand(ctx, command).Raw()
	if code := serverCode(err); code != c.code {
		t.Fatalf("error %v, want code %d", err, c.code)
	}
	if strings.HasPrefix(c.want, "[") {
		checkDocs(t, "reply", batchOf(t, reply), conformanceList(t, c.want), !strings.Contains(c.command, `"sort"`) &&
			!strings.Contains(c.command, `$sort`))
	} else if c.want != "" {
		checkFields(t, reply, conformanceDoc(t, c.want))
	}
	if c.after != "" {
		cursor := must(coll.Find(ctx, bson.D{}, options.Find().SetSort(bson.D{{Key: "_id", Value: 1}})))(t)
		var found []bson.D
		check(t, cursor.All(ctx, &found))
		var got []any
		for _, d := range found {
			got = append(got, d)
		}
		checkDocs(t, "collection", got, conformanceList(t, c.after), false)
	}
}

// onCollection replaces "c" in a command by the name of the collection.
func onCollection(command bson.D, name string) bson.D {
	for i, e := range command {
		if e.Value == "c" && (i == 0 || e.Key == "collection") {
			command[i].Value = name
		}
	}
	return command
}

func serverCode(err error) int {
	var write driver.WriteException
	var failed driver.CommandError
	switch {
	case errors.As(err, &write) && len(write.WriteErrors) > 0:
		return write.WriteErrors[0].Code
	case errors.As(err, &failed):
		return int(failed.Code)
	case err != nil:
		return -1
	}
	return 0
}

func batchOf(t *testing.T, reply bson.Raw) []any {
	t.Helper()
	v, err := reply.LookupErr("cursor", "firstBatch")
	if err != nil {
		t.Fatalf("no list in %s", reply)
	}
	var list bson.A
	check(t, v.Unmarshal(&list))
	return list
}

func checkDocs(t *testing.T, what string, got, want []any, anyOrder bool) {
	t.Helper()
	g, w := conformanceText(t, got), conformanceText(t, want)
	if anyOrder {
		slices.Sort(g)
		slices.Sort(w)
	}
	if !slices.Equal(g, w) {
		t.Errorf("%s\n got %s\nwant %s", what, strings.Join(g, ", "), strings.Join(w, ", "))
	}
}

func checkFields(t *testing.T, reply bson.Raw, want bson.D) {
	t.Helper()
	for _, e := range want {
		var got any
		if v, err := reply.LookupErr(strings.Split(e.Key, ".")...); err == nil {
			check(t, v.Unmarshal(&got))
		}
		checkDocs(t, e.Key, []any{got}, []any{e.Value}, false)
	}
}

// conformanceText encodes values with their types for comparison.
func conformanceText(t *testing.T, values []any) []string {
	t.Helper()
	out := []string{}
	for _, v := range values {
		text := must(bson.MarshalExtJSON(bson.D{{Key: "v", Value: v}}, true, false))(t)
		out = append(out, string(bytes.TrimSuffix(bytes.TrimPrefix(text, []byte(`{"v":`)), []byte("}"))))
	}
	return out
}

func conformanceDoc(t *testing.T, text string) bson.D {
	t.Helper()
	var d bson.D
	if err := bson.UnmarshalExtJSON([]byte(text), false, &d); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return d
}

func conformanceList(t *testing.T, text string) []any {
	t.Helper()
	if text == "" {
		return nil
	}
	list, ok := conformanceDoc(t, `{"v": `+text+`}`)[0].Value.(bson.A)
	if !ok {
		t.Fatalf("not a list: %s", text)
	}
	return list
}
