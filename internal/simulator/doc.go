// Package simulator plays the game, so that a store lives: players come and go, gain levels,
// raid in parties, join and leave guilds, fight for territories. A World holds the records
// of those who play and reads them when they come; it steps along a clock and gives what
// happened as a feed, the same for the same records, seed and steps. Load reads a world from
// a store and Play writes its steps back, through the API a game server uses. It knows
// nothing of who asks for what it writes.
package simulator
