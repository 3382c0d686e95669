package loaders

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// How old territories may be (SPEC §4, the rule of the territory list).
const (
	territoryAge = 10 * time.Second
	resourceAge  = time.Minute
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

// Holders returns the guilds that hold territories.
func (t *Territories) Holders() []string { return slices.Sorted(maps.Keys(t.byGuild)) }

// Headquarters returns the first territory of a guild that is its headquarters, or nil.
func (t *Territories) Headquarters(guild string) *model.Territory {
	for _, held := range t.byGuild[guild] {
		if held.Hq {
			return held
		}
	}
	return nil
}

// Territories returns all territories: the same copy for the whole operation. It fails when
// they cannot be read and no older copy is kept.
func (set *Set) Territories(context.Context) (*Territories, error) { return set.territories() }

// territories are kept by the process in their two halves.
type territories struct {
	held  fresh[[]*model.Territory]
	stock fresh[map[string][]*model.TerritoryResource]

	mu     sync.Mutex
	joined *Territories // of the last two readings
}

func newTerritories(store *mongo.Store, now func() time.Time, log *slog.Logger) *territories {
	return &territories{
		held: fresh[[]*model.Territory]{
			name: "territories", maxAge: territoryAge, read: store.Territories, now: now,
			log: log,
		},
		stock: fresh[map[string][]*model.TerritoryResource]{
			name: "territory resources", maxAge: resourceAge,
			read: store.TerritoryResources, now: now, log: log,
		},
	}
}

func (t *territories) current(ctx context.Context) (*Territories, error) {
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
	if t.joined == nil || !t.joined.At.Equal(held.at) || !t.joined.ResourcesAt.Equal(stock.at) {
		t.joined = join(held, stock)
	}
	return t.joined, nil
}

// join puts the halves together and tells every territory where its guild's headquarters
// is. The readings are shared, so territories are copied.
func join(held *reading[[]*model.Territory], stock *reading[map[string][]*model.TerritoryResource]) *Territories {
	out := &Territories{
		All: make([]*model.Territory, len(held.value)), Names: make([]string, len(held.value)),
		At: held.at, ResourcesAt: stock.at,
		byName: make(map[string]*model.Territory, len(held.value)), byGuild: map[string][]*model.Territory{},
	}
	for i, record := range held.value {
		t := *record
		if t.Resources = stock.value[t.Name]; t.Resources == nil {
			t.Resources = []*model.TerritoryResource{} // newer than that reading
		}
		if t.Guild == nil {
			t.Guild = &model.TerritoryGuild{}
		}
		out.All[i], out.Names[i], out.byName[t.Name] = &t, mongo.Fold(t.Name), &t
		if holder := t.Guild.UUID; holder != nil {
			out.byGuild[*holder] = append(out.byGuild[*holder], &t)
		}
	}
	for uuid, list := range out.byGuild {
		hq := out.Headquarters(uuid)
		for _, t := range list {
			g := *t.Guild
			if g.Hq = nil; hq != nil {
				g.Hq = &hq.Name
			}
			t.Guild = &g
		}
	}
	return out
}
