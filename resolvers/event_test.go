package resolvers

import (
	"reflect"
	"slices"
	"testing"

	"gamedata/graph/model"
	"gamedata/graph/viewer"
)

// eventAbout returns an event of a kind whose players are the given ones, in the guild with the uuid "g".
func eventAbout(k model.EventKind, players ...*model.Player) *model.Event {
	e := &model.Event{ID: "1", Data: k.New(), Players: map[string]*model.Player{}}
	data := reflect.ValueOf(e.Data).Elem()
	switch f := data.FieldByName("Guild"); {
	case f.Kind() == reflect.String:
		f.SetString("g")
	case f.Kind() == reflect.Pointer:
		f.Set(reflect.ValueOf(new("g")))
	}
	for _, p := range players {
		e.Players[p.UUID] = p
		if f := data.FieldByName("Player"); f.IsValid() {
			f.SetString(p.UUID)
		}
		if f := data.FieldByName("Players"); f.IsValid() {
			f.Set(reflect.Append(f, reflect.ValueOf(p.UUID)))
		}
	}
	return e
}

// Every event that names a player has rules, and says so.
func TestEventsNameTheirPlayers(t *testing.T) {
	for _, k := range model.EventKinds {
		data := reflect.TypeOf(k.New()).Elem()
		_, one := data.FieldByName("Player")
		_, several := data.FieldByName("Players")
		named := eventAbout(k, &model.Player{UUID: "p"}).NamedPlayers()
		if names := (one || several) && !k.Internal; names != slices.Equal(named, []string{"p"}) {
			t.Errorf("%s: NamedPlayers returns %v", k.Type, named)
		}
		if _, rules := eventRules[k.Type]; rules != (one || several) && !k.Internal {
			t.Errorf("%s: eventRules has it: %v", k.Type, rules)
		}
	}
}

// namesBoth reports whether an event says that a player was in a guild.
func namesBoth(e *model.Event, player string) bool {
	if e == nil || !slices.Contains(e.NamedPlayers(), player) {
		return false
	}
	guild := reflect.ValueOf(e.Data).Elem().FieldByName("Guild")
	return guild.Kind() == reflect.String || guild.Kind() == reflect.Pointer && !guild.IsNil()
}

// An event that names a player and a guild is about a former guild when the player has left it since: then the rule for
// former guilds hides that both belong together.
func TestEventsOfFormerGuilds(t *testing.T) {
	kinds := 0
	guest := viewerRelations{viewer: viewer.Viewer{Kind: viewer.Guest}}
	for _, k := range model.EventKinds {
		p := &model.Player{UUID: "p"}
		if k.Internal || !namesBoth(eventAbout(k, p), "p") {
			continue
		}
		kinds++
		for name, c := range map[string]struct {
			guild  *model.GuildReference
			access model.Access
			shown  bool
		}{
			"left, shared":       {nil, model.Public, true},
			"left, hidden":       {nil, model.Private, false},
			"in another, hidden": {&model.GuildReference{UUID: "other"}, model.Private, false},
			"member, hidden":     {&model.GuildReference{UUID: "g"}, model.Private, k.Type != model.EventGuildMemberLeft},
		} {
			p := &model.Player{UUID: "p", Guild: c.guild}
			p.Rules[model.GuildHistoryAccess] = c.access
			if got := namesBoth(visibleEvent(eventAbout(k, p), guest), "p"); got != c.shown {
				t.Errorf("%s, %s: names player and guild: %v, want %v", k.Type, name, got, c.shown)
			}
		}
	}
	if kinds < 7 {
		t.Errorf("%d kinds of events name a player and a guild", kinds)
	}
}

// Players who are not known any more are named by no event, and internal events are delivered to nobody.
func TestEventsOfUnknownPlayers(t *testing.T) {
	for _, k := range model.EventKinds {
		e := eventAbout(k, &model.Player{UUID: "p"})
		e.Players = nil
		got := visibleEvent(e, viewerRelations{viewer: viewer.Viewer{Kind: viewer.Session, Profiles: []string{"p"}}})
		if got != nil && (k.Internal || len(got.NamedPlayers()) > 0) {
			t.Errorf("%s: got %+v", k.Type, got.Data)
		}
	}
}
