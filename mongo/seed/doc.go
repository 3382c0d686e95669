// Package seed makes the demo world: players, characters and content that are invented
// and the same for the same options, with every case a client can meet at a fixed place
// (Cast). It makes records as values and as streams and hands them to the store in
// batches, so that memory does not grow with the number of players. Content (items,
// recipes, trees, …) does not depend on the options at all. Nothing of a real game may
// enter but the class, dungeon and raid names of SPEC §2; nobody but commands and tests
// imports it.
package seed
