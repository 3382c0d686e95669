package mongo_test

// updateOne changes the document with _id 1.
func updateOne(change string) string {
	return `{"update":"c","updates":[{"q":{"_id":1},"u":` + change + `}]}`
}

const changed = `{"n":1,"nModified":1}`

var updateCases = []conformanceCase{
	{
		name: "$set", docs: `[{"_id":1,"a":1}]`, command: updateOne(`{"$set":{"a":2,"b":"x"}}`), want: changed,
		after: `[{"_id":1,"a":2,"b":"x"}]`,
	},
	{
		name: "$set dotted", docs: `[{"_id":1,"a":{"b":1}}]`, command: updateOne(`{"$set":{"a.b":2,"a.c":3,"d.e.f":4}}`),
		after: `[{"_id":1,"a":{"b":2,"c":3},"d":{"e":{"f":4}}}]`,
	},
	{
		name: "$set adds in order of names", docs: `[{"_id":1}]`, command: updateOne(`{"$set":{"z":1,"b":2},"$inc":{"m":3}}`),
		after: `[{"_id":1,"b":2,"m":3,"z":1}]`,
	},
	{
		name: "$set the same", docs: `[{"_id":1,"a":1}]`, command: updateOne(`{"$set":{"a":1}}`),
		want: `{"n":1,"nModified":0}`,
	},
	{
		name: "$set array element", docs: `[{"_id":1,"a":[1,2,3]}]`, command: updateOne(`{"$set":{"a.1":9}}`),
		after: `[{"_id":1,"a":[1,9,3]}]`,
	},
	{
		name: "$set through a number", docs: `[{"_id":1,"a":5}]`, command: updateOne(`{"$set":{"a.b":1}}`), code: 28,
		after: `[{"_id":1,"a":5}]`,
	},
	{name: "$set name in an array", docs: `[{"_id":1,"a":[1]}]`, command: updateOne(`{"$set":{"a.b":1}}`), code: 28},
	{
		name: "$unset", docs: `[{"_id":1,"a":1,"b":2}]`, command: updateOne(`{"$unset":{"a":""}}`), want: changed,
		after: `[{"_id":1,"b":2}]`,
	},
	{
		name: "$inc grows to long", docs: `[{"_id":1,"a":2147483647}]`, command: updateOne(`{"$inc":{"a":1}}`),
		after: `[{"_id":1,"a":{"$numberLong":"2147483648"}}]`,
	},
	{
		name: "$inc long stays long", docs: `[{"_id":1,"a":{"$numberLong":"1"}}]`, command: updateOne(`{"$inc":{"a":1}}`),
		after: `[{"_id":1,"a":{"$numberLong":"2"}}]`,
	},
	{
		name: "$inc beyond long", docs: `[{"_id":1,"a":{"$numberLong":"9223372036854775807"}}]`,
		command: updateOne(`{"$inc":{"a":1}}`), code: 2,
	},
	{
		name: "$max across types", docs: `[{"_id":1,"a":5}]`, command: updateOne(`{"$max":{"a":"x"}}`),
		after: `[{"_id":1,"a":"x"}]`,
	},
	{
		name: "$setOnInsert on update", docs: `[{"_id":1,"a":1}]`,
		command: updateOne(`{"$setOnInsert":{"a":9},"$set":{"b":1}}`), after: `[{"_id":1,"a":1,"b":1}]`,
	},
	{
		name: "replace", docs: `[{"_id":1,"a":1,"b":2}]`, command: updateOne(`{"c":3}`), want: changed,
		after: `[{"_id":1,"c":3}]`,
	},
	{
		name: "replace with the same id", docs: `[{"_id":1,"a":1}]`, command: updateOne(`{"b":2,"_id":1}`),
		after: `[{"_id":1,"b":2}]`,
	},
	{
		name: "replace with another id", docs: `[{"_id":1,"a":1}]`, command: updateOne(`{"_id":2}`), code: 66,
		after: `[{"_id":1,"a":1}]`,
	},
	{name: "$set another id", docs: `[{"_id":1}]`, command: updateOne(`{"$set":{"_id":2}}`), code: 66},
	{
		name: "only the first", docs: `[{"_id":1,"a":1},{"_id":2,"a":1}]`,
		command: `{"update":"c","updates":[{"q":{"a":1},"u":{"$set":{"b":1}}}]}`, want: changed,
	},
	{
		name: "multi", docs: `[{"_id":1,"a":1},{"_id":2,"a":1},{"_id":3,"a":2}]`,
		command: `{"update":"c","updates":[{"q":{"a":1},"u":{"$inc":{"a":1}},"multi":true}]}`, want: `{"n":2,"nModified":2}`,
		after: `[{"_id":1,"a":2},{"_id":2,"a":2},{"_id":3,"a":2}]`,
	},
	{
		name: "multi along its own index", docs: `[{"_id":1,"a":1},{"_id":2,"a":2},{"_id":3,"a":3}]`, indexes: `[{"a":1}]`,
		command: `{"update":"c","updates":[{"q":{"a":{"$gt":0}},"u":{"$inc":{"a":10}},"multi":true}]}`,
		want:    `{"n":3,"nModified":3}`, after: `[{"_id":1,"a":11},{"_id":2,"a":12},{"_id":3,"a":13}]`,
	},
	{
		name: "duplicate by update", docs: `[{"_id":1,"a":1},{"_id":2,"a":2}]`, indexes: `[{"key":{"a":1},"unique":true}]`,
		command: updateOne(`{"$set":{"a":2}}`), code: 11000, after: `[{"_id":1,"a":1},{"_id":2,"a":2}]`,
	},
}

