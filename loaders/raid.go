package loaders

import (
	"context"

	"gamedata/graph/model"
	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// Raids has the raids of the game.
type Raids struct {
	// Names are in the order of lists.
	Names []string
	// Boards are the leaderboards that do not depend on seasons.
	Boards []*leaderboard.Board
}

func readRaids(store *mongo.Store) func(context.Context) (*Raids, error) {
	return func(ctx context.Context) (*Raids, error) {
		all, err := store.Raids(ctx)
		if err != nil {
			return nil, err
		}
		out := &Raids{Boards: leaderboard.Fixed(all)}
		for _, r := range all {
			out.Names = append(out.Names, r.Name)
		}
		return out, nil
	}
}

// WithZeros returns a list of guild raids with all raids in order, even with count 0, then other stored names.
func (r *Raids) WithZeros(stored *model.CountList) *model.CountList {
	out := &model.CountList{Total: stored.Total, List: make([]*model.NamedCount, len(r.Names), len(r.Names)+1)}
	at := make(map[string]int, len(r.Names))
	for i, name := range r.Names {
		at[name], out.List[i] = i, &model.NamedCount{Name: name}
	}
	for _, c := range stored.List {
		if i, ok := at[c.Name]; ok {
			out.List[i] = c
		} else {
			out.List = append(out.List, c)
		}
	}
	return out
}
