package mongo_test

const (
	numberDocs = `[{"_id":1,"a":1},{"_id":2,"a":2},{"_id":3,"a":3.5},{"_id":4,"a":"x"},{"_id":5},{"_id":6,"a":null}]`
	nestedDocs = `[{"_id":1,"a":{"b":1,"c":2}},{"_id":2,"a":{"b":2}},{"_id":3,"a":5},{"_id":4,"a":[{"b":1},{"b":3}]},
		{"_id":5}]`
)

// onlyIDs finds by a filter and shows the ids.
func onlyIDs(filter string) string {
	return `{"find":"c","filter":` + filter + `,"projection":{"_id":1}}`
}

var filterCases = []conformanceCase{
	{name: "everything", docs: numberDocs, command: `{"count":"c"}`, want: `{"n":6}`},
	{name: "equal", docs: numberDocs, command: onlyIDs(`{"a":1}`), want: `[{"_id":1}]`},
	{
		name: "equal across number types", docs: numberDocs, command: onlyIDs(`{"a":{"$numberDouble":"1.0"}}`),
		want: `[{"_id":1}]`,
	},
	{
		name:    "large long is not its double neighbour",
		docs:    `[{"_id":1,"a":{"$numberLong":"9007199254740993"}},{"_id":2,"a":{"$numberDouble":"9007199254740992.0"}}]`,
		command: onlyIDs(`{"a":{"$numberLong":"9007199254740993"}}`), want: `[{"_id":1}]`,
	},
	{
		name:    "large long above double",
		docs:    `[{"_id":1,"a":{"$numberLong":"9007199254740993"}},{"_id":2,"a":{"$numberDouble":"9007199254740992.0"}}]`,
		command: onlyIDs(`{"a":{"$gt":{"$numberDouble":"9007199254740992.0"}}}`),
		want:    `[{"_id":1}]`,
	},
	{name: "null is missing too", docs: numberDocs, command: onlyIDs(`{"a":null}`), want: `[{"_id":5},{"_id":6}]`},
	{
		name: "$ne", docs: numberDocs, command: onlyIDs(`{"a":{"$ne":1}}`),
		want: `[{"_id":2},{"_id":3},{"_id":4},{"_id":5},{"_id":6}]`,
	},
	{name: "$gt keeps to its type", docs: numberDocs, command: onlyIDs(`{"a":{"$gt":1}}`), want: `[{"_id":2},{"_id":3}]`},
	{name: "$lt", docs: numberDocs, command: onlyIDs(`{"a":{"$lt":2}}`), want: `[{"_id":1}]`},
	{name: "$gte null", docs: numberDocs, command: onlyIDs(`{"a":{"$gte":null}}`), want: `[{"_id":5},{"_id":6}]`},
	{name: "range", docs: numberDocs, command: onlyIDs(`{"a":{"$gt":1,"$lt":3}}`), want: `[{"_id":2}]`},
	{
		name: "NaN is in no range", docs: `[{"_id":1,"a":{"$numberDouble":"NaN"}},{"_id":2,"a":1}]`,
		command: onlyIDs(`{"a":{"$lt":5}}`), want: `[{"_id":2}]`,
	},
	{
		name: "NaN equals NaN", docs: `[{"_id":1,"a":{"$numberDouble":"NaN"}},{"_id":2,"a":1}]`,
		command: onlyIDs(`{"a":{"$numberDouble":"NaN"}}`), want: `[{"_id":1}]`,
	},
	{name: "$in", docs: numberDocs, command: onlyIDs(`{"a":{"$in":[1,"x",9]}}`), want: `[{"_id":1},{"_id":4}]`},
	{
		name: "$in with null", docs: numberDocs, command: onlyIDs(`{"a":{"$in":[null,2]}}`),
		want: `[{"_id":2},{"_id":5},{"_id":6}]`,
	},
	{
		name: "$exists true", docs: numberDocs, command: onlyIDs(`{"a":{"$exists":true}}`),
		want: `[{"_id":1},{"_id":2},{"_id":3},{"_id":4},{"_id":6}]`,
	},
	{name: "$or", docs: numberDocs, command: onlyIDs(`{"$or":[{"a":1},{"a":"x"}]}`), want: `[{"_id":1},{"_id":4}]`},
	{
		name: "$not", docs: numberDocs, command: onlyIDs(`{"a":{"$not":{"$gt":1}}}`),
		want: `[{"_id":1},{"_id":4},{"_id":5},{"_id":6}]`,
	},
	{name: "dotted path", docs: nestedDocs, command: onlyIDs(`{"a.b":1}`), want: `[{"_id":1},{"_id":4}]`},
	{name: "dotted path null", docs: nestedDocs, command: onlyIDs(`{"a.b":null}`), want: `[{"_id":3},{"_id":5}]`},
	{
		name: "dotted path not null", docs: nestedDocs, command: onlyIDs(`{"a.b":{"$ne":null}}`),
		want: `[{"_id":1},{"_id":2},{"_id":4}]`,
	},
	{name: "whole document", docs: nestedDocs, command: onlyIDs(`{"a":{"b":2}}`), want: `[{"_id":2}]`},
	{name: "whole document in order", docs: nestedDocs, command: onlyIDs(`{"a":{"c":2,"b":1}}`), want: `[]`},
	{
		name: "dates",
		docs: `[{"_id":1,"d":{"$date":"2024-01-01T00:00:00Z"}},{"_id":2,"d":{"$date":"2025-01-01T00:00:00Z"}},
			{"_id":3,"d":9}]`,
		command: onlyIDs(`{"d":{"$gte":{"$date":"2024-06-01T00:00:00Z"}}}`),
		want:    `[{"_id":2}]`,
	},
	{
		name: "binary",
		docs: `[{"_id":1,"b":{"$binary":{"base64":"AQI=","subType":"00"}}},{"_id":2,"b":{"$binary":{"base64":"AQI=",
			"subType":"04"}}}]`,
		command: onlyIDs(`{"b":{"$binary":{"base64":"AQI=","subType":"00"}}}`),
		want:    `[{"_id":1}]`,
	},
	{
		name: "document id", docs: `[{"_id":{"a":1,"b":2}},{"_id":{"a":1,"b":3}}]`,
		command: `{"find":"c","filter":{"_id":{"a":1,"b":3}}}`, want: `[{"_id":{"a":1,"b":3}}]`,
	},
	{name: "missing collection", command: onlyIDs(`{"a":1}`), want: `[]`},
}

