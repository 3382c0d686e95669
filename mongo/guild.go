package mongo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
	"gamedata/mongo/conn"
)

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

// GuildStore reads and writes guilds.
type GuildStore struct{ gameTable[model.Guild] }

// ByName reads guilds in the order of their names, case ignored; nil for an unknown name.
func (s *GuildStore) ByName(ctx context.Context, names []string) ([]*model.Guild, error) {
	return findInOrder(ctx, s.any.records(), "nameFold", foldAll(names), func(g *model.Guild) string { return g.NameFold })
}

// ByPrefix reads the guilds of each tag, case ignored. Several guilds may share a tag; they are sorted by folded name.
func (s *GuildStore) ByPrefix(ctx context.Context, prefixes []string) ([][]*model.Guild, error) {
	return findGrouped(ctx, s.db.Collection(Guilds), "prefixFold", foldAll(prefixes),
		func(g *model.Guild) string { return g.PrefixFold }, sortedBy("prefixFold", "nameFold"))
}

// CountMembers counts the members of guilds in the order of the uuids.
func (s *GuildStore) CountMembers(ctx context.Context, uuids []string) ([]int, error) {
	members, err := s.countMembers(ctx, in(uuids))
	if err != nil {
		return nil, err
	}
	return each(uuids, func(uuid string) int { return members[uuid] }), nil
}

// MemberCounts counts the members of every guild that has any, by its uuid. An index covers the query.
func (s *GuildStore) MemberCounts(ctx context.Context) (map[string]int, error) {
	return s.countMembers(conn.WithLongTimeout(ctx), bson.D{{Key: "$gt", Value: ""}})
}

func (s *GuildStore) countMembers(ctx context.Context, guilds bson.D) (map[string]int, error) {
	type count struct {
		UUID    string `bson:"_id"`
		Members int    `bson:"members"`
	}
	pipeline := bson.A{
		bson.D{{Key: "$match", Value: bson.D{{Key: "guild.uuid", Value: guilds}}}},
		bson.D{{Key: "$group", Value: bson.D{
			{Key: "_id", Value: "$guild.uuid"},
			{Key: "members", Value: bson.D{{Key: "$sum", Value: 1}}},
		}}},
	}
	found, err := conn.Aggregate[count](ctx, s.db.Collection(Players), pipeline)
	if err != nil {
		return nil, err
	}
	members := make(map[string]int, len(found))
	for _, f := range found {
		members[f.UUID] = f.Members
	}
	return members, nil
}

// Insert adds new guilds to a store that no one uses yet. It returns ErrGuildName when a name is taken.
func (s *GuildStore) Insert(ctx context.Context, guilds []*model.Guild) error {
	return s.withNames(ctx, guilds, func(ctx context.Context) error { return s.gameTable.Insert(ctx, guilds) })
}

// Put replaces guilds by uuid, or adds them, and purges them. When another guild has one of the names, even one that
// the same call renames, it returns ErrGuildName and writes nothing.
func (s *GuildStore) Put(ctx context.Context, guilds []*model.Guild) error {
	return s.withNames(ctx, guilds, func(ctx context.Context) error { return s.gameTable.Put(ctx, guilds) })
}

// Import is Put, but treats missing guilds as new.
func (s *GuildStore) Import(ctx context.Context, guilds []*model.Guild) error {
	return s.withNames(ctx, guilds, func(ctx context.Context) error { return s.gameTable.Import(ctx, guilds) })
}

func (s *GuildStore) withNames(ctx context.Context, guilds []*model.Guild, write func(context.Context) error) error {
	if len(guilds) == 0 {
		return nil
	}
	if err := s.checkNames(ctx, guilds); err != nil {
		return err
	}
	err := write(ctx)
	if errors.Is(err, ErrTaken) { // a concurrent write took the name, or the uuid exists
		return fmt.Errorf("%w, and so must uuids: %w", ErrGuildName, err)
	}
	return err
}

// checkNames finds taken names before anything is written.
func (s *GuildStore) checkNames(ctx context.Context, guilds []*model.Guild) error {
	owner := make(map[string]string, len(guilds))
	names := make([]string, len(guilds))
	for i, g := range guilds {
		g.NameFold, g.PrefixFold = Fold(g.Name), Fold(g.Prefix)
		if other, taken := owner[g.NameFold]; taken && other != g.UUID {
			return fmt.Errorf("%w: %q is the name of %s and %s", ErrGuildName, g.Name, other, g.UUID)
		}
		owner[g.NameFold], names[i] = g.UUID, g.NameFold
	}
	ctx = conn.WithLongTimeout(ctx)
	found, err := find[model.Guild](ctx, s.db.Collection(Guilds), bson.D{{Key: "nameFold", Value: in(names)}},
		options.Find().SetProjection(projection("nameFold")))
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

// FormerGuildStore reads disbanded guilds.
type FormerGuildStore struct{ table[model.FormerGuild] }

// UUIDs lists all disbanded guilds.
func (s *FormerGuildStore) UUIDs(ctx context.Context) ([]string, error) {
	return s.db.allIDs(ctx, FormerGuilds, bson.D{}, "", "")
}