var updateArrayCases = []conformanceCase{
	{
		name: "$pull documents", docs: `[{"_id":1,"a":[{"x":1,"y":1},{"x":2}]}]`,
		command: updateOne(`{"$pull":{"a":{"x":1}}}`), after: `[{"_id":1,"a":[{"x":2}]}]`,
	},
}

func upsertOne(filter, change string) string {
	return `{"update":"c","updates":[{"q":` + filter + `,"u":` + change + `,"upsert":true}]}`
}

var upsertCases = []conformanceCase{
	{
		name: "by id", command: upsertOne(`{"_id":1}`, `{"$set":{"a":1}}`),
		want: `{"n":1,"nModified":0,"upserted":[{"index":0,"_id":1}]}`, after: `[{"_id":1,"a":1}]`,
	},
	{
		name: "equalities become fields", command: upsertOne(`{"_id":1,"b":2,"c":{"$gt":1}}`, `{"$set":{"a":1}}`),
		after: `[{"_id":1,"b":2,"a":1}]`,
	},
	{
		name: "dotted equality", command: upsertOne(`{"_id":1,"a.b":2}`, `{"$set":{"x":1}}`),
		after: `[{"_id":1,"a":{"b":2},"x":1}]`,
	},
	{
		name: "$setOnInsert", command: upsertOne(`{"_id":1}`, `{"$set":{"a":1},"$setOnInsert":{"b":2}}`),
		after: `[{"_id":1,"a":1,"b":2}]`,
	},
	{name: "replacement", command: upsertOne(`{"_id":1,"x":9}`, `{"a":1}`), after: `[{"_id":1,"a":1}]`},
	{name: "id contradicts filter", command: upsertOne(`{"_id":1}`, `{"$set":{"_id":2}}`), code: 66},
	{name: "duplicate", docs: `[{"_id":1,"a":1}]`, command: upsertOne(`{"_id":1,"a":2}`, `{"$set":{"b":1}}`), code: 11000},
}

const queue = `[{"_id":1,"p":3,"s":"new"},{"_id":2,"p":1,"s":"new"},{"_id":3,"p":2,"s":"old"}]`

var modifyCases = []conformanceCase{
	{
		name: "answers before", docs: queue, command: `{"findAndModify":"c","query":{"_id":1},"update":{"$inc":{"p":1}}}`,
		want: `{"value":{"_id":1,"p":3,"s":"new"}}`,
	},
	{
		name:    "answers after",
		docs:    queue,
		command: `{"findAndModify":"c","query":{"_id":1},"update":{"$inc":{"p":1}},"new":true}`,
		want:    `{"value":{"_id":1,"p":4,"s":"new"}}`,
	},
	{
		name: "remove", docs: queue, command: `{"findAndModify":"c","query":{"_id":3},"remove":true}`,
		want: `{"value":{"_id":3,"p":2,"s":"old"}}`,
	},
	{
		name: "nothing to remove", docs: queue, command: `{"findAndModify":"c","query":{"_id":9},"remove":true}`,
		want: `{"value":null}`,
	},
	{
		name: "nothing to update", docs: queue, command: `{"findAndModify":"c","query":{"_id":9},"update":{"$set":{"p":1}}}`,
		want: `{"value":null}`,
	},
	{
		name:    "upsert answers null before",
		command: `{"findAndModify":"c","query":{"_id":9},"update":{"$set":{"p":1}},"upsert":true}`,
		want:    `{"value":null}`,
		after:   `[{"_id":9,"p":1}]`,
	},
	{
		name:    "upsert answers after",
		command: `{"findAndModify":"c","query":{"_id":9},"update":{"$set":{"p":1}},"upsert":true,"new":true}`,
		want:    `{"value":{"_id":9,"p":1}}`,
	},
	{
		name: "replace", docs: queue, command: `{"findAndModify":"c","query":{"_id":1},"update":{"z":1},"new":true}`,
		want: `{"value":{"_id":1,"z":1}}`,
	},
	{
		name: "duplicate is a command error", docs: queue, indexes: `[{"key":{"p":1},"unique":true}]`,
		command: `{"findAndModify":"c","query":{"_id":1},"update":{"$set":{"p":1}}}`, code: 11000,
	},
}
