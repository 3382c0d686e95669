package mongo_test

var writeCases = []conformanceCase{
	{
		name: "insert", command: `{"insert":"c","documents":[{"_id":1},{"_id":2}]}`, want: `{"n":2}`,
		after: `[{"_id":1},{"_id":2}]`,
	},
	{name: "id comes first", command: `{"insert":"c","documents":[{"a":1,"_id":1}]}`, after: `[{"_id":1,"a":1}]`},
	{
		name: "ordered stops", docs: `[{"_id":2}]`, command: `{"insert":"c","documents":[{"_id":1},{"_id":2},{"_id":3}]}`,
		code: 11000, after: `[{"_id":1},{"_id":2}]`,
	},
	{
		name: "unordered goes on", docs: `[{"_id":2}]`,
		command: `{"insert":"c","documents":[{"_id":1},{"_id":2},{"_id":3}],"ordered":false}`, code: 11000,
		after: `[{"_id":1},{"_id":2},{"_id":3}]`,
	},
	{
		name: "twice in one command", command: `{"insert":"c","documents":[{"_id":1},{"_id":1}]}`, code: 11000,
		after: `[{"_id":1}]`,
	},
	{
		name: "ids equal by value", docs: `[{"_id":1}]`, command: `{"insert":"c","documents":[{"_id":{"$numberLong":"1"}}]}`,
		code: 11000,
	},
	{
		name: "unique among the inserted", indexes: `[{"key":{"a":1},"unique":true}]`,
		command: `{"insert":"c","documents":[{"_id":1,"a":1},{"_id":2,"a":1}],"ordered":false}`, code: 11000,
		after: `[{"_id":1,"a":1}]`,
	},
	{
		name: "delete one", docs: `[{"_id":1,"a":1},{"_id":2,"a":1}]`,
		command: `{"delete":"c","deletes":[{"q":{"a":1},"limit":1}]}`, want: `{"n":1}`,
	},
	{
		name: "delete all matching", docs: `[{"_id":1,"a":1},{"_id":2,"a":1},{"_id":3,"a":2}]`, indexes: `[{"a":1}]`,
		command: `{"delete":"c","deletes":[{"q":{"a":1},"limit":0}]}`, want: `{"n":2}`, after: `[{"_id":3,"a":2}]`,
	},
}

const sales = `[{"_id":1,"k":"a"},{"_id":2,"k":"b"},{"_id":3,"k":"a"},{"_id":4,"k":"c"},{"_id":5,"k":"b"},{"_id":6}]`

func pipeline(stages string) string {
	return `{"aggregate":"c","pipeline":` + stages + `,"cursor":{}}`
}

var aggregateCases = []conformanceCase{
	{
		name: "$group by a field", docs: sales,
		command: pipeline(`[{"$match":{"_id":{"$gt":2}}},{"$group":{"_id":"$k","n":{"$sum":1}}}]`),
		want:    `[{"_id":"a","n":1},{"_id":"c","n":1},{"_id":"b","n":1},{"_id":null,"n":1}]`,
	},
	{
		name: "$group counts", docs: sales,
		command: pipeline(`[{"$match":{"k":{"$ne":"c"}}},{"$group":{"_id":1,"n":{"$sum":1}}}]`), want: `[{"_id":1,"n":5}]`,
	},
	{
		name: "$limit before $group", docs: sales,
		command: pipeline(`[{"$match":{}},{"$limit":4},{"$group":{"_id":1,"n":{"$sum":1}}}]`), want: `[{"_id":1,"n":4}]`,
	},
	{
		name: "count through index", docs: sales, indexes: `[{"k":1}]`,
		command: pipeline(`[{"$match":{"k":{"$in":["a","c"]}}},{"$group":{"_id":1,"n":{"$sum":1}}}]`),
		want:    `[{"_id":1,"n":3}]`,
	},
}
