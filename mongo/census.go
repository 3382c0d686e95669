package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
	"gamedata/mongo/conn"
)

// A census reads only the fields that it counts by.

var (
	countedPlayer    = projection("guild.uuid")
	countedCharacter = projection("owner", "type", "level", "gamemode")
	countedGuild     = projection("level")
)

const censusKey = "census"

// CensusStore reads the records that a census counts, and stores its result.
type CensusStore struct{ family }

// Players reads the fields that a census counts, of up to limit players after a uuid, in order.
func (s *CensusStore) Players(ctx context.Context, after string, limit int) ([]*model.Player, error) {
	return findPage(conn.WithLongTimeout(ctx), s.db.Collection(Players), idAfter, after, limit, playerUUID,
		sortedBy("_id").SetProjection(countedPlayer))
}

// Characters reads the fields that a census counts, of the characters of up to limit players after a uuid. It returns
// the uuid of the last player, empty at the end.
func (s *CensusStore) Characters(ctx context.Context, after string, limit int) ([]*model.Character, string, error) {
	owners, err := s.store.Scores.UUIDsAfter(ctx, RankedPlayers, after, limit)
	if err != nil {
		return nil, "", err
	}
	span, last := bson.D{{Key: "$gt", Value: after}}, ""
	if len(owners) == limit {
		last = owners[limit-1]
		span = append(span, bson.E{Key: "$lte", Value: last})
	}
	characters, err := find[model.Character](conn.WithLongTimeout(ctx), s.db.Collection(Characters),
		bson.D{{Key: "owner", Value: span}}, options.Find().SetProjection(countedCharacter))
	return characters, last, err
}

// Guilds is Players for guilds.
func (s *CensusStore) Guilds(ctx context.Context, after string, limit int) ([]*model.Guild, error) {
	return findPage(conn.WithLongTimeout(ctx), s.db.Collection(Guilds), idAfter, after, limit, guildUUID,
		sortedBy("_id").SetProjection(countedGuild))
}

// Read returns the last census, an empty one before the first.
func (s *CensusStore) Read(ctx context.Context) (*model.Census, error) {
	var c model.Census
	_, err := s.store.ReadMark(ctx, censusKey, &c)
	return &c, err
}

// Put replaces the census.
func (s *CensusStore) Put(ctx context.Context, c *model.Census) error {
	return s.store.SetMark(ctx, censusKey, c)
}

// Estimate returns the approximate number of records in a collection.
func (s *CensusStore) Estimate(ctx context.Context, collection string) (int64, error) {
	return s.db.Collection(collection).EstimatedCount(conn.WithLongTimeout(ctx))
}

// Records returns the approximate numbers of players and guilds.
func (s *CensusStore) Records(ctx context.Context) (players, guilds int64, err error) {
	if players, err = s.store.Players.EstimateCount(conn.WithLongTimeout(ctx)); err != nil {
		return 0, 0, err
	}
	guilds, err = s.db.Collection(Guilds).EstimatedCount(conn.WithLongTimeout(ctx))
	return players, guilds, err
}
