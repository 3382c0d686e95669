// Package leaderboard says which leaderboards there are, what counts on each, and how a board's
// entries are ordered and packed (WIRE-CONTENT §12). It takes values and returns values:
// reading and writing boards belongs to mongo and jobs, showing them to resolvers.
package leaderboard
