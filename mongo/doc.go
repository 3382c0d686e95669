// Package mongo is the store: MongoDB, or anything that speaks its protocol. One file
// per family of collections. Keyed reads are plural and answer in key order, so that a
// loader can hand a whole batch over; every query is served by an index made at start.
// Storage does not know who asks: records leave it as they are, access rules are applied
// by resolvers.
package mongo
