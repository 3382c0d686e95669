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
	{name: "array id", command: `{"insert":"c","documents":[{"_id":[1]}]}`, code: 53},
	{name: "no documents", command: `{"insert":"c","documents":[]}`, code: 16},
	{
		name: "delete one", docs: `[{"_id":1,"a":1},{"_id":2,"a":1}]`,
		command: `{"delete":"c","deletes":[{"q":{"a":1},"limit":1}]}`, want: `{"n":1}`,
	},
	{
		name: "delete all matching", docs: `[{"_id":1,"a":1},{"_id":2,"a":1},{"_id":3,"a":2}]`, indexes: `[{"a":1}]`,
		command: `{"delete":"c","deletes":[{"q":{"a":1},"limit":0}]}`, want: `{"n":2}`, after: `[{"_id":3,"a":2}]`,
	},
	{
		name: "delete several statements", docs: `[{"_id":1},{"_id":2},{"_id":3}]`,
		command: `{"delete":"c","deletes":[{"q":{"_id":1},"limit":1},{"q":{"_id":3},"limit":1}]}`, want: `{"n":2}`,
		after: `[{"_id":2}]`,
	},
	{name: "delete nothing", command: `{"delete":"c","deletes":[{"q":{},"limit":0}]}`, want: `{"n":0}`},
	{
		name: "inserted again after delete", docs: `[{"_id":1,"a":1}]`, indexes: `[{"key":{"a":1},"unique":true}]`,
		before:  `[{"delete":"c","deletes":[{"q":{"a":1},"limit":1}]}]`,
		command: `{"insert":"c","documents":[{"_id":2,"a":1}]}`, want: `{"n":1}`, after: `[{"_id":2,"a":1}]`,
	},
	{name: "drop", docs: `[{"_id":1}]`, before: `[{"drop":"c"}]`, command: `{"find":"c"}`, want: `[]`},
	{name: "bad delete limit", docs: `[{"_id":1}]`, command: `{"delete":"c","deletes":[{"q":{},"limit":2}]}`, code: 9},
}

const sales = `[{"_id":1,"k":"a","n":1,"t":["x"]},{"_id":2,"k":"b","n":2.5,"t":["y"]},{"_id":3,"k":"a","n":3,"t":["x",
	"z"]},{"_id":4,"k":"c"},{"_id":5,"k":"b","n":"text"}]`

func pipeline(stages string) string {
	return `{"aggregate":"c","pipeline":` + stages + `,"cursor":{}}`
}