const listDocs = `[{"_id":1,"a":[1,2,3]},{"_id":2,"a":[3,4]},{"_id":3,"a":3},{"_id":4,"a":[]},{"_id":5,"a":[[1,2],5]},
	{"_id":6,"a":[{"x":1,"y":2},{"x":3,"y":4}]}]`

var arrayCases = []conformanceCase{
	{name: "element", docs: listDocs, command: onlyIDs(`{"a":3}`), want: `[{"_id":1},{"_id":2},{"_id":3}]`},
	{name: "whole array", docs: listDocs, command: onlyIDs(`{"a":[3,4]}`), want: `[{"_id":2}]`},
	{name: "array as element", docs: listDocs, command: onlyIDs(`{"a":[1,2]}`), want: `[{"_id":5}]`},
	{name: "empty array", docs: listDocs, command: onlyIDs(`{"a":[]}`), want: `[{"_id":4}]`},
	{
		name: "range met by two elements", docs: `[{"_id":1,"a":[1,9]},{"_id":2,"a":[5]}]`,
		command: onlyIDs(`{"a":{"$gt":6,"$lt":4}}`), want: `[{"_id":1}]`,
	},
	{
		name: "$ne means no element", docs: listDocs, command: onlyIDs(`{"a":{"$ne":3}}`),
		want: `[{"_id":4},{"_id":5},{"_id":6}]`,
	},
	{name: "fields of different elements", docs: listDocs, command: onlyIDs(`{"a.x":1,"a.y":4}`), want: `[{"_id":6}]`},
	{name: "position", docs: listDocs, command: onlyIDs(`{"a.0":3}`), want: `[{"_id":2}]`},
	{
		name: "$not on elements", docs: listDocs, command: onlyIDs(`{"a":{"$not":{"$gte":3}}}`),
		want: `[{"_id":4},{"_id":6}]`,
	},
}
