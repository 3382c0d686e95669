package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
)

// SearchPlayers finds up to limit players whose name begins with a folded text, by folded name, name
// and uuid. An index covers the query.
func (s *Store) SearchPlayers(ctx context.Context, folded string, limit int) ([]*model.PlayerHit, error) {
	type playerRow struct {
		UUID     string `bson:"_id"`
		Username string `bson:"username"`
	}
	found, err := find[playerRow](ctx, s.players(), hasPrefix("nameFold", folded),
		sortedBy("nameFold", "username", "_id").SetLimit(int64(limit)).SetProjection(projection("username")))
	if err != nil {
		return nil, err
	}
	return each(found, func(p *playerRow) *model.PlayerHit { return (*model.PlayerHit)(p) }), nil
}

// SearchGuildsByName finds up to limit guilds whose name begins with a folded text, by folded name.
func (s *Store) SearchGuildsByName(ctx context.Context, folded string, limit int) ([]*model.Guild, error) {
	return s.briefGuildsOf(ctx, hasPrefix("nameFold", folded), sortedBy("nameFold").SetLimit(int64(limit)))
}

// SearchGuildsByPrefix finds up to limit guilds whose tag begins with a folded text, by folded tag
// and folded name.
func (s *Store) SearchGuildsByPrefix(ctx context.Context, folded string, limit int) ([]*model.Guild, error) {
	return s.briefGuildsOf(ctx, hasPrefix("prefixFold", folded),
		sortedBy("prefixFold", "nameFold").SetLimit(int64(limit)))
}

// briefGuildsOf reads uuid, name and tag of the guilds that a filter matches.
func (s *Store) briefGuildsOf(ctx context.Context, filter bson.D,
	o *options.FindOptionsBuilder,
) ([]*model.Guild, error) {
	o.SetProjection(projection("_id", "name", "prefix"))
	return read(ctx, s.guilds(), func(ctx context.Context, c *driver.Collection) (*driver.Cursor, error) {
		return c.Find(ctx, filter, o)
	}, briefGuilds)
}
