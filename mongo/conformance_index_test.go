package mongo_test

func createIndex(spec string) string {
	return `{"createIndexes":"c","indexes":[` + spec + `]}`
}

const byA = `{"key":{"a":1},"name":"a_1"}`

var indexCases = []conformanceCase{
	{name: "create again", before: `[` + createIndex(byA) + `]`, command: createIndex(byA)},
	{
		name: "same name, other key", before: `[` + createIndex(byA) + `]`,
		command: createIndex(`{"key":{"b":1},"name":"a_1"}`), code: 86,
	},
	{
		name: "same key, other name", before: `[` + createIndex(byA) + `]`,
		command: createIndex(`{"key":{"a":1},"name":"other"}`), code: 85,
	},
	{
		name: "other lifetime", before: `[` + createIndex(`{"key":{"a":1},"name":"a_1","expireAfterSeconds":10}`) + `]`,
		command: createIndex(`{"key":{"a":1},"name":"a_1","expireAfterSeconds":20}`), code: 85,
	},
	{name: "list", docs: `[{"_id":1}]`, before: `[` + createIndex(`{"key":{"a":1,"b":-1},"name":"ab","unique":true}`) +
		`]`, command: `{"listIndexes":"c"}`, want: `[{"v":2,"key":{"_id":1},"name":"_id_"},{"v":2,"key":{"a":1,"b":-1},
			"name":"ab","unique":true}]`},
	{name: "list of nothing", command: `{"listIndexes":"c"}`, code: 26},
	{
		name: "drop by name", before: `[` + createIndex(byA) + `,{"dropIndexes":"c","index":"a_1"}]`,
		command: `{"listIndexes":"c"}`, want: `[{"v":2,"key":{"_id":1},"name":"_id_"}]`,
	},
	{name: "drop unknown", docs: `[{"_id":1}]`, command: `{"dropIndexes":"c","index":"nope"}`, code: 27},
	{name: "drop id", docs: `[{"_id":1}]`, command: `{"dropIndexes":"c","index":"_id_"}`, code: 72},
	{name: "drop in nothing", command: `{"dropIndexes":"c","index":"a_1"}`, code: 26},
	{
		name: "unique over duplicates", docs: `[{"_id":1,"a":1},{"_id":2,"a":1}]`,
		command: createIndex(`{"key":{"a":1},"name":"a_1","unique":true}`), code: 11000,
	},
	{
		name: "unique partial", docs: `[{"_id":1,"a":1,"on":true},{"_id":2,"a":1,"on":false}]`,
		indexes: `[{"key":{"a":1},"unique":true,"partialFilterExpression":{"on":true}}]`,
		command: `{"insert":"c","documents":[{"_id":3,"a":1,"on":true}]}`, code: 11000,
	},
	{
		name: "partial index does not hide", docs: `[{"_id":1,"a":1,"on":true},{"_id":2,"a":1}]`,
		indexes: `[{"key":{"a":1},"partialFilterExpression":{"on":true}}]`, command: onlyIDs(`{"a":1}`),
		want: `[{"_id":1},{"_id":2}]`,
	},
	{
		name: "unique array within a document", indexes: `[{"key":{"a":1},"unique":true}]`,
		command: `{"insert":"c","documents":[{"_id":1,"a":[1,1,2]}]}`, want: `{"n":1}`,
	},
	{
		name: "unique array across documents", docs: `[{"_id":1,"a":[1,2]}]`, indexes: `[{"key":{"a":1},"unique":true}]`,
		command: `{"insert":"c","documents":[{"_id":2,"a":[2,3]}]}`, code: 11000,
	},
	{
		name: "unique compound", docs: `[{"_id":1,"a":1,"b":1}]`, indexes: `[{"key":{"a":1,"b":1},"unique":true}]`,
		command: `{"insert":"c","documents":[{"_id":2,"a":1,"b":2},{"_id":3,"a":1,"b":1}]}`, code: 11000,
		after: `[{"_id":1,"a":1,"b":1},{"_id":2,"a":1,"b":2}]`,
	},
	{
		name: "parallel arrays", indexes: `[{"a":1,"b":1}]`,
		command: `{"insert":"c","documents":[{"_id":1,"a":[1],"b":[2]}]}`, code: 171,
	},
	{
		name: "lists collections", docs: `[{"_id":1}]`,
		command: `{"listCollections":1,"nameOnly":true,"filter":{"name":"nope"}}`,
		want:    `[]`,
	},
}
