package loaders

import (
	"context"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// Territories is all territories as of two moments.
type Territories struct {
	// All are the territories by name.
	All []*model.Territory
	// Names are the folded names of All.
	Names []string
	// At is when everything but the resources was read, ResourcesAt when those were.
	At, ResourcesAt time.Time

	byName  map[string]*model.Territory
	byGuild map[string][]*model.Territory
}

// Named returns the territory with that name, or nil.
func (t *Territories) Named(name string) *model.Territory { return t.byName[name] }

// HeldBy returns the territories a guild holds, by name.
func (t *Territories) HeldBy(guild string) []*model.Territory { return t.byGuild[guild] }

// Territories returns all territories.
func (set *Set) Territories(ctx context.Context) (*Territories, error) {
	all, err := set.source.store.Territories(ctx)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	out := &Territories{All: all, At: now, ResourcesAt: now, byName: map[string]*model.Territory{}, byGuild: map[string][]*model.Territory{}}
	for _, t := range all {
		out.Names = append(out.Names, mongo.Fold(t.Name))
		out.byName[t.Name] = t
		if t.Guild.UUID != nil {
			out.byGuild[*t.Guild.UUID] = append(out.byGuild[*t.Guild.UUID], t)
		}
	}
	return out, nil
}
