package feed

import (
	"maps"
	"slices"
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

func (e *PlayerAdded) apply(g *Game) error {
	g.players.now[e.Player] = NewPlayer(string(e.Player), e.Username, g.at(e.At))
	return nil
}

// PlayerRenamed changes the name of a player. Others may have the same name for a time.
type PlayerRenamed struct {
	Player PlayerID `json:"player"`
	// Username is the new name.
	Username string `json:"username"`
}

func (e *PlayerRenamed) apply(g *Game) error {
	p := g.players.now[e.Player]
	before := p.Username
	p.Username = e.Username
	if change := model.NameChange(p, before); change != nil {
		g.record(time.Time{}, change)
	}
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

func (e *PlayerJoined) apply(g *Game) error {
	p, c := g.players.now[e.Player], g.characters.now[e.Character]
	if (e.Server == "") != (e.Character == "") {
		return invalid("server", "server and character go together")
	}
	if c != nil && c.Owner != p.UUID {
		return conflict("character", "character %s is not one of player %s", e.Character, e.Player)
	}
	at := g.at(e.At)
	g.recordPresence(p, at, func() {
		p.Online, p.Address, p.LastJoinedAt = true, e.Address, &at
		if c != nil {
			model.Add(&c.Logins, 1)
			enterWorld(p, c, e.Server, e.Location)
		}
	})
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

func (e *WorldEntered) apply(g *Game) error {
	c := g.characters.now[e.Character]
	p := g.owner(c)
	if !p.Online {
		return conflict("character", "player %s is offline", p.UUID)
	}
	g.recordPresence(p, time.Time{}, func() { enterWorld(p, c, e.Server, e.Location) })
	return nil
}

func enterWorld(p *model.Player, c *model.Character, server string, at model.Position) {
	p.World, p.ActiveCharacter, p.Location = &server, &c.UUID, &at
}

// PlayerMoved sets the position of an online player. Clients read positions at most every 15 seconds, so
// that more frequent updates have no use.
type PlayerMoved struct {
	Player PlayerID `json:"player"`
	// Location is where the character is, in blocks.
	Location model.Position `json:"location"`
}

func (e *PlayerMoved) apply(g *Game) error {
	p := g.players.now[e.Player]
	if !p.Online {
		return conflict("player", "player %s is offline", e.Player)
	}
	p.Location = &e.Location
	return nil
}

// PlayerLeft sets a player offline and takes them out of their party. The next refresh of the
// leaderboards includes the player.
type PlayerLeft struct {
	Player PlayerID `json:"player"`
}

func (e *PlayerLeft) apply(g *Game) error {
	p := g.players.now[e.Player]
	g.recordPresence(p, time.Time{}, func() {
		p.Online, p.World, p.ActiveCharacter, p.Address, p.Location, p.Party = false, nil, nil, "", nil, ""
	})
	p.Flagged = true
	return nil
}

// PartyJoined puts an online player into a party.
type PartyJoined struct {
	Player PlayerID `json:"player"`
	// Party is any text that identifies the party: players with the same one are in the same party.
	Party string `json:"party"`
}

func (e *PartyJoined) apply(g *Game) error {
	p := g.players.now[e.Player]
	if !p.Online {
		return conflict("player", "player %s is offline", e.Player)
	}
	p.Party = e.Party
	return nil
}

// PartyLeft takes a player out of any party.
type PartyLeft struct {
	Player PlayerID `json:"player"`
}

func (e *PartyLeft) apply(g *Game) error {
	g.players.now[e.Player].Party = ""
	return nil
}

// Befriended makes two players friends of each other.
type Befriended struct {
	Player PlayerID `json:"player"`
	// Friend is the other player.
	Friend PlayerID `json:"friend"`
}

func (e *Befriended) apply(g *Game) error {
	if e.Player == e.Friend {
		return invalid("friend", "player and friend are the same")
	}
	p, friend := g.players.now[e.Player], g.players.now[e.Friend]
	for _, pair := range [][2]*model.Player{{p, friend}, {friend, p}} {
		if uuid := pair[1].UUID; !slices.Contains(pair[0].Friends, uuid) {
			pair[0].Friends = append(pair[0].Friends, uuid)
		}
	}
	return nil
}

// Unfriended ends a friendship on both sides.
type Unfriended struct {
	Player PlayerID `json:"player"`
	// Friend is the other player.
	Friend PlayerID `json:"friend"`
}

func (e *Unfriended) apply(g *Game) error {
	p, friend := g.players.now[e.Player], g.players.now[e.Friend]
	unfriend(p, friend.UUID)
	unfriend(friend, p.UUID)
	return nil
}

func unfriend(p *model.Player, uuid string) {
	p.Friends = slices.DeleteFunc(p.Friends, func(friend string) bool { return friend == uuid })
}

// WeeklyProgressed sets a player's progress in the weekly objective.
type WeeklyProgressed struct {
	Player PlayerID `json:"player"`
	// Completed says whether this week's objective is completed.
	Completed bool `json:"completed"`
	// Streak is the number of weeks completed in a row.
	Streak int `json:"streak"`
}

func (e *WeeklyProgressed) apply(g *Game) error {
	g.players.now[e.Player].Weekly = &model.WeeklyProgress{Completed: e.Completed, Streak: e.Streak}
	return nil
}

// PlayerDeleted deletes a player with characters, guild membership, friendships, links to accounts and link
// codes. The next refresh of the leaderboards removes the player. What a guild earned with the player stays.
// To delete a player who is not in the store has no effect.
type PlayerDeleted struct {
	Player PlayerID `json:"player" feed:"deleted"`
}

func (e *PlayerDeleted) apply(g *Game) error {
	p := g.players.now[e.Player]
	if p == nil {
		return nil
	}
	g.lock("player", p.UUID)
	if p.Online {
		g.record(time.Time{}, model.PresenceChange(p, &model.Player{UUID: p.UUID, Guild: p.Guild}))
	}
	if p.Guild != nil {
		g.record(time.Time{}, &model.GuildMemberLeft{Guild: p.Guild.UUID, Player: p.UUID})
	}
	for _, other := range g.players.now {
		unfriend(other, p.UUID)
	}
	for _, c := range g.charactersOf(p.UUID) {
		g.characters.remove(CharacterID(c.UUID))
		g.gone[c.UUID] = true
	}
	maps.DeleteFunc(g.linkCodes, func(_ string, c *model.LinkCode) bool { return c.Player == p.UUID })
	g.players.remove(e.Player)
	g.gone[p.UUID] = true
	return nil
}
