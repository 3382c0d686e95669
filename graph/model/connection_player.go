package model

type (
	// PlayerConnection is a page of players.
	PlayerConnection = Connection[*Player]
	// PlayerEdge is a player in a list.
	PlayerEdge = Edge[*Player]

	// OnlinePlayerEdge is an online player in a list.
	OnlinePlayerEdge = Edge[*OnlinePlayer]

	// CharacterConnection is a page of characters.
	CharacterConnection = Connection[*Character]
	// CharacterEdge is a character in a list.
	CharacterEdge = Edge[*Character]
)

// OnlinePlayerConnection is a page of online players.
type OnlinePlayerConnection struct {
	*Connection[*OnlinePlayer]
	// OnlineCount counts hidden players too.
	OnlineCount int
}
