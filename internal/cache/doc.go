// Package cache stores finished values in memory: each while it is fresh, for a stale window in case
// the store fails, and loaded once for all callers who request it concurrently. What the values are,
// what a key contains and who may see a value is for the caller to decide: two viewers who may not
// see the same never share a key. The package imports nothing of ours and knows no HTTP.
//
// A cache may evict anything at any time. What must be remembered (codes, counters, revocations) does
// not belong here.
package cache
