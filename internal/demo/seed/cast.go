package seed

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/demo/content"
)

// Member is a player of the cast, with the same name, uuid and purpose in every world.
type Member struct {
	Username string
	// UUID of the player. The nth character (from 1) of Cast[i] is CharacterUUID(i, n).
	UUID string
	// Shows describes the case that the player demonstrates.
	Shows string
	// Idle is true for one who never plays, since that would end the case.
	Idle bool

	facts
	Rules        map[string]model.Access // those that are not public
	AgeHours     int                     // since the first join
	Guild        string                  // its tag
	GuildRank    string
	FormerGuilds []string // their tags, newest first

	// Characters are the characters of the player, as sheets; those of plan.setDefaults when nil. Changes are what is
	// different about them.
	Characters, Changes []json.RawMessage
}

// Cast lists the first players of every world. They cover every case that a client can meet, the important ones among
// the first ten.
var Cast = content.Records[Member]("cast.json")

// play makes the player a member of the cast.
func (p *plan) play(m *Member) {
	p.setDefaults()
	p.uuid, p.username, p.facts = m.UUID, m.Username, m.facts
	p.Rank = cmp.Or(p.Rank, plainRank)
	for rule := range model.NumAccessRules {
		p.rules[rule] = cmp.Or(m.Rules[rule.Info().Key], model.Public)
	}
	if m.AgeHours > 0 {
		p.age = time.Duration(m.AgeHours) * time.Hour
	}
	if m.Guild != "" {
		p.guild, p.guildRank = guildTagged(m.Guild), slices.Index(guildRanks, m.GuildRank)
	}
	for _, tag := range m.FormerGuilds {
		p.formerGuilds = append(p.formerGuilds, guildTagged(tag))
	}
	if p.Address != "" {
		p.join(p.Server, p.Address)
	}
	if m.Characters != nil {
		p.characters = nil
	}
	for _, text := range m.Characters {
		var s sheet
		content.Decode(string(text), &s)
		s = p.sheet(s.Class, s.Level)
		content.Decode(string(text), &s)
		p.characters = append(p.characters, s)
	}
	for i, text := range m.Changes {
		s := &p.characters[i]
		content.Decode(string(text), s)
		s.Hours = max(s.Hours, s.MinHours)
	}
	for n := range p.characters {
		p.characters[n].UUID = CharacterUUID(p.index, n+1)
	}
}

// CharacterUUID returns the uuid of the nth character, from 1, of Cast[i].
func CharacterUUID(i, n int) string {
	switch {
	case i == 0 && n == 1:
		return "6c1f0b52-8f3e-4d0a-b7a1-2e9c4d5f6a70"
	case i == 0 && n == 2:
		return "f0a9d3c4-51b2-4e67-9a88-7b6c5d4e3f21"
	case i == 1 && n == 1:
		return "e8b16f03-7c2d-45a9-b0e4-3d5a8c917f26"
	}
	return fmt.Sprintf("c0000000-0000-4000-8000-%012d", 100*i+n)
}

// CastUUIDs returns the uuids of the cast.
func CastUUIDs() []string {
	out := make([]string, len(Cast))
	for i, m := range Cast {
		out[i] = m.UUID
	}
	return out
}
