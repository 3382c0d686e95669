package embedded

import (
	"fmt"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// What MongoDB has and this server has not is rejected, never ignored, like what makes no sense.
func TestUnsupported(t *testing.T) {
	db := connect(t, openServer(t, Options{NoSync: true}))
	fill(t, db.Collection("c"), 1)
	filter := func(filter bson.D) bson.D { return d("find", "c", "filter", filter) }
	update := func(change any) bson.D { return d("update", "c", "updates", bson.A{d("q", d("_id", 0), "u", change)}) }
	pipeline := func(stages ...any) bson.D { return d("aggregate", "c", "pipeline", bson.A(stages), "cursor", d()) }
	group := func(group bson.D) bson.D { return pipeline(d("$match", d()), d("$group", group)) }
	index := func(option string, v any) bson.D {
		return d("createIndexes", "c", "indexes", bson.A{d("key", d("n", 1), "name", "n", option, v)})
	}
	op := func(pairs ...any) bson.D {
		return d("bulkWrite", 1, "ops", bson.A{d(pairs...)}, "nsInfo", bson.A{d("ns", "a.b")}, "errorsOnly", true)
	}
	for _, command := range []bson.D{
		filter(d("$and", bson.A{d("n", 1)})), filter(d("$where", "true")), filter(d("n", d("$eq", 1))),
		filter(d("n", d("$gt", 0, "$mod", bson.A{2, 0}))), filter(d("n", d("$in", bson.A{d("$gt", 1)}))),
		filter(d("n", bson.Regex{Pattern: "x"})), filter(d("n", bson.NewDecimal128(0, 1))), filter(d("n", bson.MinKey{})),
		update(d("$rename", d("n", "m"))), update(bson.A{d("$set", d("n", 1))}), update(d("$set", d("n.$", 1))),
		update(d("$push", d("list", 1))), update(d("$addToSet", d("list", 1))),
		update(d("$pull", d("list", d("$gt", 1)))),
		pipeline(), pipeline(d("$match", d())), pipeline(d("$group", d("_id", 1))),
		pipeline(d("$match", d()), d("$sort", d("n", 1))),
		group(d("_id", d("a", "$n"))), group(d("_id", "$n", "sum", d("$sum", "$n"))), group(d("_id", 1, "n", d("$avg", 1))),
		filter(d("$or", bson.A{})), filter(d("n", d("$in", 5))), filter(d("n", d("$not", 5))), d("find", "c", "filter", 5),
		d("find", "c", "skip", -1), d("find", "c", "sort", d("n", 2)), d("find", "c", "sort", d("n", "up")), d("find", 5),
		d("find", "c", "projection", d("a", 1, "a.b", 1)), d("find", "c", "tail", 1), d("insert", "c", "documents", 5),
		d("insert", "c", "documents", bson.A{}), d("insert", "c", "documents", bson.A{d("_id", bson.A{1})}),
		d("delete", "c", "deletes", bson.A{d("q", d(), "limit", 2)}), d("findAndModify", "c", "query", d()),
		d("findAndModify", "c", "query", d(), "remove", true, "update", d("a", 1)),
		update(5), update(d("$set", 5)), update(d("$set", d("", 1))), update(d("$inc", d("n", "1"))),
		update(d("$set", d("n", 1), "$inc", d("n", 1))), update(d("$set", d("g", "x"), "$inc", d("g.x", 1))),
		d("update", "c", "updates", bson.A{d("q", d(), "u", d("a", 1), "multi", true)}),
		pipeline(d("$match", d()), d("$limit", 0), d("$group", d("_id", 1))), group(d("n", d("$sum", 1))),
		pipeline(d("$match", d(), "$limit", 1)), index("key", d()), index("key", d("a", 0)), index("name", ""),
		index("sparse", true), index("collation", d("locale", "en")), d("distinct", "c", "key", "n"),
		d("find", "c", "hint", "_id_"), d("find", "c", "collation", d("locale", "en")), d("find", "c", "tailable", true),
		d("find", "c", "projection", d("list", d("$slice", 1))), d("find", "c", "projection", d("list", 0)),
		d("find", "c", "sort", d("n", d("$meta", "textScore"))),
		d("count", "c", "query", d("n", 1)), d("listCollections", 1),
		d("delete", "c", "deletes", bson.A{d("q", d(), "limit", 0, "hint", "_id_")}),
		op("insert", 1, "document", d()), op("insert", -1, "document", d()), op("insert", "a.b", "document", d()), op(),
		op("insert", 0), op("insert", 0, "document", 1), op("insert", 0, "document", d(), "q", d()),
		op("update", 0, "filter", d()), op("delete", 0, "q", d()), op("updates", 0, "q", d(), "u", d()),
		op("update", 0, "filter", d(), "updateMods", d("$set", d("a", 1)), "arrayFilters", bson.A{d("x", 1)}),
	} {
		t.Run(fmt.Sprint(command), func(t *testing.T) {
			var reply struct {
				WriteErrors []bson.Raw
				Errors      int `bson:"nErrors"`
			}
			err := db.RunCommand(t.Context(), command).Decode(&reply)
			if err == nil && len(reply.WriteErrors)+reply.Errors == 0 {
				t.Error("not rejected")
			}
		})
	}
}
