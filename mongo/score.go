package mongo

import (
	"context"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
	"gamedata/mongo/conn"
)

// A refresh of the leaderboards reads only the fields of records that count on boards.

var (
	playerScores = projection("globalData.contentCompletion", "globalData.totalLevel",
		"globalData.wars", "globalData.raids", "globalData.guildRaids", "gambits", "banned")
	scoredPlayer    = append(projection("guild.uuid"), playerScores...) // with the guild, which is refreshed too
	scoredCharacter = projection("owner", "type", "level", "xp", "totalLevel", "gamemode", "contentCompletion",
		"professions", "professionXp")
	scoredGuild    = projection("totalGuildRaids", "raidTallies", "seasonRanks", addedField)
	experienceOnly = projection("owner", "type", "xp", "professionXp")
)

// Rescored reports whether two versions of a record differ in a field that counts on boards; true for a new record.
func Rescored[T Stored](before, after *T) bool {
	return before == nil || recordTypeOf[T]().rescored(before, after)
}

func (r *recordType) rescored(before, after any) bool {
	counts := map[string]bson.D{Players: playerScores, Characters: scoredCharacter, Guilds: scoredGuild}[r.collection]
	return slices.ContainsFunc(r.changed(before, after), func(f storedField) bool {
		return slices.ContainsFunc(counts, func(e bson.E) bool {
			return e.Key == f.name || strings.HasPrefix(e.Key, f.name+".")
		})
	})
}

// ScoreStore reads the fields that count on leaderboards, and flags records for the next refresh.
type ScoreStore struct{ family }

// Players reads the fields that count on boards, of players and their characters in the order of the uuids; nil for an
// unknown player.
func (s *ScoreStore) Players(ctx context.Context, uuids []string) ([]*model.Player, [][]*model.Character, error) {
	ctx = conn.WithLongTimeout(ctx)
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
	return inKeyOrder(uuids, ps, playerUUID), groupByOwner(uuids, cs), nil
}

// Guilds reads the fields that count on boards, of guilds in the order of the uuids; nil for an unknown guild.
func (s *ScoreStore) Guilds(ctx context.Context, uuids []string) ([]*model.Guild, error) {
	ctx = conn.WithLongTimeout(ctx)
	found, err := find[model.Guild](ctx, s.db.Collection(Guilds), bson.D{{Key: "_id", Value: in(uuids)}},
		options.Find().SetProjection(scoredGuild))
	return inKeyOrder(uuids, found, guildUUID), err
}

// UUIDsAfter lists up to limit players or guilds after a uuid, in order.
func (s *ScoreStore) UUIDsAfter(ctx context.Context, of Ranked, after string, limit int) ([]string, error) {
	return s.db.ids(ctx, string(of), bson.D{}, after, "", limit)
}

// UUIDsBetween lists the players or guilds after one uuid up to another, in order.
func (s *ScoreStore) UUIDsBetween(ctx context.Context, of Ranked, after, last string) ([]string, error) {
	return s.db.allIDs(ctx, string(of), bson.D{}, after, last)
}

// NextFlagged lists up to limit players or guilds that are flagged for the next refresh.
func (s *ScoreStore) NextFlagged(ctx context.Context, of Ranked, limit int) ([]string, error) {
	return s.db.ids(ctx, string(of), bson.D{{Key: "flagged", Value: true}}, "", "", limit)
}

// Flag flags players or guilds for the next refresh.
func (s *ScoreStore) Flag(ctx context.Context, of Ranked, uuids []string) error {
	return s.updateAll(ctx, of, uuids, bson.D{{Key: "$set", Value: bson.D{{Key: "flagged", Value: true}}}})
}

// ClearFlags removes the flags.
func (s *ScoreStore) ClearFlags(ctx context.Context, of Ranked, uuids []string) error {
	return s.updateAll(ctx, of, uuids, bson.D{{Key: "$unset", Value: bson.D{{Key: "flagged", Value: ""}}}})
}

func (s *ScoreStore) updateAll(ctx context.Context, of Ranked, uuids []string, update bson.D) error {
	if len(uuids) == 0 {
		return nil
	}
	ctx = conn.WithLongTimeout(ctx)
	_, err := s.db.Collection(string(of)).UpdateMany(ctx, bson.D{{Key: "_id", Value: in(uuids)}}, update)
	return err
}
