// Package seed generates the demo world: invented players, characters, guilds and content, equal for equal
// options. Cast lists players that demonstrate every case a client can meet. Players are generated as a
// stream and stored in batches, so memory does not grow with their number. Content (items, recipes, trees)
// does not depend on the options. Only class, dungeon and raid names come from the real game.
package seed
