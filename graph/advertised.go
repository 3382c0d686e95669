package graph

// The parser declares @defer in every schema. Responses are always complete, so that it is not advertised, and a
// document with it is invalid.
func init() { delete(parsedSchema.Directives, "defer") }
