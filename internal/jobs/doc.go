// Package jobs is the work that is done by the clock and not for a caller: leaderboards are
// refreshed, the positions of a day are kept, what is left over is swept (DESIGN §9). Each
// job is a function of store and moment that takes the lease, works, and can be broken off
// anywhere: the next run finishes what it left. When to run belongs to cmd.
package jobs
