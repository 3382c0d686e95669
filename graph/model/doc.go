// Package model contains the Go types of the schema, which are also the stored records: the json tags of a struct name
// its GraphQL fields and its BSON fields. Most types are generated (models_gen.go). Types whose records contain more
// than the schema shows, such as access rules and addresses, are hand-written. The package also contains the access
// rules, the scalars and the markup. It imports no other package of the module.
package model
