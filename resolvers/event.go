package resolvers

import (
	"context"
	"slices"

	"gamedata/graph/model"
)

// VisibleEvents returns the events that the viewer of a context may see, without what they may not see of them. The
// context has loaders. Events about unknown players are hidden.
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
		if e = visibleEvent(e, relations); e != nil {
			out = append(out, e)
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
	shown := func(uuid string) bool {
		p := e.Players[uuid]
		return p != nil && restrictedRules(p.Rules, relations.with(p))&needed == 0
	}
	switch d := e.Data.(type) {
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

func withParty(e *model.Event, party []string, shown func(string) bool, data func([]string) model.EventData,
) *model.Event {
	visible := slices.DeleteFunc(append([]string{}, party...), func(uuid string) bool { return !shown(uuid) })
	if len(visible) == len(party) {
		return e
	}
	return e.With(data(visible))
}
