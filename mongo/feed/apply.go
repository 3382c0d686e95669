package feed

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// Applied is what Apply did.
type Applied struct {
	Result
	// Errors has an entry for each event: nil when it was applied, else why it was not.
	Errors []*Error
}

// Options are those of Apply.
type Options struct {
	// Now is the time of events that have none.
	Now time.Time
}

// Apply applies events in their order and writes them with few commands. An event that cannot be applied
// is left out and does not affect the others.
//
// Counters are added in the store, so that several callers may count at once. Lists and levels are set
// from the records that Apply reads, so that events about one player, guild or territory must not be
// applied concurrently.
//
// After an error of the store part of the batch may be written; counters may then count twice when the
// events are applied again.
func Apply(ctx context.Context, store *mongo.Store, events []Event, o Options) (Applied, error) {
	var done Applied
	b, errs, err := plan(ctx, store, events, o)
	if err != nil {
		return done, err
	}
	done.Errors = errs
	done.Result, err = b.Write(ctx, store)
	return done, err
}

// plan returns what the events change, and an error for each that cannot be applied. It writes nothing.
func plan(ctx context.Context, store *mongo.Store, events []Event, o Options) (*Batch, []*Error, error) {
	r, err := load(ctx, store, events)
	if err != nil {
		return nil, nil, err
	}
	r.now = o.Now
	b, errs := &Batch{}, make([]*Error, len(events))
	for i, e := range events {
		if err := r.check(e); err != nil {
			errs[i] = err
		} else if err := e.apply(b, r); err != nil && !errors.As(err, &errs[i]) {
			return nil, nil, err
		}
	}
	return b, errs, nil
}

// records are those that some events refer to, with all changes so far.
type records struct {
	now         time.Time
	players     map[PlayerID]*model.Player
	characters  map[CharacterID]*model.Character
	guilds      map[GuildID]*model.Guild
	territories map[TerritoryName]*model.Territory
	seasons     map[int]*model.GuildSeason
	// guildOfName has the guilds whose names new and renamed guilds want.
	guildOfName map[string]GuildID
}

// load reads the records that events refer to.
func load(ctx context.Context, store *mongo.Store, events []Event) (*records, error) {
	r := &records{
		players: map[PlayerID]*model.Player{}, characters: map[CharacterID]*model.Character{},
		guilds: map[GuildID]*model.Guild{}, territories: map[TerritoryName]*model.Territory{},
		seasons: map[int]*model.GuildSeason{}, guildOfName: map[string]GuildID{},
	}
	ids := map[reflect.Type][]string{}
	var names []string
	rated := false
	for _, e := range events {
		for _, f := range references(e) {
			if f.id != "" {
				ids[f.kind] = append(ids[f.kind], f.id)
			}
		}
		switch e := e.(type) {
		case *GuildAdded:
			names = append(names, e.Name)
		case *GuildRenamed:
			names = append(names, e.Name)
			ids[territoryName] = append(ids[territoryName], "")
		case *SeasonRated:
			rated = true
		}
	}
	for _, list := range ids {
		slices.Sort(list)
	}
	if err := fill(ctx, r.characters, ids[characterID], store.CharactersByUUID); err != nil {
		return nil, err
	}
	for _, c := range r.characters {
		ids[playerID] = append(ids[playerID], c.Owner)
	}
	slices.Sort(ids[playerID])
	if err := errors.Join(
		fill(ctx, r.players, ids[playerID], store.PlayersByUUID),
		fill(ctx, r.guilds, ids[guildID], store.GuildsByUUID),
		r.loadNames(ctx, store, names),
	); err != nil {
		return nil, err
	}
	if rated {
		if err := r.loadSeasons(ctx, store); err != nil {
			return nil, err
		}
	}
	if ids[territoryName] != nil {
		return r, r.loadTerritories(ctx, store)
	}
	return r, nil
}

// fill reads records by sorted ids, of which some may be equal.
func fill[K ~string, T any](ctx context.Context, to map[K]*T, ids []string,
	read func(context.Context, []string) ([]*T, error),
) error {
	ids = slices.Compact(ids)
	if len(ids) == 0 {
		return nil
	}
	found, err := read(ctx, ids)
	for i, record := range found {
		if record != nil {
			to[K(ids[i])] = record
		}
	}
	return err
}

func (r *records) loadNames(ctx context.Context, store *mongo.Store, names []string) error {
	if len(names) == 0 {
		return nil
	}
	found, err := store.GuildsByName(ctx, names)
	for _, g := range found {
		if g != nil {
			r.guildOfName[g.NameFold] = GuildID(g.UUID)
		}
	}
	return err
}

func (r *records) loadSeasons(ctx context.Context, store *mongo.Store) error {
	seasons, err := mongo.Seasons.Read(ctx, store)
	for _, s := range seasons {
		r.seasons[s.Number] = s
	}
	return err
}

// loadTerritories reads all: whether a guild has headquarters depends on all that it holds.
func (r *records) loadTerritories(ctx context.Context, store *mongo.Store) error {
	list, err := store.Territories(ctx)
	if err != nil {
		return err
	}
	resources, err := store.TerritoryResources(ctx)
	for _, t := range list {
		t.Resources = resources[t.Name]
		r.territories[TerritoryName(t.Name)] = t
	}
	return err
}

// check returns an error when a record that an event refers to is missing, or one that it adds exists.
func (r *records) check(e Event) *Error {
	for _, f := range references(e) {
		exists := r.exists(f)
		switch {
		case f.id == "" && f.optional, f.deleted:
		case f.id == "":
			return invalid(f.field, "%s is missing", f.field)
		case f.added && exists:
			return conflict(f.field, "%s %s exists", nouns[f.kind], f.id)
		case !f.added && !exists:
			return &Error{Unknown, f.field, "there is no " + nouns[f.kind] + " " + f.id}
		}
		if c := r.characters[CharacterID(f.id)]; f.kind == characterID && c != nil && r.players[PlayerID(c.Owner)] == nil {
			return &Error{Unknown, f.field, "there is no player " + c.Owner + ", who owns character " + f.id}
		}
	}
	return nil
}

func (r *records) exists(f reference) (ok bool) {
	switch f.kind {
	case playerID:
		_, ok = r.players[PlayerID(f.id)]
	case characterID:
		_, ok = r.characters[CharacterID(f.id)]
	case guildID:
		_, ok = r.guilds[GuildID(f.id)]
	case territoryName:
		_, ok = r.territories[TerritoryName(f.id)]
	}
	return ok
}

// owner returns the player of a character.
func (r *records) owner(c *model.Character) *model.Player { return r.players[PlayerID(c.Owner)] }

// at returns the time of an event.
func (r *records) at(t time.Time) time.Time {
	if t.IsZero() {
		t = r.now
	}
	return t.UTC().Truncate(time.Millisecond)
}

// members returns the loaded members of a guild.
func (r *records) members(guild string) []*model.Player {
	var out []*model.Player
	for _, p := range r.players {
		if p.Guild != nil && p.Guild.UUID == guild {
			out = append(out, p)
		}
	}
	return out
}

// held returns the territories of a guild except one, by name.
func (r *records) held(guild string, except *model.Territory) []*model.Territory {
	var out []*model.Territory
	for _, t := range r.territories {
		if t != except && t.Guild != nil && t.Guild.UUID != nil && *t.Guild.UUID == guild {
			out = append(out, t)
		}
	}
	slices.SortFunc(out, func(a, b *model.Territory) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	return out
}
