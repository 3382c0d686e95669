package simulator

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// MostPlayers is how many players a world knows unless told otherwise, however many the
// store has.
const MostPlayers = 2000

// mostGuilds bounds the guilds of a world, besides those that hold territories.
const mostGuilds = 200

// few is how many players are read with one command.
const few = 250

// ErrEmpty says that a store holds nobody who could play.
var ErrEmpty = errors.New("the store holds no players to play with")

// Load reads a world from a store: the territories, the guilds that hold them and others,
// their members, who is online, and players by uuid until it is full. Players that are to
// rest stay as they are.
func Load(ctx context.Context, store *mongo.Store, o Options) (*World, error) {
	var s Setting
	var err error
	if s.Territories, err = loadLand(ctx, store); err != nil {
		return nil, err
	}
	if s.Seasons, err = store.Seasons(ctx); err != nil {
		return nil, err
	}
	if s.Guilds, err = loadGuilds(ctx, store, s.Territories); err != nil {
		return nil, err
	}
	if s.Players, err = choosePlayers(ctx, store, s.Guilds, o); err != nil {
		return nil, err
	}
	w, err := NewWorld(ctx, store, o.Seed, o.start(), s)
	if err != nil {
		return nil, err
	}
	if len(w.players) == 0 {
		return nil, ErrEmpty
	}
	return w, nil
}

// loadLand reads the territories whole.
func loadLand(ctx context.Context, store *mongo.Store) ([]*model.Territory, error) {
	land, err := store.Territories(ctx)
	if err != nil {
		return nil, err
	}
	resources, err := store.TerritoryResources(ctx)
	for _, t := range land {
		t.Resources = resources[t.Name]
	}
	return land, err
}

// loadGuilds reads the guilds that hold territories, then others by uuid.
func loadGuilds(ctx context.Context, store *mongo.Store, land []*model.Territory) ([]*model.Guild, error) {
	uuids := []string{}
	for _, t := range land {
		if t.Guild.UUID != nil {
			uuids = append(uuids, *t.Guild.UUID)
		}
	}
	others, err := store.UUIDsAfter(ctx, mongo.RankedGuilds, "", mostGuilds)
	if err != nil {
		return nil, err
	}
	uuids = append(uuids, others...)
	slices.Sort(uuids)
	found, err := store.GuildsByUUID(ctx, slices.Compact(uuids))
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(found, func(g *model.Guild) bool { return g == nil }), nil
}

// choosePlayers lists whom to play with: members of the guilds up to three quarters, then
// players online, then anybody.
func choosePlayers(ctx context.Context, store *mongo.Store, guilds []*model.Guild, o Options) ([]string, error) {
	most := o.Players
	if most == 0 {
		most = MostPlayers
	}
	seen := map[string]bool{}
	for _, uuid := range o.Rest {
		seen[uuid] = true
	}
	var chosen []string
	add := func(uuids []string, upTo int) {
		slices.SortFunc(uuids, strings.Compare)
		for _, uuid := range uuids {
			if len(chosen) < upTo && !seen[uuid] {
				seen[uuid] = true
				chosen = append(chosen, uuid)
			}
		}
	}
	for part := range slices.Chunk(guilds, 10) {
		if len(chosen) >= most*3/4 {
			break
		}
		members, err := store.PlayersByGuild(ctx, keys(part, func(g *model.Guild) string { return g.UUID }))
		if err != nil {
			return nil, err
		}
		for _, of := range members {
			add(keys(of, func(p *model.Player) string { return p.UUID }), most*3/4)
		}
	}
	online, err := store.OnlinePlayers(ctx, false)
	if err != nil {
		return nil, err
	}
	add(keys(online, func(p *model.Player) string { return p.UUID }), most)
	for after := ""; len(chosen) < most; {
		uuids, err := store.UUIDsAfter(ctx, mongo.RankedPlayers, after, most)
		if err != nil {
			return nil, err
		}
		if len(uuids) == 0 {
			break
		}
		after = uuids[len(uuids)-1]
		add(uuids, most)
	}
	slices.SortFunc(chosen, strings.Compare)
	return chosen, nil
}

func keys[T any](records []*T, key func(*T) string) []string {
	out := make([]string, len(records))
	for i, r := range records {
		out[i] = key(r)
	}
	return out
}

// start is the moment a world begins at, as records can hold it.
func (o Options) start() time.Time {
	if o.Start.IsZero() {
		return time.Now().UTC().Truncate(time.Millisecond)
	}
	return o.Start.UTC().Truncate(time.Millisecond)
}
