package jobs

import (
	"context"
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// boardSet lists the boards stored at a time. The board of an ended season is refreshed once more and is then final: no
// changed record and no disbanded or deleted guild changes it.
type boardSet struct {
	at        time.Time
	catalogue *leaderboard.Catalogue
	names     []string
	order     map[string]int  // of names
	final     map[string]bool // the boards of ended seasons; false while they still change
}

func readCatalogue(ctx context.Context, store *mongo.Store, at time.Time) (*leaderboard.Catalogue, error) {
	seasons, err := mongo.Seasons.Read(ctx, store)
	if err != nil {
		return nil, err
	}
	raids, err := store.Content.Raids(ctx)
	if err != nil {
		return nil, err
	}
	return leaderboard.NewCatalogue(leaderboard.Fixed(raids), seasons, at), nil
}

// readBoardSet reads which boards are stored. It treats the boards of all ended seasons as final.
func readBoardSet(ctx context.Context, store *mongo.Store, at time.Time) (*boardSet, error) {
	catalogue, err := readCatalogue(ctx, store, at)
	if err != nil {
		return nil, err
	}
	s := &boardSet{at: at, catalogue: catalogue, order: map[string]int{}, final: map[string]bool{}}
	for _, b := range catalogue.All {
		if b.Computed() {
			continue
		}
		s.order[b.Name] = len(s.names)
		s.names = append(s.names, b.Name)
		if endedBefore(b, at) {
			s.final[b.Name] = true
		}
	}
	return s, nil
}

// endedBefore reports whether a board belongs to a season that had ended at a time.
func endedBefore(b *leaderboard.Board, at time.Time) bool {
	return b != nil && b.Season != nil && b.Season.EndsAt != nil && !at.Before(*b.Season.EndsAt)
}

// ended reports whether a board belongs to a season that has ended.
func (s *boardSet) ended(name string) bool { return endedBefore(s.catalogue.Named(name), s.at) }

// isFinal reports whether no refresh changes a board any more.
func (s *boardSet) isFinal(name string) bool { return s.final[name] }

// namesOf returns the names of the boards of players or guilds, in order.
func (s *boardSet) namesOf(of mongo.Ranked) (names []string) {
	for _, name := range s.names {
		if s.catalogue.Named(name).OfGuilds() == (of == mongo.RankedGuilds) {
			names = append(names, name)
		}
	}
	return names
}

// withFinal returns the new places of a guild or player, with its old places on final boards.
func (s *boardSet) withFinal(places, had []leaderboard.Place) []leaderboard.Place {
	onFinal := func(p leaderboard.Place) bool { return s.final[p.Board] }
	final := slices.DeleteFunc(slices.Clone(had), func(p leaderboard.Place) bool { return !onFinal(p) })
	all := append(slices.DeleteFunc(places, onFinal), final...)
	slices.SortStableFunc(all, func(a, b leaderboard.Place) int { return s.order[a.Board] - s.order[b.Board] })
	return all
}

// own removes places on boards of seasons that ended before the player or guild was added: an earlier guild with the
// uuid earned them.
func (s *boardSet) own(places []leaderboard.Place, added time.Time) []leaderboard.Place {
	return slices.DeleteFunc(slices.Clone(places), func(p leaderboard.Place) bool {
		return endedBefore(s.catalogue.Named(p.Board), added)
	})
}

// afterDeletion returns the places that deleted guilds with a uuid keep: on the boards of seasons that ended before the
// deletion.
func (s *boardSet) afterDeletion(former *model.FormerGuild, uuid string, had []leaderboard.Place) []leaderboard.Place {
	if former == nil { // the guild left no record
		return slices.DeleteFunc(slices.Clone(had), func(p leaderboard.Place) bool { return !s.ended(p.Board) })
	}
	var entries []leaderboard.Entry
	for ; former != nil; former = former.Before {
		for _, e := range s.catalogue.OfGuild(&model.Guild{UUID: uuid, SeasonResults: former.SeasonResults}) {
			if endedBefore(e.Board, former.Disbanded) && !endedBefore(e.Board, former.AddedAt) {
				entries = append(entries, e)
			}
		}
	}
	places, _ := leaderboard.Places(uuid, entries)
	return places
}
