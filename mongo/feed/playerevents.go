package feed

import (
	"time"

	"gamedata/graph/model"
)

// PlayerAdded adds a new player with empty statistics, public access rules and the rank Player.
type PlayerAdded struct {
	// Player is the uuid of the new player.
	Player PlayerID `json:"player" feed:"added"`
	// Username is the player's name.
	Username string `json:"username"`
	// At is when the player first joined.
	At time.Time `json:"at,omitzero"`
}

func (e *PlayerAdded) apply(b *Batch, r *records) error {
	if e.Username == "" {
		return invalid("username", "username is missing")
	}
	p := NewPlayer(string(e.Player), e.Username, r.at(e.At))
	b.PlayerAdded(p)
	r.players[e.Player] = p
	return nil
}

// PlayerRenamed changes the name of a player. Others may have the same name for a time.
type PlayerRenamed struct {
	Player PlayerID `json:"player"`
	// Username is the new name.
	Username string `json:"username"`
}

func (e *PlayerRenamed) apply(b *Batch, r *records) error {
	if e.Username == "" {
		return invalid("username", "username is missing")
	}
	b.PlayerRenamed(r.players[e.Player], e.Username)
	return nil
}

// PlayerJoined sets a player online.
type PlayerJoined struct {
	Player PlayerID `json:"player"`
	// At is when the player joined.
	At time.Time `json:"at,omitzero"`
	// Address is the player's IP address, such as 192.0.2.7. Requests from it without credentials may see
	// what the player may see of themselves.
	Address string `json:"address,omitzero"`
	// Server is the world, such as EU37. It is left out, with the character, while the player is on no
	// world; WorldEntered follows.
	Server string `json:"server,omitzero"`
	// Character is the one played.
	Character CharacterID `json:"character,omitempty"`
	// Location is where the character is, in blocks.
	Location model.Position `json:"location,omitzero"`
}

func (e *PlayerJoined) apply(b *Batch, r *records) error {
	p, j := r.players[e.Player], Joining{At: r.at(e.At), Address: e.Address, Server: e.Server, Location: e.Location}
	if (e.Server == "") != (e.Character == "") {
		return invalid("server", "server and character go together")
	}
	if e.Character != "" {
		j.Character = r.characters[e.Character]
		if j.Character.Owner != p.UUID {
			return conflict("character", "character %s is not one of player %s", e.Character, e.Player)
		}
	}
	b.PlayerJoined(p, j)
	return nil
}

// WorldEntered moves an online player to a world, the first or another one.
type WorldEntered struct {
	// Character is the one played.
	Character CharacterID `json:"character"`
	// Server is the world, such as EU37.
	Server string `json:"server"`
	// Location is where the character is, in blocks.
	Location model.Position `json:"location,omitzero"`
}

func (e *WorldEntered) apply(b *Batch, r *records) error {
	c := r.characters[e.Character]
	p := r.owner(c)
	if e.Server == "" {
		return invalid("server", "server is missing")
	}
	if !p.Online {
		return conflict("character", "player %s is offline", p.UUID)
	}
	b.WorldEntered(p, e.Server, c, e.Location)
	return nil
}

// PlayerMoved sets the position of an online player. Clients read positions at most every 15 seconds, so
// that more frequent updates have no use.
type PlayerMoved struct {
	Player PlayerID `json:"player"`
	// Location is where the character is, in blocks.
	Location model.Position `json:"location"`
}

func (e *PlayerMoved) apply(b *Batch, r *records) error {
	p := r.players[e.Player]
	if !p.Online {
		return conflict("player", "player %s is offline", e.Player)
	}
	b.PlayerMoved(p, e.Location)
	return nil
}

// PlayerLeft sets a player offline and takes them out of their party. The next refresh of the
// leaderboards includes the player.
type PlayerLeft struct {
	Player PlayerID `json:"player"`
}

func (e *PlayerLeft) apply(b *Batch, r *records) error {
	b.PlayerLeft(r.players[e.Player])
	return nil
}

// PartyJoined puts an online player into a party.
type PartyJoined struct {
	Player PlayerID `json:"player"`
	// Party is any text that identifies the party: players with the same one are in the same party.
	Party string `json:"party"`
}

func (e *PartyJoined) apply(b *Batch, r *records) error {
	p := r.players[e.Player]
	if e.Party == "" {
		return invalid("party", "party is missing")
	}
	if !p.Online {
		return conflict("player", "player %s is offline", e.Player)
	}
	b.PartyJoined(p, e.Party)
	return nil
}

// PartyLeft takes a player out of any party.
type PartyLeft struct {
	Player PlayerID `json:"player"`
}

func (e *PartyLeft) apply(b *Batch, r *records) error {
	b.PartyLeft(r.players[e.Player])
	return nil
}

// Befriended makes two players friends of each other.
type Befriended struct {
	Player PlayerID `json:"player"`
	// Friend is the other player.
	Friend PlayerID `json:"friend"`
}

func (e *Befriended) apply(b *Batch, r *records) error {
	if e.Player == e.Friend {
		return invalid("friend", "player and friend are the same")
	}
	b.Befriended(r.players[e.Player], r.players[e.Friend])
	return nil
}

// Unfriended ends a friendship on both sides.
type Unfriended struct {
	Player PlayerID `json:"player"`
	// Friend is the other player.
	Friend PlayerID `json:"friend"`
}

func (e *Unfriended) apply(b *Batch, r *records) error {
	b.Unfriended(r.players[e.Player], r.players[e.Friend])
	return nil
}

// WeeklyProgressed sets a player's progress in the weekly objective.
type WeeklyProgressed struct {
	Player PlayerID `json:"player"`
	// Completed says whether this week's objective is completed.
	Completed bool `json:"completed"`
	// Streak is the number of weeks completed in a row.
	Streak int `json:"streak"`
}

func (e *WeeklyProgressed) apply(b *Batch, r *records) error {
	if e.Streak < 0 {
		return invalid("streak", "streak is negative")
	}
	b.WeeklyProgressed(r.players[e.Player], model.WeeklyProgress{Completed: e.Completed, Streak: e.Streak})
	return nil
}

// PlayerDeleted deletes a player with characters, guild membership, friendships, links to accounts and link
// codes. The next refresh of the leaderboards removes the player. What a guild earned with the player stays.
// To delete a player who is not in the store has no effect.
type PlayerDeleted struct {
	Player PlayerID `json:"player" feed:"deleted"`
}

func (e *PlayerDeleted) apply(b *Batch, r *records) error {
	p := r.players[e.Player]
	if p == nil { // deleted before; an interrupted deletion is completed
		p = &model.Player{UUID: string(e.Player)}
	}
	var friends []*model.Player
	for _, f := range p.Friends {
		if friend := r.players[PlayerID(f)]; friend != nil {
			friends = append(friends, friend)
		}
	}
	characters := r.charactersOf(p.UUID)
	b.PlayerDeleted(p, characters, friends)
	delete(r.players, e.Player)
	for _, c := range characters {
		delete(r.characters, CharacterID(c.UUID))
	}
	return nil
}
