package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
)

// A census reads only the fields that it counts by.

var (
	countedPlayer    = projection("guild.uuid")
	countedCharacter = projection("owner", "type", "level", "gamemode")
	countedGuild     = projection("level")
)

const censusKey = "census"

// CountedPlayers reads up to limit players after a uuid, in order: the fields that a census counts.
func (s *Store) CountedPlayers(ctx context.Context, after string, limit int) ([]*model.Player, error) {
	return findPage(withLongTimeout(ctx), s.players(), idAfter, after, limit, playerUUID,
		sortedBy("_id").SetProjection(countedPlayer))
}

// CountedCharacters reads the characters of up to limit players after a uuid: the fields that a census counts. It
// returns the uuid of the last player, empty at the end.
func (s *Store) CountedCharacters(ctx context.Context, after string, limit int) ([]*model.Character, string, error) {
	owners, err := s.UUIDsAfter(ctx, RankedPlayers, after, limit)
	if err != nil {
		return nil, "", err
	}
	span, last := bson.D{{Key: "$gt", Value: after}}, ""
	if len(owners) == limit {
		last = owners[limit-1]
		span = append(span, bson.E{Key: "$lte", Value: last})
	}
	characters, err := find[model.Character](withLongTimeout(ctx), s.characters(), bson.D{{Key: "owner", Value: span}},
		options.Find().SetProjection(countedCharacter))
	return characters, last, err
}

// CountedGuilds is CountedPlayers for guilds.
func (s *Store) CountedGuilds(ctx context.Context, after string, limit int) ([]*model.Guild, error) {
	return findPage(withLongTimeout(ctx), s.guilds(), idAfter, after, limit, guildUUID,
		sortedBy("_id").SetProjection(countedGuild))
}

// Census returns the last census, an empty one before the first.
func (s *Store) Census(ctx context.Context) (*model.Census, error) {
	var c model.Census
	_, err := s.ReadMark(ctx, censusKey, &c)
	return &c, err
}

// PutCensus replaces the census.
func (s *Store) PutCensus(ctx context.Context, c *model.Census) error {
	return s.SetMark(ctx, censusKey, c)
}

// EstimateRecords returns about how many records a collection has.
func (s *Store) EstimateRecords(ctx context.Context, collection string) (int64, error) {
	n, err := s.db.Collection(collection).EstimatedDocumentCount(withLongTimeout(ctx))
	return n, translateError(err)
}

// CountRecords returns about how many players and guilds there are.
func (s *Store) CountRecords(ctx context.Context) (players, guilds int64, err error) {
	if players, err = s.CountPlayers(withLongTimeout(ctx)); err != nil {
		return 0, 0, err
	}
	guilds, err = s.guilds().EstimatedDocumentCount(withLongTimeout(ctx))
	return players, guilds, translateError(err)
}
