package mongo

import (
	"slices"
	"time"

	"gamedata/graph/model"
)

// PlayerAdded adds a new player.
func (f *Feed) PlayerAdded(p *model.Player) {
	p.NameFold = Fold(p.Username)
	f.newPlayers = append(f.newPlayers, p)
	f.players.added(p.UUID)
}

// CharacterAdded adds a new character of a player, whose levels count from now on.
func (f *Feed) CharacterAdded(p *model.Player, c *model.Character) {
	c.Owner = p.UUID
	f.newCharacters = append(f.newCharacters, c)
	f.characters.added(c.UUID)
	if p.GlobalData != nil {
		p.GlobalData.TotalLevel += int64(c.TotalLevel)
		f.players.at(p.UUID).inc("globalData.totalLevel", int64(c.TotalLevel))
	}
}

// PlayerRenamed gives a player another name.
func (f *Feed) PlayerRenamed(p *model.Player, name string) {
	p.Username, p.NameFold = name, Fold(name)
	c := f.players.at(p.UUID)
	c.set("username", p.Username)
	c.set("nameFold", p.NameFold)
}

// Joining says how a player comes online.
type Joining struct {
	At time.Time
	// Address is where the player's connection comes from, such as 192.0.2.7.
	Address string
	// Server is the world and Character who plays there; both stay empty while the player
	// is on no world yet, and WorldEntered follows.
	Server    string
	Character *model.Character
	Location  model.Location
}

// PlayerJoined brings a player online.
func (f *Feed) PlayerJoined(p *model.Player, j Joining) {
	p.Online, p.Address, p.LastJoin = true, j.Address, &j.At
	c := f.players.at(p.UUID)
	c.set("online", true)
	c.set("address", j.Address)
	c.set("lastJoin", j.At)
	if j.Character != nil {
		f.characters.at(j.Character.UUID).tally("logins", &j.Character.Logins, 1)
		f.WorldEntered(p, j.Server, j.Character, j.Location)
	}
}

// WorldEntered puts an online player on a world: the first one, or another one.
func (f *Feed) WorldEntered(p *model.Player, server string, as *model.Character, at model.Location) {
	p.Server, p.ActiveCharacter = &server, &as.UUID
	c := f.players.at(p.UUID)
	c.set("server", server)
	c.set("activeCharacter", as.UUID)
	f.PlayerMoved(p, at)
}

// PlayerMoved says where in the world an online player is now. Positions are asked for at
// most every 15 seconds; the game need not say more.
func (f *Feed) PlayerMoved(p *model.Player, at model.Location) {
	p.Location = &at
	f.players.at(p.UUID).set("location", at)
}

// PlayerLeft takes a player offline and flags it, so that the next refresh of the
// leaderboards looks at what it did since the last one (SPEC §4).
func (f *Feed) PlayerLeft(p *model.Player) {
	p.Online, p.Server, p.ActiveCharacter, p.Address, p.Location, p.Flagged = false, nil, nil, "", nil, true
	c := f.players.at(p.UUID)
	c.set("online", false)
	c.set("server", nil)
	c.set("activeCharacter", nil)
	c.set("address", "")
	c.unset("location")
	c.set("flagged", true)
	f.PartyLeft(p)
}

// PartyJoined puts a player into a party: everybody with the same id is in it.
func (f *Feed) PartyJoined(p *model.Player, party string) {
	p.Party = party
	f.players.at(p.UUID).set("party", party)
}

// PartyLeft takes a player out of any party.
func (f *Feed) PartyLeft(p *model.Player) {
	p.Party = ""
	f.players.at(p.UUID).unset("party")
}

// Befriended makes two players friends of each other.
func (f *Feed) Befriended(a, b *model.Player) {
	for _, of := range [2][2]*model.Player{{a, b}, {b, a}} {
		if !slices.Contains(of[0].Friends, of[1].UUID) {
			of[0].Friends = append(of[0].Friends, of[1].UUID)
			f.players.at(of[0].UUID).include("friends", of[1].UUID)
		}
	}
}

// Unfriended ends a friendship on both sides.
func (f *Feed) Unfriended(a, b *model.Player) {
	for _, of := range [2][2]*model.Player{{a, b}, {b, a}} {
		of[0].Friends = slices.DeleteFunc(of[0].Friends, func(uuid string) bool { return uuid == of[1].UUID })
		f.players.at(of[0].UUID).exclude("friends", of[1].UUID)
	}
}

// WeeklyProgressed says how a player fares with the weekly objective.
func (f *Feed) WeeklyProgressed(p *model.Player, w model.WeeklyProgress) {
	p.Weekly = &w
	f.players.at(p.UUID).set("weekly", w)
}
