package loaders

import (
	"context"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// How long the two parts of territories are cached, and their maximum age while reading fails.
const (
	territoryAge   = 10 * time.Second
	resourceAge    = time.Minute
	territoryStale = 5 * time.Minute
)

// Territories holds all territories. Holders and resources are read at different times.
type Territories struct {
	// All is sorted by name.
	All []*model.Territory
	// Names holds the folded names of All.
	Names []string
	// ResourcesAt is when the resources were read, At when the rest was.
	At, ResourcesAt time.Time

	ByName map[string]*model.Territory
	// ByGuild maps a guild's uuid to its territories, sorted by name.
	ByGuild map[string][]*model.Territory

	parts territoryParts
}

// Holders returns the uuids of guilds with territories.
func (t *Territories) Holders() []string { return slices.Sorted(maps.Keys(t.ByGuild)) }

// Headquarters returns the first territory of a guild that is its headquarters, or nil.
func (t *Territories) Headquarters(guild string) *model.Territory {
	for _, held := range t.ByGuild[guild] {
		if held.Hq {
			return held
		}
	}
	return nil
}

// Territories returns all territories: the same value for the whole operation. It fails if no read has succeeded in the
// last minutes.
func (set *Set) Territories(context.Context) (*Territories, error) { return set.territories() }

// territoryCache caches the territories in two parts, and the last join of them.
type territoryCache struct {
	held   Shared[[]*model.Territory]
	stock  Shared[map[string][]*model.TerritoryResource]
	joined atomic.Pointer[Territories]
}

type territoryParts struct {
	held  *timedValue[[]*model.Territory]
	stock *timedValue[map[string][]*model.TerritoryResource]
}

func newTerritoryCache(s *Source) *territoryCache {
	tags := []string{contentTag + ":" + mongo.Territories}
	return &territoryCache{
		held: Shared[[]*model.Territory]{
			Name: "territories", Tags: tags, MaxAge: territoryAge, MaxStale: territoryStale, Read: s.readHeld, source: s,
		},
		stock: Shared[map[string][]*model.TerritoryResource]{
			Name: "territory resources", Tags: tags, MaxAge: resourceAge, MaxStale: territoryStale,
			Read: s.store.Territories.Resources, source: s,
		},
	}
}

// readHeld reads the territories with the colours of their guilds.
func (s *Source) readHeld(ctx context.Context) ([]*model.Territory, error) {
	all, err := s.store.Territories.All(ctx)
	if err != nil {
		return nil, err
	}
	var holders []string
	for _, t := range all {
		if uuid := t.GuildUUID(); uuid != nil {
			holders = append(holders, *uuid)
		}
	}
	slices.Sort(holders)
	colours, err := s.store.Guilds.Colours(ctx, slices.Compact(holders))
	for _, t := range all {
		if uuid := t.GuildUUID(); uuid != nil {
			guild := model.Guild{UUID: *uuid, StoredColour: colours[*uuid]}
			t.Guild.Colour = new(guild.Colour())
		}
	}
	return all, err
}

func (t *territoryCache) current(ctx context.Context) (*Territories, error) {
	held, err := t.held.current(ctx, territoryAge)
	if err != nil {
		return nil, err
	}
	stock, err := t.stock.current(ctx, resourceAge)
	if err != nil {
		return nil, err
	}
	parts := territoryParts{held, stock}
	if all := t.joined.Load(); all != nil && all.parts == parts {
		return all, nil
	}
	all := parts.join()
	t.joined.Store(all)
	return all, nil
}

// join joins the two parts and sets the headquarters of each territory's guild. The parts are shared,
// so territories are copied.
func (p territoryParts) join() *Territories {
	count := len(p.held.value)
	out := &Territories{
		All: make([]*model.Territory, count), Names: make([]string, count), At: p.held.at, ResourcesAt: p.stock.at,
		ByName: make(map[string]*model.Territory, count), ByGuild: map[string][]*model.Territory{}, parts: p,
	}
	for i, record := range p.held.value {
		t := *record
		t.Resources = p.stock.value[t.Name]
		if t.Resources == nil {
			t.Resources = []*model.TerritoryResource{} // the territory is newer than the resources
		}
		if t.Guild == nil {
			t.Guild = &model.TerritoryGuild{}
		}
		out.All[i], out.Names[i], out.ByName[t.Name] = &t, mongo.Fold(t.Name), &t
		if holder := t.Guild.UUID; holder != nil {
			out.ByGuild[*holder] = append(out.ByGuild[*holder], &t)
		}
	}
	for uuid, list := range out.ByGuild {
		hq := out.Headquarters(uuid)
		for _, t := range list {
			g := *t.Guild
			g.Hq = nil
			if hq != nil {
				g.Hq = &hq.Name
			}
			t.Guild = &g
		}
	}
	return out
}
