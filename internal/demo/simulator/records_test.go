package simulator

import (
	"context"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gamedata/graph/model"
)

// Records are the source of a world in memory. The world changes the records in place; step adds new characters.
type Records struct {
	Players     []*model.Player
	Characters  [][]*model.Character // by index of Players
	Guilds      []*model.Guild
	Territories []*model.Territory
	Seasons     []*model.GuildSeason
}

func (r *Records) at(uuid string) int {
	return slices.IndexFunc(r.Players, func(p *model.Player) bool { return p.UUID == uuid })
}

func (r *Records) players(_ context.Context, uuids []string) ([]*model.Player, error) {
	out := make([]*model.Player, len(uuids))
	for i, uuid := range uuids {
		if at := r.at(uuid); at >= 0 {
			out[i] = r.Players[at]
		}
	}
	return out, nil
}

func (r *Records) characters(_ context.Context, uuids []string) ([][]*model.Character, error) {
	out := make([][]*model.Character, len(uuids))
	for i, uuid := range uuids {
		if at := r.at(uuid); at >= 0 {
			out[i] = slices.Clone(r.Characters[at])
		}
	}
	return out, nil
}

// world returns a world of the records.
func (r *Records) world(t rapid.TB, seed uint64, now time.Time) *World {
	t.Helper()
	s := Setting{Guilds: r.Guilds, Territories: r.Territories, Seasons: r.Seasons}
	for _, p := range r.Players {
		s.Players = append(s.Players, p.UUID)
	}
	w, err := NewWorld(context.Background(), Source{Players: r.players, Characters: r.characters}, seed, now, s)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// step advances a world of the records.
func (r *Records) step(t rapid.TB, w *World, by time.Duration) {
	t.Helper()
	if _, err := w.Step(context.Background(), by); err != nil {
		t.Fatal(err)
	}
	for _, p := range w.online {
		at := r.at(p.uuid)
		if at < 0 { // a newcomer
			at = len(r.Players)
			r.Players, r.Characters = append(r.Players, p.Player), append(r.Characters, nil)
		}
		for _, c := range p.characters {
			if !slices.Contains(r.Characters[at], c) { // a new one
				r.Characters[at] = append(r.Characters[at], c)
			}
		}
	}
}

// A player who logs in has the changes that others wrote while they were offline; a deleted player stays offline.
func TestChangesWhileOffline(t *testing.T) {
	r := records(60)
	w := r.world(t, 1, noon)
	var member, alone, deleted *player
	for _, p := range w.players {
		switch {
		case p.online(), !p.free():
		case p.guild != nil:
			member = p
		case alone == nil:
			alone = p
		default:
			deleted = p
		}
	}
	left, joined := member.guild, w.guilds[0]
	r.Players[r.at(member.uuid)].Guild, r.Players[r.at(member.uuid)].Membership = nil, nil
	r.Players[r.at(alone.uuid)].Guild = &model.GuildReference{UUID: joined.UUID}
	r.Players[r.at(alone.uuid)].Membership = &model.Membership{JoinedAt: noon}
	r.Players[r.at(deleted.uuid)].UUID = "another player"
	if err := w.loadSessions(t.Context(), []string{member.uuid, alone.uuid, deleted.uuid}); err != nil {
		t.Fatal(err)
	}
	if !member.online() || member.guild != nil || slices.Contains(left.members, member) {
		t.Errorf("%s left %s but is a member", member.uuid, left.Name)
	}
	if !alone.online() || alone.guild != joined || !slices.Contains(joined.members, alone) {
		t.Errorf("%s joined %s but is no member", alone.uuid, joined.Name)
	}
	if deleted.online() {
		t.Errorf("%s is deleted but online", deleted.uuid)
	}
	w.unload(alone)
	if alone.online() || alone.guild != joined {
		t.Error("unload drops data that is needed offline")
	}
}