var aggregateCases = []conformanceCase{
	{name: "nothing", docs: `[{"_id":1}]`, command: pipeline(`[]`), want: `[{"_id":1}]`},
	{
		name: "$match", docs: sales, command: pipeline(`[{"$match":{"k":"a"}},{"$project":{"n":1}}]`),
		want: `[{"_id":1,"n":1},{"_id":3,"n":3}]`,
	},
	{
		name: "$sort $skip $limit", docs: sales,
		command: pipeline(`[{"$sort":{"_id":-1}},{"$skip":1},{"$limit":2},{"$project":{"_id":1}}]`),
		want:    `[{"_id":4},{"_id":3}]`,
	},
	{
		name: "$limit before $skip", docs: sales,
		command: pipeline(`[{"$sort":{"_id":1}},{"$limit":3},{"$skip":1},{"$project":{"_id":1}}]`),
		want:    `[{"_id":2},{"_id":3}]`,
	},
	{
		name: "$limit before $match", docs: sales,
		command: pipeline(`[{"$sort":{"_id":1}},{"$limit":2},{"$match":{"k":"a"}},{"$project":{"_id":1}}]`),
		want:    `[{"_id":1}]`,
	},
	{
		name:    "$group $sum",
		docs:    sales,
		command: pipeline(`[{"$group":{"_id":"$k","s":{"$sum":"$n"}}},{"$sort":{"_id":1}}]`),
		want:    `[{"_id":"a","s":4},{"_id":"b","s":2.5},{"_id":"c","s":0}]`,
	},
	{
		name:    "$group counts",
		docs:    sales,
		command: pipeline(`[{"$match":{"k":{"$ne":"c"}}},{"$group":{"_id":1,"n":{"$sum":1}}}]`),
		want:    `[{"_id":1,"n":4}]`,
	},
	{name: "$group of nothing", command: pipeline(`[{"$group":{"_id":1,"n":{"$sum":1}}}]`), want: `[]`},
	{
		name:    "$group $avg",
		docs:    sales,
		command: pipeline(`[{"$group":{"_id":"$k","v":{"$avg":"$n"}}},{"$sort":{"_id":1}}]`),
		want:    `[{"_id":"a","v":2.0},{"_id":"b","v":2.5},{"_id":"c","v":null}]`,
	},
	{
		name: "$group $min $max", docs: sales,
		command: pipeline(`[{"$group":{"_id":null,"lo":{"$min":"$n"},"hi":{"$max":"$n"}}}]`),
		want:    `[{"_id":null,"lo":1,"hi":"text"}]`,
	},
	{
		name: "$group $first $last",
		docs: sales,
		command: pipeline(
			`[{"$sort":{"_id":1}},{"$group":{"_id":"$k","f":{"$first":"$_id"},"l":{"$last":"$_id"}}},{"$sort":{"_id":1}}]`,
		),
		want: `[{"_id":"a","f":1,"l":3},{"_id":"b","f":2,"l":5},{"_id":"c","f":4,"l":4}]`,
	},
	{
		name: "$group $first of missing", docs: sales,
		command: pipeline(`[{"$match":{"_id":4}},{"$group":{"_id":null,"f":{"$first":"$n"}}}]`),
		want:    `[{"_id":null,"f":null}]`,
	},
	{
		name:    "$group $push",
		docs:    sales,
		command: pipeline(`[{"$sort":{"_id":1}},{"$group":{"_id":"$k","all":{"$push":"$n"}}},{"$sort":{"_id":1}}]`),
		want:    `[{"_id":"a","all":[1,3]},{"_id":"b","all":[2.5,"text"]},{"_id":"c","all":[]}]`,
	},
	{
		name: "$group $addToSet", docs: `[{"_id":1,"a":1},{"_id":2,"a":1},{"_id":3}]`,
		command: pipeline(`[{"$group":{"_id":null,"s":{"$addToSet":"$a"}}}]`), want: `[{"_id":null,"s":[1]}]`,
	},
	{
		name: "$group by two fields", docs: `[{"_id":1,"a":1,"b":2},{"_id":2,"a":1,"b":2},{"_id":3,"a":1}]`,
		command: pipeline(`[{"$group":{"_id":{"x":"$a","y":"$b"},"n":{"$sum":1}}},{"$sort":{"n":1}}]`),
		want:    `[{"_id":{"x":1},"n":1},{"_id":{"x":1,"y":2},"n":2}]`,
	},
	{
		name: "$sum grows to long", docs: `[{"_id":1,"a":2147483647},{"_id":2,"a":2147483647}]`,
		command: pipeline(`[{"$group":{"_id":null,"s":{"$sum":"$a"}}}]`),
		want:    `[{"_id":null,"s":{"$numberLong":"4294967294"}}]`,
	},
	{name: "$count", docs: sales, command: pipeline(`[{"$match":{"k":"b"}},{"$count":"total"}]`), want: `[{"total":2}]`},
	{name: "$count of nothing", docs: sales, command: pipeline(`[{"$match":{"k":"q"}},{"$count":"total"}]`), want: `[]`},
	{
		name: "$project renames", docs: sales,
		command: pipeline(`[{"$match":{"_id":1}},{"$project":{"_id":0,"key":"$k","one":{"$literal":1}}}]`),
		want:    `[{"key":"a","one":1}]`,
	},
	{
		name: "$project through array", docs: `[{"_id":1,"a":[{"b":1},{"b":2},{}]}]`,
		command: pipeline(`[{"$project":{"x":"$a.b"}}]`), want: `[{"_id":1,"x":[1,2]}]`,
	},
	{
		name: "$project excludes", docs: `[{"_id":1,"a":1,"b":2}]`, command: pipeline(`[{"$project":{"a":0}}]`),
		want: `[{"_id":1,"b":2}]`,
	},
	{
		name: "match after group", docs: sales,
		command: pipeline(`[{"$group":{"_id":"$k","n":{"$sum":1}}},{"$match":{"n":{"$gt":1}}},{"$sort":{"_id":-1}}]`),
		want:    `[{"_id":"b","n":2},{"_id":"a","n":2}]`,
	},
	{
		name: "count through index", docs: sales, indexes: `[{"k":1}]`,
		command: pipeline(`[{"$match":{"k":{"$in":["a","c"]}}},{"$group":{"_id":1,"n":{"$sum":1}}}]`),
		want:    `[{"_id":1,"n":3}]`,
	},
	{name: "unknown stage", docs: sales, command: pipeline(`[{"$frobnicate":{}}]`), code: 40324},
	{
		name: "unknown expression", docs: sales, command: pipeline(`[{"$project":{"x":{"$frobnicate":1}}}]`),
		code: conformanceAny,
	},
	{
		name: "unknown accumulator", docs: sales, command: pipeline(`[{"$group":{"_id":null,"x":{"$frobnicate":1}}}]`),
		code: 15952,
	},
	{name: "group without id", docs: sales, command: pipeline(`[{"$group":{"x":{"$sum":1}}}]`), code: 15955},
	{name: "two fields in a stage", docs: sales, command: pipeline(`[{"$match":{},"$limit":1}]`), code: 40323},
	{name: "limit zero", docs: sales, command: pipeline(`[{"$limit":0}]`), code: 15958},
	{name: "without cursor", docs: sales, command: `{"aggregate":"c","pipeline":[]}`, code: 9},
}
