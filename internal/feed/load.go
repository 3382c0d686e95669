package feed

import (
	"context"
	"errors"
	"reflect"
	"slices"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// needs lists the records to load besides the records that events refer to.
type needs struct {
	charactersOf []string // all characters of players, by uuid
	membersOf    []string // all members of guilds, by uuid
	guildNames   []string // the guilds that have these names
	former       []string // disbanded guilds, by uuid
	land         bool     // all territories
	seasons      bool     // all seasons
}

// load reads the records that events refer to. If names is set, it also reads the guilds that already have a requested
// name.
func (g *Game) load(ctx context.Context, store *mongo.Store, events []Event, names bool) error {
	ids := map[reflect.Type][]string{}
	var more needs
	for _, e := range events {
		for _, f := range references(e) {
			if f.String() != "" {
				ids[f.Type()] = append(ids[f.Type()], f.String())
			}
		}
		if e, ok := e.(interface{ needs(*needs) }); ok {
			e.needs(&more)
		}
	}
	if err := errors.Join(
		fill(ctx, g, &g.characters, ids[characterID], store.Characters.ByID),
		fillLists(ctx, &g.characters, more.charactersOf, store.Characters.ByOwner,
			func(c *model.Character) CharacterID { return CharacterID(c.UUID) }),
	); err != nil {
		return err
	}
	for _, c := range g.characters.now {
		ids[playerID] = append(ids[playerID], c.Owner)
	}
	if more.land || ids[territoryName] != nil {
		if err := g.loadTerritories(ctx, store); err != nil {
			return err
		}
		for _, name := range ids[territoryName] {
			if t := g.territories.now[TerritoryName(name)]; t != nil && t.Guild != nil && t.Guild.UUID != nil {
				ids[guildID] = append(ids[guildID], *t.Guild.UUID) // the holder, who may lose the territory
			}
		}
	}
	if err := errors.Join(
		fill(ctx, g, &g.players, ids[playerID], store.Players.ByID),
		fill(ctx, g, &g.guilds, ids[guildID], store.Guilds.ByID),
		fillLists(ctx, &g.players, more.membersOf, store.Players.ByGuild,
			func(p *model.Player) PlayerID { return PlayerID(p.UUID) }),
	); err != nil {
		return err
	}
	if names {
		if err := g.loadGuildsOf(ctx, store, more.guildNames); err != nil {
			return err
		}
	}
	if more.seasons {
		if err := g.loadSeasons(ctx, store); err != nil {
			return err
		}
	}
	former, err := store.FormerGuilds.ByID(ctx, more.former)
	for i, f := range former {
		g.former[more.former[i]] = f
	}
	return g.exceptMalformed(more.former, err)
}

// fill reads records by ids; some ids may be equal.
func fill[K ~string, T mongo.Stored](ctx context.Context, g *Game, to *table[K, T], ids []string,
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
			to.read(K(ids[i]), record)
		}
	}
	return g.exceptMalformed(ids, err)
}

// exceptMalformed returns nil for an error that only reports malformed records. It notes these records: events that
// need them are rejected, and the others are applied.
func (g *Game) exceptMalformed(keys []string, err error) error {
	var bad *mongo.MalformedError
	if !errors.As(err, &bad) {
		return err
	}
	for i := range bad.Failures {
		g.malformed[keys[i]] = true
	}
	return nil
}

// fillLists reads all records of some owners, by the owners' uuids.
func fillLists[K ~string, T mongo.Stored](ctx context.Context, to *table[K, T], owners []string,
	read func(context.Context, []string) ([][]*T, error), id func(*T) K,
) error {
	if len(owners) == 0 {
		return nil
	}
	found, err := read(ctx, slices.Compact(slices.Sorted(slices.Values(owners))))
	for _, record := range slices.Concat(found...) {
		to.read(id(record), record)
	}
	return err
}

func (g *Game) loadGuildsOf(ctx context.Context, store *mongo.Store, names []string) error {
	if len(names) == 0 {
		return nil
	}
	folded := make([]string, len(names))
	for i, name := range names {
		folded[i] = mongo.Fold(name)
	}
	found, err := store.Guilds.ByName(ctx, folded)
	for _, guild := range found {
		if guild != nil {
			g.guildOfName[guild.NameFold] = GuildID(guild.UUID)
		}
	}
	return g.exceptMalformed(folded, err)
}

func (g *Game) loadSeasons(ctx context.Context, store *mongo.Store) error {
	seasons, err := mongo.Seasons.Read(ctx, store)
	for _, s := range seasons {
		g.AddSeason(s)
	}
	return err
}

// loadTerritories reads all territories: a guild's headquarters depends on all the territories it holds.
func (g *Game) loadTerritories(ctx context.Context, store *mongo.Store) error {
	list, err := store.Territories.Records(ctx)
	for _, t := range list {
		g.territories.read(TerritoryName(t.Name), t)
	}
	return err
}

// check returns an error if a referenced record is missing or an added record already exists.
func (g *Game) check(values []value) error {
	for _, f := range values {
		if f.noun == "" {
			continue
		}
		id, exists := f.String(), g.exists(f)
		switch {
		case g.malformed[id]:
			return conflict(f.field, "the record of %s %s is malformed", f.noun, id)
		case id == "", f.deleted:
		case f.added && g.gone[id]:
			return errTwoLives
		case f.added && exists:
			return conflict(f.field, "%s %s exists", f.noun, id)
		case !f.added && !exists:
			return &Error{Unknown, f.field, "there is no " + f.noun + " " + id}
		}
		if c := g.characters.now[CharacterID(id)]; f.Type() == characterID && c != nil {
			if err := g.checkOwner(f.field, c); err != nil {
				return err
			}
		}
	}
	return nil
}

func (g *Game) checkOwner(field string, c *model.Character) error {
	switch {
	case g.malformed[c.Owner]:
		return conflict(field, "the record of player %s, who owns character %s, is malformed", c.Owner, c.UUID)
	case g.owner(c) == nil:
		return &Error{Unknown, field, "there is no player " + c.Owner + ", who owns character " + c.UUID}
	}
	return nil
}

func (g *Game) exists(f value) (ok bool) {
	switch id := f.String(); f.Type() {
	case playerID:
		_, ok = g.players.now[PlayerID(id)]
	case characterID:
		_, ok = g.characters.now[CharacterID(id)]
	case guildID:
		_, ok = g.guilds.now[GuildID(id)]
	case territoryName:
		_, ok = g.territories.now[TerritoryName(id)]
	}
	return ok
}
