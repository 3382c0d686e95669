// Package embedded is a database server inside the process: it speaks the MongoDB wire protocol over an in-memory
// connection and keeps its records in one bbolt file. The service reaches it with the ordinary MongoDB driver, so
// the rooms above never know which server they talk to.
//
// Here belong the protocol, the commands, filters, updates, indexes, the planner and the file. Nothing that knows
// players, guilds or items may enter, and nothing of this project is imported.
//
// The server is strict: a command, operator, stage or option it does not know is refused with MongoDB's own error
// code, never ignored.
//
// # Consistency
//
// One goroutine writes. Each document changes atomically, commands run one after another, and waiting commands
// share one commit, so an acknowledged write is on disk. Every command reads one snapshot. A cursor reads a new
// snapshot for each batch and goes on after the last key it saw: a document whose place in the index moves between
// batches may appear twice or not at all, and one deleted meanwhile is not returned. Results that had to be
// sorted, grouped or gathered first are kept whole from the first batch on.
package embedded
