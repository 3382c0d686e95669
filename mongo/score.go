package mongo

import (
	"context"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
)

// What a refresh of the leaderboards reads: records cut down to what counts on boards.

func projection(fields ...string) bson.D {
	d := make(bson.D, len(fields))
	for i, f := range fields {
		d[i] = bson.E{Key: f, Value: 1}
	}
	return d
}

var (
	scoredPlayer = projection("guild.uuid", "globalData.contentCompletion", "globalData.totalLevel", "globalData.wars",
		"globalData.raids",
		"globalData.guildRaids", "gambits", "ranking")
	scoredCharacter = projection("owner", "level", "xp", "totalLevel", "gamemode", "contentCompletion", "professions",
		"professionXp")
	scoredGuild = projection("totalGuildRaids", "raidTallies", "seasonRanks", "ranking")
	experienced = projection("owner", "xp", "professionXp")
)

// ScoredPlayers reads players and their characters, what counts of them, in the order of the
// uuids: nil where there is no player.
func (s *Store) ScoredPlayers(ctx context.Context, uuids []string) ([]*model.Player, [][]*model.Character, error) {
	ctx, cancel := withLongTimeout(ctx)
	defer cancel()
	ps, err := find[model.Player](ctx, s.db.Collection(Players), bson.D{{Key: "_id", Value: in(uuids)}},
		options.Find().SetProjection(scoredPlayer))
	if err != nil {
		return nil, nil, err
	}
	cs, err := find[model.Character](ctx, s.db.Collection(Characters), bson.D{{Key: "owner", Value: in(uuids)}},
		options.Find().SetProjection(scoredCharacter))
	if err != nil {
		return nil, nil, err
	}
	return inKeyOrder(uuids, ps, playerUUID), byOwner(uuids, cs), nil
}

// NextScoredPlayers reads the players behind a uuid, in order, and their characters, what
// counts of them.
func (s *Store) NextScoredPlayers(ctx context.Context, after string, limit int) ([]*model.Player, [][]*model.Character,
	error,
) {
	ctx, cancel := withLongTimeout(ctx)
	defer cancel()
	ps, err := find[model.Player](ctx, s.db.Collection(Players), idAfter(after),
		options.Find().SetProjection(scoredPlayer).SetSort(bson.D{{Key: "_id", Value: 1}}).SetLimit(int64(limit)))
	if err != nil || len(ps) == 0 {
		return nil, nil, err
	}
	uuids := make([]string, len(ps))
	for i, p := range ps {
		uuids[i] = p.UUID
	}
	cs, err := find[model.Character](ctx, s.db.Collection(Characters),
		bson.D{{Key: "owner", Value: bson.D{{Key: "$gt", Value: after}, {Key: "$lte", Value: uuids[len(uuids)-1]}}}},
		options.Find().SetProjection(scoredCharacter))
	return ps, byOwner(uuids, cs), err
}

// byOwner groups characters by player, those of one player by uuid.
func byOwner(uuids []string, cs []*model.Character) [][]*model.Character {
	groups := groupedByKey(uuids, cs, func(c *model.Character) string { return c.Owner })
	for _, g := range groups {
		slices.SortFunc(g, func(a, b *model.Character) int { return strings.Compare(a.UUID, b.UUID) })
	}
	return groups
}

// ScoredGuilds reads guilds, what counts of them, in the order of the uuids: nil where there
// is none.
func (s *Store) ScoredGuilds(ctx context.Context, uuids []string) ([]*model.Guild, error) {
	ctx, cancel := withLongTimeout(ctx)
	defer cancel()
	found, err := find[model.Guild](ctx, s.db.Collection(Guilds), bson.D{{Key: "_id", Value: in(uuids)}},
		options.Find().SetProjection(scoredGuild))
	if err != nil {
		return nil, err
	}
	return inKeyOrder(uuids, found, guildUUID), nil
}

// UUIDsAfter lists the players or guilds behind a uuid in order.
func (s *Store) UUIDsAfter(ctx context.Context, of Ranked, after string, limit int) ([]string, error) {
	return s.ids(ctx, string(of), idAfter(after), limit)
}

// UUIDsBetween lists the players or guilds behind a uuid up to another one, in order.
func (s *Store) UUIDsBetween(ctx context.Context, of Ranked, after, last string) ([]string, error) {
	return s.ids(ctx, string(of), bson.D{{Key: "_id", Value: bson.D{{Key: "$gt", Value: after}, {
		Key:   "$lte",
		Value: last,
	}}}}, 0)
}

// OnlineUUIDs lists the players who are online.
func (s *Store) OnlineUUIDs(ctx context.Context) ([]string, error) {
	return s.ids(ctx, Players, bson.D{{Key: "online", Value: true}}, 0)
}

// FlaggedUUIDs lists the players or guilds that ask to be looked at.
func (s *Store) FlaggedUUIDs(ctx context.Context, of Ranked) ([]string, error) {
	return s.ids(ctx, string(of), bson.D{{Key: "flagged", Value: true}}, 0)
}

// SetFlags asks the next refresh to look at players or guilds.
func (s *Store) SetFlags(ctx context.Context, of Ranked, uuids []string) error {
	return s.updateAll(ctx, of, uuids, bson.D{{Key: "$set", Value: bson.D{{Key: "flagged", Value: true}}}})
}

// ClearFlags takes the flags away.
func (s *Store) ClearFlags(ctx context.Context, of Ranked, uuids []string) error {
	return s.updateAll(ctx, of, uuids, bson.D{{Key: "$unset", Value: bson.D{{Key: "flagged", Value: ""}}}})
}

func (s *Store) updateAll(ctx context.Context, of Ranked, uuids []string, update bson.D) error {
	if len(uuids) == 0 {
		return nil
	}
	ctx, cancel := withLongTimeout(ctx)
	defer cancel()
	_, err := s.db.Collection(string(of)).UpdateMany(ctx, bson.D{{Key: "_id", Value: in(uuids)}}, update)
	return translateError(err)
}

// ExperienceByOwner reads the experience of every character of players by the player's uuid:
// partial records.
func (s *Store) ExperienceByOwner(ctx context.Context, uuids []string) ([][]*model.Character, error) {
	found, err := find[model.Character](ctx, s.db.Collection(Characters), bson.D{{Key: "owner", Value: in(uuids)}},
		options.Find().SetProjection(experienced))
	return byOwner(uuids, found), err
}
