package mongo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
)

// ErrGuildName is wrapped by the errors of writes that would give two guilds one name, case
// ignored.
var ErrGuildName = errors.New("two guilds cannot have one name")

// GuildRanks are the ranks of a guild, highest first.
var GuildRanks = []string{"OWNER", "CHIEF", "STRATEGIST", "CAPTAIN", "RECRUITER", "RECRUIT"}

// RankStars returns the stars of a guild rank: five for the owner, none for a recruit or an unknown
// rank.
func RankStars(rank string) string {
	at := slices.Index(GuildRanks, rank)
	if at < 0 {
		return ""
	}
	return strings.Repeat("★", len(GuildRanks)-1-at)
}

// GuildsByUUID reads guilds in the order of their uuids; nil where none has one.
func (s *Store) GuildsByUUID(ctx context.Context, uuids []string) ([]*model.Guild, error) {
	found, err := find[model.Guild](ctx, s.db.Collection(Guilds), bson.D{{Key: "_id", Value: in(uuids)}})
	if err != nil {
		return nil, err
	}
	return inKeyOrder(uuids, found, guildUUID), nil
}

// GuildsByName reads guilds in the order of their names, case ignored; nil where none has one.
func (s *Store) GuildsByName(ctx context.Context, names []string) ([]*model.Guild, error) {
	folded := foldAll(names)
	found, err := find[model.Guild](ctx, s.db.Collection(Guilds), bson.D{{Key: "nameFold", Value: in(folded)}})
	if err != nil {
		return nil, err
	}
	return inKeyOrder(folded, found, func(g *model.Guild) string { return g.NameFold }), nil
}

// GuildsByPrefix reads the guilds of each tag, case ignored; several may share one.
func (s *Store) GuildsByPrefix(ctx context.Context, prefixes []string) ([][]*model.Guild, error) {
	folded := foldAll(prefixes)
	found, err := find[model.Guild](ctx, s.db.Collection(Guilds), bson.D{{Key: "prefixFold", Value: in(folded)}})
	if err != nil {
		return nil, err
	}
	return groupedByKey(folded, found, func(g *model.Guild) string { return g.PrefixFold }), nil
}

// PlayersByGuild reads the members of each guild: the players whose record names it.
func (s *Store) PlayersByGuild(ctx context.Context, uuids []string) ([][]*model.Player, error) {
	found, err := find[model.Player](ctx, s.db.Collection(Players), bson.D{{Key: "guild.uuid", Value: in(uuids)}})
	if err != nil {
		return nil, err
	}
	return groupedByKey(uuids, found, func(p *model.Player) string { return p.Guild.UUID }), nil
}

// InsertGuilds adds new guilds. One whose name is taken is ErrGuildName, and none is added.
func (s *Store) InsertGuilds(ctx context.Context, gs []*model.Guild) error {
	return s.writeGuilds(ctx, gs, insert[model.Guild])
}

// PutGuilds replaces guilds by uuid, or adds them. One whose name another guild has, also one
// that is renamed by the same call, is ErrGuildName, and none is written. They are purged.
func (s *Store) PutGuilds(ctx context.Context, gs []*model.Guild) error {
	err := s.writeGuilds(ctx, gs, func(ctx context.Context, c *collection, gs []*model.Guild) error {
		return put(ctx, c, "_id", gs, guildUUID)
	})
	if err != nil {
		return err
	}
	return purgeRecords(ctx, s, "guild", gs, guildUUID)
}

func (s *Store) writeGuilds(ctx context.Context, gs []*model.Guild, write func(context.Context, *collection,
	[]*model.Guild) error,
) error {
	if len(gs) == 0 {
		return nil
	}
	for _, g := range gs {
		g.NameFold, g.PrefixFold = Fold(g.Name), Fold(g.Prefix)
	}
	if err := s.checkGuildNames(ctx, gs); err != nil {
		return err
	}
	err := write(ctx, s.db.Collection(Guilds), gs)
	if driver.IsDuplicateKeyError(err) { // somebody else was faster, or a uuid is known
		return fmt.Errorf("%w, nor one uuid: %w", ErrGuildName, err)
	}
	return err
}

// checkGuildNames finds names that others have, before anything is written.
func (s *Store) checkGuildNames(ctx context.Context, gs []*model.Guild) error {
	owner := make(map[string]string, len(gs))
	names := make([]string, len(gs))
	for i, g := range gs {
		if other, taken := owner[g.NameFold]; taken && other != g.UUID {
			return fmt.Errorf("%w: %q is the name of %s and %s", ErrGuildName, g.Name, other, g.UUID)
		}
		owner[g.NameFold], names[i] = g.UUID, g.NameFold
	}
	ctx, cancel := withLongTimeout(ctx)
	defer cancel()
	found, err := find[model.Guild](ctx, s.db.Collection(Guilds), bson.D{{Key: "nameFold", Value: in(names)}},
		options.Find().SetProjection(bson.D{{Key: "nameFold", Value: 1}}))
	if err != nil {
		return err
	}
	for _, g := range found {
		if wanted := owner[g.NameFold]; wanted != g.UUID {
			return fmt.Errorf("%w: %q is the name of %s, not of %s", ErrGuildName, g.NameFold, g.UUID, wanted)
		}
	}
	return nil
}

func guildUUID(g *model.Guild) string { return g.UUID }
