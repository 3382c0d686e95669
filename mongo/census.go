package mongo

import (
	"context"
	"iter"

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

// Players reads the fields that a census counts, of all players, in pages of a size.
func (s *CensusStore) Players(ctx context.Context, size int) iter.Seq2[[]*model.Player, error] {
	return scan[model.Player]{in: s.db.Collection(Players), size: size, key: playerUUID, fields: countedPlayer}.pages(ctx)
}

// Characters is Players for characters.
func (s *CensusStore) Characters(ctx context.Context, size int) iter.Seq2[[]*model.Character, error] {
	return scan[model.Character]{
		in: s.db.Collection(Characters), size: size, key: characterUUID, fields: countedCharacter,
	}.pages(ctx)
}

// Guilds is Players for guilds.
func (s *CensusStore) Guilds(ctx context.Context, size int) iter.Seq2[[]*model.Guild, error] {
	return scan[model.Guild]{in: s.db.Collection(Guilds), size: size, key: guildUUID, fields: countedGuild}.pages(ctx)
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
