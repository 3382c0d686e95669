package loaders

import (
	"context"
	"maps"
	"slices"
	"sync"
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

// territoryCache caches the territories in two parts.
type territoryCache struct {
	held  refreshingValue[[]*model.Territory]
	stock refreshingValue[map[string][]*model.TerritoryResource]

	mu     sync.Mutex
	joined *Territories // of parts
	parts  territoryParts
}

type territoryParts struct {
	held  *timedValue[[]*model.Territory]
	stock *timedValue[map[string][]*model.TerritoryResource]
}

func newTerritoryCache(store *mongo.Store, s shared) *territoryCache {
	tags := []string{contentTag + ":" + mongo.Territories}
	return &territoryCache{
		held: refreshingValue[[]*model.Territory]{
			maxAge: territoryAge, load: readHeld(store),
			lastValue: lastValue[[]*model.Territory]{name: "territories", maxStale: territoryStale, tags: tags, shared: s},
		},
		stock: refreshingValue[map[string][]*model.TerritoryResource]{
			maxAge: resourceAge, load: store.Territories.Resources,
			lastValue: lastValue[map[string][]*model.TerritoryResource]{
				name: "territory resources", maxStale: territoryStale, tags: tags, shared: s,
			},
		},
	}
}

// readHeld returns a read of the territories with the colours of their guilds.
func readHeld(store *mongo.Store) func(context.Context) ([]*model.Territory, error) {
	return func(ctx context.Context) ([]*model.Territory, error) {
		all, err := store.Territories.All(ctx)
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
		colours, err := store.Guilds.Colours(ctx, slices.Compact(holders))
		for _, t := range all {
			if uuid := t.GuildUUID(); uuid != nil {
				guild := model.Guild{UUID: *uuid, StoredColour: colours[*uuid]}
				t.Guild.Colour = new(guild.Colour())
			}
		}
		return all, err
	}
}

func (t *territoryCache) current(ctx context.Context) (*Territories, error) {
	held, err := t.held.current(ctx)
	if err != nil {
		return nil, err
	}
	stock, err := t.stock.current(ctx)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if parts := (territoryParts{held, stock}); t.parts != parts {
		t.joined, t.parts = join(held, stock), parts
	}
	return t.joined, nil
}

// join joins the two parts and sets the headquarters of each territory's guild. The parts are shared,
// so territories are copied.
func join(held *timedValue[[]*model.Territory], stock *timedValue[map[string][]*model.TerritoryResource]) *Territories {
	out := &Territories{
		All: make([]*model.Territory, len(held.value)), Names: make([]string, len(held.value)),
		At: held.at, ResourcesAt: stock.at,
		ByName: make(map[string]*model.Territory, len(held.value)), ByGuild: map[string][]*model.Territory{},
	}
	for i, record := range held.value {
		t := *record
		t.Resources = stock.value[t.Name]
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
