// Package seed generates the demo world: invented players, characters and guilds, equal for equal options. It stores
// them with the content of internal/demo/content. Cast lists players that demonstrate every case a client can meet.
// Players are generated as a stream and stored in batches, so memory does not grow with their number. Only class,
// dungeon and raid names come from the real game.
package seed
