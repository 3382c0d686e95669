// Package model holds the Go form of the schema's types, which is also the form of the
// records: the json tags of a struct name its GraphQL fields and its BSON fields alike.
// Most are generated (models_gen.go); a type is written by hand where the record knows
// more than the schema shows, such as access rules and addresses. Scalars and the API
// markup live here too. It imports no room and knows neither store nor viewer.
package model
