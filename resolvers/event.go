package resolvers

import (
	"context"
	"slices"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// VisibleEvents returns the events that the context's viewer may see, without the details hidden from them. The context
// must carry loaders. Events about unknown players are hidden. So are events older than the player's record: they
// concern an earlier player with the same uuid.
func VisibleEvents(ctx context.Context, events []*model.Event) ([]*model.Event, error) {
	var players []*model.Player
	for _, e := range events {
		for _, p := range e.Players {
			players = append(players, p)
		}
	}
	relations, err := loadRelations(ctx, players...)
	if err != nil {
		return nil, err
	}
	out := make([]*model.Event, 0, len(events))
	for _, e := range events {
		if shown := visibleEvent(e, relations); shown != nil {
			out = append(out, shown)
		}
	}
	return out, nil
}

func visibleEvent(e *model.Event, relations viewerRelations) *model.Event {
	if e.Type().Internal() {
		return nil
	}
	needed, hides := eventRules[e.Type()]
	if !hides {
		return e
	}
	recorded, _ := mongo.EventTime(e.ID)
	hidden := func(uuid string, by model.AccessRuleSet) bool {
		p := e.Players[uuid]
		return p == nil || p.AddedAt.After(recorded) || restrictedRules(p.Rules, relations.with(p))&by != 0
	}
	guilds := e.Subjects().Guilds
	// An event that links a player to a former guild is part of their guild history.
	former := func(uuid string) bool {
		p := e.Players[uuid]
		left := len(guilds) > 0 && p != nil && (p.Guild == nil || p.Guild.UUID != guilds[0])
		return left && hidden(uuid, model.AccessRuleSetOf(model.GuildHistoryAccess))
	}
	shown := func(uuid string) bool { return !hidden(uuid, needed) && !former(uuid) }
	switch d := e.Data.(type) {
	case model.PresenceEvent:
		player := e.NamedPlayers()[0]
		switch {
		case hidden(player, needed):
			return nil
		case former(player):
			return e.With(withoutGuild(d))
		}
		return e
	case *model.WarFinished:
		return withParty(e, d.Players, shown, func(players []string) model.EventData {
			return &model.WarFinished{Guild: d.Guild, Players: players}
		})
	case *model.RaidFinished:
		if d.Guild == nil && !slices.ContainsFunc(d.Players, shown) {
			return nil
		}
		return withParty(e, d.Players, shown, func(players []string) model.EventData {
			return &model.RaidFinished{Raid: d.Raid, Guild: d.Guild, Players: players}
		})
	}
	if slices.ContainsFunc(e.NamedPlayers(), func(uuid string) bool { return !shown(uuid) }) {
		return nil
	}
	return e
}

func withoutGuild(data model.PresenceEvent) model.EventData {
	switch d := data.(type) {
	case *model.PlayerCameOnline:
		return &model.PlayerCameOnline{Player: d.Player, World: d.World}
	case *model.PlayerWentOffline:
		return &model.PlayerWentOffline{Player: d.Player, World: d.World}
	case *model.PlayerChangedWorld:
		return &model.PlayerChangedWorld{Player: d.Player, From: d.From, To: d.To}
	}
	return data
}

func withParty(e *model.Event, party []string, shown func(string) bool, data func([]string) model.EventData,
) *model.Event {
	visible := slices.DeleteFunc(append([]string{}, party...), func(uuid string) bool { return !shown(uuid) })
	if len(visible) == len(party) {
		return e
	}
	return e.With(data(visible))
}
