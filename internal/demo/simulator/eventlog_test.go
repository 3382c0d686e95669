package simulator

import (
	"maps"
	"testing"

	"gamedata/graph/model"
)

// state is what the event log says of players, characters, guilds and territories.
type state struct {
	online map[string]string // the world, or noWorld
	level  map[string]int    // of characters and guilds
	guild  map[string]string // of players
	holder map[string]string // of territories
}

const noWorld = "no world"

func stateOf(r Records) state {
	s := state{map[string]string{}, map[string]int{}, map[string]string{}, map[string]string{}}
	for i, p := range r.Players {
		if p.Online {
			s.online[p.UUID] = worldOf(p.World)
		}
		if p.Guild != nil {
			s.guild[p.UUID] = p.Guild.UUID
		}
		for _, c := range r.Characters[i] {
			s.level[c.UUID] = c.Level
		}
	}
	for _, g := range r.Guilds {
		s.level[g.UUID] = g.Level
	}
	for _, t := range r.Territories {
		if t.Guild.UUID != nil {
			s.holder[t.Name] = *t.Guild.UUID
		}
	}
	return s
}

func worldOf(server *string) string {
	if server == nil {
		return noWorld
	}
	return *server
}

// followLog applies the event log to the records before it. Each event must follow from the one before it about the
// same subject, and the last ones must lead to the records after it: none is missing, doubled or out of order.
func followLog(t *testing.T, before, after Records, events []*model.Event) {
	t.Helper()
	s, kinds := stateOf(before), map[model.EventType]int{}
	guild := func(g *model.EventGuild) string {
		if g == nil {
			return ""
		}
		return g.UUID
	}
	for _, e := range events {
		kinds[e.Type()]++
		follows := true
		switch d := e.Data.(type) {
		case *model.PlayerCameOnline:
			follows, s.online[d.Player] = s.online[d.Player] == "", worldOf(d.World)
		case *model.PlayerWentOffline:
			follows = s.online[d.Player] == worldOf(d.World)
			delete(s.online, d.Player)
		case *model.PlayerChangedWorld:
			follows, s.online[d.Player] = s.online[d.Player] == worldOf(d.From), worldOf(d.To)
		case *model.CharacterCreated:
			follows, s.level[d.Character] = s.level[d.Character] == 0, 1
		case *model.CharacterLevelChanged:
			follows, s.level[d.Character] = s.level[d.Character] == d.From, d.To
		case *model.GuildLevelChanged:
			follows, s.level[d.Guild] = s.level[d.Guild] == d.From, d.To
		case *model.GuildMemberJoined:
			follows, s.guild[d.Player] = s.guild[d.Player] == "", d.Guild
		case *model.GuildMemberLeft:
			follows = s.guild[d.Player] == d.Guild
			delete(s.guild, d.Player)
		case *model.TerritoryCaptured:
			follows, s.holder[d.Territory] = s.holder[d.Territory] == guild(d.From), guild(d.To)
		}
		if !follows {
			t.Errorf("%s: %+v does not follow from what was before", e.Type(), e.Data)
		}
	}
	end := stateOf(after)
	maps.DeleteFunc(s.holder, func(_, guild string) bool { return guild == "" })
	maps.DeleteFunc(s.level, func(uuid string, _ int) bool { return end.level[uuid] == 0 }) // deleted characters
	if !maps.Equal(s.online, end.online) || !maps.Equal(s.level, end.level) || !maps.Equal(s.guild, end.guild) ||
		!maps.Equal(s.holder, end.holder) {
		t.Error("the event log and the store lead to different states")
	}
	for _, kind := range []model.EventType{
		model.EventTerritoryCaptured, model.EventPlayerCameOnline, model.EventPlayerWentOffline,
		model.EventPlayerChangedWorld, model.EventCharacterLevelChanged, model.EventGuildMemberJoined,
		model.EventGuildMemberLeft, model.EventWarFinished, model.EventRaidFinished,
	} {
		if kinds[kind] == 0 {
			t.Errorf("no %s in a day", kind)
		}
	}
	t.Log(kinds)
}
