package mongo_test

const mixedDocs = `[{"_id":2,"a":true},{"_id":3,"a":"b"},{"_id":4,"a":5},
	{"_id":5,"a":{"x":1}},{"_id":6,"a":{"$oid":"0123456789abcdef01234567"}},{"_id":7,"a":{"$date":"2024-01-01T00:00:00Z"}},
	{"_id":8,"a":null},{"_id":9,"a":[]},{"_id":10,"a":{"$binary":{"base64":"AA==","subType":"00"}}},{"_id":13,"a":false}]`

const numberOrder = `[{"_id":1,"a":{"$numberDouble":"Infinity"}},{"_id":2,"a":{"$numberLong":"9007199254740993"}},
	{"_id":3,"a":{"$numberDouble":"9007199254740992.0"}},{"_id":4,"a":-1},{"_id":5,"a":{"$numberDouble":"NaN"}},
	{"_id":6,"a":{"$numberDouble":"-Infinity"}},{"_id":7,"a":0.5},
	{"_id":8,"a":{"$numberDouble":"0.25"}},{"_id":9,"a":{"$numberLong":"9223372036854775807"}},
	{"_id":10,"a":{"$numberDouble":"9223372036854775808.0"}},{"_id":11,"a":1e100}]`

func sortedIDs(sort string) string {
	return `{"find":"c","sort":` + sort + `,"projection":{"_id":1}}`
}

var orderCases = []conformanceCase{
	{
		name:    "types",
		docs:    mixedDocs,
		command: sortedIDs(`{"a":1}`),
		want:    `[{"_id":9},{"_id":8},{"_id":4},{"_id":3},{"_id":5},{"_id":10},{"_id":6},{"_id":13},{"_id":2},{"_id":7}]`,
	},
	{
		name:    "types through an index",
		docs:    mixedDocs,
		indexes: `[{"a":1}]`,
		command: sortedIDs(`{"a":1}`),
		want:    `[{"_id":9},{"_id":8},{"_id":4},{"_id":3},{"_id":5},{"_id":10},{"_id":6},{"_id":13},{"_id":2},{"_id":7}]`,
	},
	{
		name:    "numbers",
		docs:    numberOrder,
		command: sortedIDs(`{"a":1}`),
		want: `[{"_id":5},{"_id":6},{"_id":4},{"_id":8},{"_id":7},{"_id":3},{"_id":2},{"_id":9},{"_id":10},{"_id":11},
			{"_id":1}]`,
	},
	{
		name: "two fields", docs: `[{"_id":1,"a":1,"b":1},{"_id":2,"a":1,"b":2},{"_id":3,"a":0,"b":5}]`,
		command: sortedIDs(`{"a":1,"b":-1}`), want: `[{"_id":3},{"_id":2},{"_id":1}]`,
	},
	{
		name: "array by smallest", docs: `[{"_id":1,"a":[5,1]},{"_id":2,"a":2},{"_id":3,"a":[]}]`,
		command: sortedIDs(`{"a":1}`), want: `[{"_id":3},{"_id":1},{"_id":2}]`,
	},
	{
		name: "array by largest", docs: `[{"_id":1,"a":[5,1]},{"_id":2,"a":2},{"_id":3,"a":[]}]`,
		command: sortedIDs(`{"a":-1}`), want: `[{"_id":1},{"_id":2},{"_id":3}]`,
	},
	{
		name: "dotted through array", docs: `[{"_id":1,"a":[{"b":9},{"b":1}]},{"_id":2,"a":[{"b":2}]}]`,
		command: sortedIDs(`{"a.b":1}`), want: `[{"_id":1},{"_id":2}]`,
	},
	{
		name: "strings by bytes",
		docs: `[{"_id":1,"a":"b"},{"_id":2,"a":"B"},{"_id":3,"a":"a"},{"_id":4,"a":"aa"},{"_id":5,"a":""},
			{"_id":6,"a":"é"}]`,
		command: sortedIDs(`{"a":1}`),
		want:    `[{"_id":5},{"_id":2},{"_id":3},{"_id":4},{"_id":1},{"_id":6}]`,
	},
	{
		name:    "strings by bytes through an index",
		docs:    `[{"_id":1,"a":"b"},{"_id":2,"a":"a\u0000"},{"_id":3,"a":"a"},{"_id":4,"a":"a\u0000b"},{"_id":5,"a":""}]`,
		indexes: `[{"a":-1}]`, command: sortedIDs(`{"a":1}`), want: `[{"_id":5},{"_id":3},{"_id":2},{"_id":4},{"_id":1}]`,
	},
	{
		name: "skip and limit", docs: numberDocs,
		command: `{"find":"c","sort":{"_id":-1},"skip":1,"limit":2,"projection":{"_id":1}}`, want: `[{"_id":5},{"_id":4}]`,
	},
	{
		name: "negative limit", docs: numberDocs,
		command: `{"find":"c","sort":{"_id":1},"limit":2,"singleBatch":true,"projection":{"_id":1}}`,
		want:    `[{"_id":1},{"_id":2}]`,
	},
	{
		name:    "documents",
		docs:    `[{"_id":1,"a":{"x":2}},{"_id":2,"a":{"x":1,"y":1}},{"_id":3,"a":{"x":1}},{"_id":4,"a":{"b":"s"}}]`,
		indexes: `[{"a":1}]`,
		command: sortedIDs(`{"a":1}`),
		want:    `[{"_id":3},{"_id":2},{"_id":1},{"_id":4}]`,
	},
	{
		name: "binary by length first",
		docs: `[{"_id":1,"a":{"$binary":{"base64":"AQI=","subType":"00"}}},{"_id":2,"a":{"$binary":{"base64":"/w==",
			"subType":"00"}}}]`,
		indexes: `[{"a":1}]`,
		command: sortedIDs(`{"a":1}`),
		want:    `[{"_id":2},{"_id":1}]`,
	},
}

