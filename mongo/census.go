package mongo

import (
	"context"

	"gamedata/graph/model"
)

// A census reads only the fields that it counts by.

var (
	countedPlayer    = projection("guild.uuid")
	countedCharacter = projection("type", "level", "gamemode")
	countedGuild     = projection("level")
)

const censusKey = "census"

// CountedPlayers reads up to limit players after a uuid, in order: the fields that a census counts.
func (s *Store) CountedPlayers(ctx context.Context, after string, limit int) ([]*model.Player, error) {
	return findPage(withLongTimeout(ctx), s.players(), idAfter, after, limit, playerUUID,
		sortedBy("_id").SetProjection(countedPlayer))
}

// CountedCharacters is CountedPlayers for characters.
func (s *Store) CountedCharacters(ctx context.Context, after string, limit int) ([]*model.Character, error) {
	return findPage(withLongTimeout(ctx), s.characters(), idAfter, after, limit, characterUUID,
		sortedBy("_id").SetProjection(countedCharacter))
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
	if players, err = s.CountPlayers(ctx); err != nil {
		return 0, 0, err
	}
	guilds, err = s.guilds().EstimatedDocumentCount(ctx)
	return players, guilds, translateError(err)
}
