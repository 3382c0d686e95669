package feed

import (
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// PlayerAdded adds a new player.
func (b *Batch) PlayerAdded(p *model.Player) {
	p.NameFold = mongo.Fold(p.Username)
	b.newPlayers = append(b.newPlayers, p)
	b.players.added(p.UUID)
}

// CharacterAdded adds a new character of a player and its levels to the player's total.
func (b *Batch) CharacterAdded(p *model.Player, c *model.Character) {
	c.Owner = p.UUID
	b.newCharacters = append(b.newCharacters, c)
	b.characters.added(c.UUID)
	b.record(time.Time{}, &model.CharacterCreated{Player: p.UUID, Character: c.UUID, Class: c.Type})
	if p.GlobalData != nil {
		p.GlobalData.TotalLevel += int64(c.TotalLevel)
		b.player(p).inc("globalData.totalLevel", int64(c.TotalLevel))
	}
}

// PlayerRenamed changes the name of a player.
func (b *Batch) PlayerRenamed(p *model.Player, name string) {
	p.Username, p.NameFold = name, mongo.Fold(name)
	c := b.player(p)
	c.set("username", p.Username)
	c.set("nameFold", p.NameFold)
}

// Joining describes how a player comes online.
type Joining struct {
	At time.Time
	// Address is the player's IP address, such as 192.0.2.7.
	Address string
	// Server is the world and Character the one played there. Both are empty while the player is on no
	// world; WorldEntered follows.
	Server    string
	Character *model.Character
	Location  model.Position
}

// PlayerJoined sets a player online.
func (b *Batch) PlayerJoined(p *model.Player, j Joining) {
	b.recordPresence(p, j.At, func() { b.playerJoined(p, j) })
}

func (b *Batch) playerJoined(p *model.Player, j Joining) {
	p.Online, p.Address, p.LastJoin = true, j.Address, &j.At
	c := b.player(p)
	c.set("online", true)
	c.set("address", j.Address)
	c.set("lastJoin", j.At)
	if j.Character != nil {
		b.character(j.Character).tally("logins", &j.Character.Logins, 1)
		b.worldEntered(p, j.Server, j.Character, j.Location)
	}
}

// WorldEntered moves an online player to a world, the first or another one.
func (b *Batch) WorldEntered(p *model.Player, server string, as *model.Character, at model.Position) {
	b.recordPresence(p, time.Time{}, func() { b.worldEntered(p, server, as, at) })
}

func (b *Batch) worldEntered(p *model.Player, server string, as *model.Character, at model.Position) {
	p.Server, p.ActiveCharacter = &server, &as.UUID
	c := b.player(p)
	c.set("server", server)
	c.set("activeCharacter", as.UUID)
	b.PlayerMoved(p, at)
}

// PlayerMoved sets the position of an online player. Clients read positions at most every 15 seconds, so
// that more frequent updates have no use.
func (b *Batch) PlayerMoved(p *model.Player, at model.Position) {
	p.Location = &at
	b.player(p).set("location", at)
}

// PlayerLeft sets a player offline and flags the player for the next refresh of the leaderboards.
func (b *Batch) PlayerLeft(p *model.Player) {
	b.recordPresence(p, time.Time{}, func() { b.playerLeft(p) })
}

func (b *Batch) playerLeft(p *model.Player) {
	p.Online, p.Server, p.ActiveCharacter, p.Address, p.Location, p.Flagged = false, nil, nil, "", nil, true
	c := b.player(p)
	c.set("online", false)
	c.set("server", nil)
	c.set("activeCharacter", nil)
	c.set("address", "")
	c.unset("location")
	c.set("flagged", true)
	b.PartyLeft(p)
}

// PartyJoined puts a player into a party. Players with the same id are in the same party.
func (b *Batch) PartyJoined(p *model.Player, party string) {
	p.Party = party
	b.player(p).set("party", party)
}

// PartyLeft removes a player from any party.
func (b *Batch) PartyLeft(p *model.Player) {
	p.Party = ""
	b.player(p).unset("party")
}

// Befriended makes two players friends of each other.
func (b *Batch) Befriended(one, other *model.Player) {
	for _, pair := range [][2]*model.Player{{one, other}, {other, one}} {
		p, friend := pair[0], pair[1].UUID
		if !slices.Contains(p.Friends, friend) {
			p.Friends = append(p.Friends, friend)
			b.player(p).include("friends", friend)
		}
	}
}

// Unfriended ends a friendship on both sides.
func (b *Batch) Unfriended(one, other *model.Player) {
	for _, pair := range [][2]*model.Player{{one, other}, {other, one}} {
		p, friend := pair[0], pair[1].UUID
		p.Friends = slices.DeleteFunc(p.Friends, func(uuid string) bool { return uuid == friend })
		b.player(p).exclude("friends", friend)
	}
}

// WeeklyProgressed sets a player's progress in the weekly objective.
func (b *Batch) WeeklyProgressed(p *model.Player, w model.WeeklyProgress) {
	p.Weekly = &w
	b.player(p).set("weekly", w)
}
