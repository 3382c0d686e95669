// Package model has the Go types of the schema, which are also the stored records: the json tags of a
// struct name its GraphQL fields and its BSON fields. Most are generated (models_gen.go); types whose
// records have more than the schema shows, such as access rules and addresses, are not. The package
// has the access rules, the scalars and the markup too. It imports no other package of the module.
package model
