package feed

import (
	"context"
	"errors"
	"maps"
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
	// LinkCode returns the record of a link code that was made for a player at a time, or an error for the
	// user when the code is malformed. Without it LinkCodeCreated cannot be applied.
	LinkCode func(player, code string, at time.Time) (*model.LinkCode, error)
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
	ctx = mongo.FromPrimary(ctx)
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
	r.now, r.linkCode = o.Now, o.LinkCode
	b, errs := &Batch{At: r.at(time.Time{})}, make([]*Error, len(events))
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
	linkCode    func(player, code string, at time.Time) (*model.LinkCode, error)
	players     map[PlayerID]*model.Player
	characters  map[CharacterID]*model.Character
	guilds      map[GuildID]*model.Guild
	territories map[TerritoryName]*model.Territory
	seasons     map[int]*model.GuildSeason
	// guildOfName has the guilds whose names new and renamed guilds want.
	guildOfName map[string]GuildID
	// malformed has the ids of records that cannot be decoded, and the folded names of such guilds.
	malformed map[string]bool
}

// load reads the records that events refer to.
func load(ctx context.Context, store *mongo.Store, events []Event) (*records, error) {
	r := &records{
		players: map[PlayerID]*model.Player{}, characters: map[CharacterID]*model.Character{},
		guilds: map[GuildID]*model.Guild{}, territories: map[TerritoryName]*model.Territory{},
		seasons: map[int]*model.GuildSeason{}, guildOfName: map[string]GuildID{}, malformed: map[string]bool{},
	}
	ids := map[reflect.Type][]string{}
	var more needs
	for _, e := range events {
		for _, f := range references(e) {
			if f.id != "" {
				ids[f.kind] = append(ids[f.kind], f.id)
			}
		}
		if e, ok := e.(interface{ needs(*needs) }); ok {
			e.needs(&more)
		}
	}
	if err := errors.Join(
		fill(ctx, r, r.characters, ids[characterID], store.CharactersByUUID),
		r.loadCharactersOf(ctx, store, more.charactersOf),
	); err != nil {
		return nil, err
	}
	for _, c := range r.characters {
		ids[playerID] = append(ids[playerID], c.Owner)
	}
	if err := errors.Join(
		fill(ctx, r, r.players, ids[playerID], store.PlayersByUUID),
		fill(ctx, r, r.guilds, ids[guildID], store.GuildsByUUID),
		r.loadGuildsOf(ctx, store, more.guildNames),
	); err != nil {
		return nil, err
	}
	if more.seasons {
		if err := r.loadSeasons(ctx, store); err != nil {
			return nil, err
		}
	}
	if more.land || ids[territoryName] != nil {
		return r, r.loadTerritories(ctx, store)
	}
	return r, nil
}

// needs are the records that events need besides those that they refer to.
type needs struct {
	charactersOf []string // all characters of players, by uuid
	guildNames   []string // the guilds that have these names
	land         bool     // all territories
	seasons      bool     // all seasons
}

// fill reads records by ids, of which some may be equal.
func fill[K ~string, T any](ctx context.Context, r *records, to map[K]*T, ids []string,
	read func(context.Context, []string) ([]*T, error),
) error {
	if len(ids) == 0 {
		return nil
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	found, err := read(ctx, ids)
	for i, record := range found {
		if record != nil {
			to[K(ids[i])] = record
		}
	}
	return r.exceptMalformed(ids, err)
}

// exceptMalformed returns the error of a read by keys unless it only says that some records are malformed: these are
// noted, so that the events that need them are rejected and others applied.
func (r *records) exceptMalformed(keys []string, err error) error {
	var bad *mongo.MalformedError
	if !errors.As(err, &bad) {
		return err
	}
	for i := range bad.Failures {
		r.malformed[keys[i]] = true
	}
	return nil
}

func (r *records) loadCharactersOf(ctx context.Context, store *mongo.Store, players []string) error {
	if len(players) == 0 {
		return nil
	}
	found, err := store.CharactersByOwner(ctx, slices.Compact(slices.Sorted(slices.Values(players))))
	for _, list := range found {
		for _, c := range list {
			r.characters[CharacterID(c.UUID)] = c
		}
	}
	return err
}

func (r *records) loadGuildsOf(ctx context.Context, store *mongo.Store, names []string) error {
	if len(names) == 0 {
		return nil
	}
	folded := make([]string, len(names))
	for i, name := range names {
		folded[i] = mongo.Fold(name)
	}
	found, err := store.GuildsByName(ctx, folded)
	for _, g := range found {
		if g != nil {
			r.guildOfName[g.NameFold] = GuildID(g.UUID)
		}
	}
	return r.exceptMalformed(folded, err)
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
		case r.malformed[f.id]:
			return conflict(f.field, "the record of %s %s is malformed", nouns[f.kind], f.id)
		case f.id == "" && f.optional, f.deleted:
		case f.id == "":
			return invalid(f.field, "%s is missing", f.field)
		case f.added && exists:
			return conflict(f.field, "%s %s exists", nouns[f.kind], f.id)
		case !f.added && !exists:
			return &Error{Unknown, f.field, "there is no " + nouns[f.kind] + " " + f.id}
		}
		c := r.characters[CharacterID(f.id)]
		switch {
		case f.kind != characterID || c == nil:
		case r.malformed[c.Owner]:
			return conflict(f.field, "the record of player %s, who owns character %s, is malformed", c.Owner, f.id)
		case r.owner(c) == nil:
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

// charactersOf returns the loaded characters of a player, by uuid.
func (r *records) charactersOf(player string) []*model.Character {
	var out []*model.Character
	for _, id := range slices.Sorted(maps.Keys(r.characters)) {
		if c := r.characters[id]; c.Owner == player {
			out = append(out, c)
		}
	}
	return out
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
	for _, name := range slices.Sorted(maps.Keys(r.territories)) {
		t := r.territories[name]
		if t != except && t.Guild != nil && t.Guild.UUID != nil && *t.Guild.UUID == guild {
			out = append(out, t)
		}
	}
	return out
}
