package resolvers_test

import (
	"encoding/json"
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/mongo/mongotest"
	"gamedata/resolvers"
)

type eventSeen struct {
	PlayerUUID  string
	Player      *seen
	Character   *seenCharacter
	PlayerUuids []string
	Players     []seen
}

const allEvents = `subscription{events{
	... on PlayerRenamed{playerUuid player{...P}}
	... on PresenceEvent{playerUuid player{...P}}
	... on PlayerCameOnline{player{uuid}} ... on PlayerWentOffline{player{uuid}} ... on PlayerChangedWorld{player{uuid}}
	... on CharacterCreated{playerUuid player{...P} character{...C}}
	... on CharacterLevelChanged{playerUuid player{...P} character{...C}}
	... on CharacterDied{playerUuid player{...P} character{...C}}
	... on GuildMemberJoined{playerUuid player{...P}} ... on GuildMemberLeft{playerUuid player{...P}}
	... on GuildMemberRankChanged{playerUuid player{...P}}
	... on WarFinished{playerUuids players{...P}} ... on RaidFinished{playerUuids players{...P}}
}}`

// byEvents delivers events about one player, and about all of them together.
func (c *cast) byEvents(t testingT, v viewer.Viewer, of person, hides func(person) func(string) bool) {
	hidden := func(p person, rules ...string) bool { return slices.ContainsFunc(rules, hides(p)) }
	presence, history := hidden(of, "online_status"), hidden(of, "guild_history_access")
	former := func(p person) bool { return p.guild != c.guilds[1] && hidden(p, "guild_history_access") }
	character := hidden(of, "online_status", "character_list_access", "character_data_access")
	for _, e := range []struct {
		data   model.EventData
		hidden bool
	}{
		{&model.PlayerRenamed{Player: of.uuid}, false},
		{&model.PlayerCameOnline{Player: of.uuid}, presence},
		{&model.PlayerWentOffline{Player: of.uuid}, presence},
		{&model.PlayerChangedWorld{Player: of.uuid}, presence},
		{&model.CharacterCreated{Player: of.uuid, Character: of.character}, character},
		{&model.CharacterLevelChanged{Player: of.uuid, Character: of.character}, character},
		{&model.CharacterDied{Player: of.uuid, Character: of.character}, character},
		{&model.GuildMemberJoined{Player: of.uuid, Guild: c.guilds[1]}, former(of)},
		{&model.GuildMemberLeft{Player: of.uuid, Guild: c.guilds[1]}, history},
		{&model.GuildMemberRankChanged{Player: of.uuid, Guild: c.guilds[1]}, former(of)},
	} {
		got := c.deliver(t, v, e.data)
		if (got == nil) != e.hidden {
			t.Errorf("%T is hidden: %v", e.data, got == nil)
		}
		if got == nil {
			continue
		}
		if got.PlayerUUID != of.uuid || got.Player == nil {
			t.Fatalf("%T is about %s", e.data, got.PlayerUUID)
		}
		got.Player.check(t, "event", hides(of))
		if got.Character != nil {
			got.Character.check(t, "event", hides(of))
		}
	}
	for _, data := range []model.EventData{
		&model.WarFinished{Guild: c.guilds[1], Players: c.uuids()}, &model.RaidFinished{Players: c.uuids()},
	} {
		_, raid := data.(*model.RaidFinished)
		var shown []string
		for _, p := range c.people {
			if !hidden(p, "online_status", "main_access") && (raid || !former(p)) {
				shown = append(shown, p.uuid)
			}
		}
		got := c.deliver(t, v, data)
		if (got == nil) != (raid && len(shown) == 0) {
			t.Errorf("%T with %v is hidden: %v", data, shown, got == nil)
		}
		if got == nil {
			continue
		}
		if !slices.Equal(got.PlayerUuids, shown) || len(got.Players) != len(shown) {
			t.Errorf("%T names %v and shows %d players, want %v", data, got.PlayerUuids, len(got.Players), shown)
		}
		for _, p := range got.Players {
			p.check(t, "party", hides(c.person(p.UUID)))
		}
	}
}

// deliver returns an event as a subscription delivers it to a viewer; nil when it does not.
func (c *cast) deliver(t testingT, v viewer.Viewer, data model.EventData) *eventSeen {
	e := model.NewEvent("1", time.Now(), data)
	var err error
	if e.Players, err = c.store.Players.Access(t.Context(), e.NamedPlayers()); err != nil {
		t.Fatal(err)
	}
	ctx := viewer.With(t.Context(), v)
	list := mongotest.Value(resolvers.VisibleEvents(c.loaders.Attach(ctx, nil), []*model.Event{e}))(t)
	if len(list) == 0 {
		return nil
	}
	r := c.exec.Deliver(ctx, c.parse(t, allEvents), nil, list[0])
	var page struct{ Events eventSeen }
	if err := json.Unmarshal(r.Data, &page); err != nil || len(r.Errors) > 0 {
		t.Fatal(r.Errors, err)
	}
	return &page.Events
}
