// Package embedded is a database server inside the process: it speaks the MongoDB wire protocol over an in-memory
// connection and stores documents in one bbolt file. The service reaches it with the ordinary MongoDB driver, so its
// code does not depend on which server it uses. README.md lists what is supported.
//
// The package does not know players, guilds or items, and imports nothing from this project.
//
// The server is strict: it rejects unknown commands, operators, stages and options with MongoDB's error codes and
// never ignores them.
//
// # Consistency
//
// One goroutine writes. Each document changes atomically, writes run one after another, and waiting writes share one
// commit, so an acknowledged write is on disk. Every command reads one snapshot. A cursor reads a new snapshot for each
// batch and continues after the last key it saw: a document that moves in the index between batches may appear twice or
// not at all, and a deleted document is not returned. Sorted or grouped results are collected completely before the
// first batch.
//
// A transaction reads one snapshot, and holds its writes in memory until its commit, which stores all or none of them.
// Of two transactions that change the same record the first writer wins, and the other gets a write conflict: snapshot
// isolation, as in MongoDB. The server presents itself as the primary of a replica set, because drivers require one for
// transactions.
package embedded
