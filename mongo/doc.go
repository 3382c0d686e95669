// Package mongo is the store: MongoDB or a server that speaks its protocol. It has one file for each family of
// collections; Collections describes them all. Keyed reads take many keys and return records in key order, as loaders
// need them. Open creates an index for every query. The store does not know the viewer: it returns whole records,
// resolvers apply access rules.
package mongo