const shapeDocs = `[{"_id":1,"a":1,"b":{"c":2,"d":3},"e":[{"f":1,"g":2},{"f":3},5]}]`

var projectionCases = []conformanceCase{
	{name: "include", docs: shapeDocs, command: `{"find":"c","projection":{"a":1}}`, want: `[{"_id":1,"a":1}]`},
	{
		name: "include dotted", docs: shapeDocs, command: `{"find":"c","projection":{"b.c":1}}`,
		want: `[{"_id":1,"b":{"c":2}}]`,
	},
	{
		name: "include inside array", docs: shapeDocs, command: `{"find":"c","projection":{"e.f":1}}`,
		want: `[{"_id":1,"e":[{"f":1},{"f":3}]}]`,
	},
	{
		name: "document order stays", docs: shapeDocs, command: `{"find":"c","projection":{"b":true,"a":true}}`,
		want: `[{"_id":1,"a":1,"b":{"c":2,"d":3}}]`,
	},
	{
		name:    "answered by the index",
		docs:    `[{"_id":"a","on":true,"n":"x"},{"_id":"b","on":false,"n":"y\u0000"}]`,
		indexes: `[{"n":1,"on":1,"_id":1}]`,
		command: `{"find":"c","filter":{"n":{"$gte":"x"}},"projection":{"n":1,"on":1},"sort":{"n":1}}`,
		want:    `[{"n":"x","on":true,"_id":"a"},{"n":"y\u0000","on":false,"_id":"b"}]`,
	},
}

var cursorCases = []conformanceCase{
	{
		name: "batch size", docs: numberDocs, command: `{"find":"c","batchSize":2,"sort":{"_id":1},"projection":{"_id":1}}`,
		want: `[{"_id":1},{"_id":2}]`,
	},
	{name: "empty first batch", docs: numberDocs, command: `{"find":"c","batchSize":0}`, want: `[]`},
	{
		name: "unknown cursor", docs: numberDocs, command: `{"getMore":{"$numberLong":"123456789"},"collection":"c"}`,
		code: 43,
	},
	{
		name: "single batch ends", docs: numberDocs, command: `{"find":"c","batchSize":2,"singleBatch":true}`,
		want: `{"cursor.id":{"$numberLong":"0"}}`,
	},
	{
		name: "everything in one batch ends", docs: numberDocs, command: `{"find":"c"}`,
		want: `{"cursor.id":{"$numberLong":"0"}}`,
	},
}
