// Package cache keeps finished values in memory: each for as long as it is fresh, for a
// while longer in case the store fails, and made once however many ask at once. What the
// values are, what a key says and whom a value may be shown to is for the doors to decide:
// two callers who may not see the same never share a key. It knows no room and no HTTP.
//
// It may forget anything at any time. What must be remembered (codes, counters,
// revocations) has no place here.
package cache
