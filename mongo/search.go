package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
)

// SearchPlayers finds up to limit players whose name begins with a folded text, by folded name, name and uuid. With
// brief they have nothing but uuid and name, which an index covers. Malformed records are left out.
func (s *Store) SearchPlayers(ctx context.Context, folded string, limit int, brief bool) ([]*model.Player, error) {
	filter, options := hasPrefix("nameFold", folded), sortedBy("nameFold", "username", "_id").SetLimit(int64(limit))
	if !brief {
		found, _, err := findAll[model.Player](ctx, s.players(), filter, options)
		return found, err
	}
	type playerRow struct {
		UUID     string `bson:"_id"`
		Username string `bson:"username"`
	}
	found, err := find[playerRow](ctx, s.players(), filter, options.SetProjection(projection("username")))
	if err != nil {
		return nil, err
	}
	return each(found, func(p *playerRow) *model.Player { return &model.Player{UUID: p.UUID, Username: p.Username} }), nil
}

// SearchGuildsByName finds up to limit guilds whose name begins with a folded text, by folded name. With brief they
// have nothing but uuid, name and tag. Malformed records are left out.
func (s *Store) SearchGuildsByName(ctx context.Context, folded string, limit int, brief bool) ([]*model.Guild, error) {
	return s.searchGuilds(ctx, hasPrefix("nameFold", folded), sortedBy("nameFold").SetLimit(int64(limit)), brief)
}

// SearchGuildsByPrefix is SearchGuildsByName for tags, by folded tag and folded name.
func (s *Store) SearchGuildsByPrefix(ctx context.Context, folded string, limit int, brief bool) (
	[]*model.Guild, error,
) {
	return s.searchGuilds(ctx, hasPrefix("prefixFold", folded),
		sortedBy("prefixFold", "nameFold").SetLimit(int64(limit)), brief)
}

// searchGuilds reads the guilds that a filter matches.
func (s *Store) searchGuilds(ctx context.Context, filter bson.D, o *options.FindOptionsBuilder, brief bool) (
	[]*model.Guild, error,
) {
	if !brief {
		found, _, err := findAll[model.Guild](ctx, s.guilds(), filter, o)
		return found, err
	}
	o.SetProjection(projection("_id", "name", "prefix"))
	found, err := read(ctx, s.guilds(), func(ctx context.Context, c *driver.Collection) (*driver.Cursor, error) {
		return c.Find(ctx, filter, o)
	}, briefGuilds)
	return named(found), err
}
