package mongo

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
	"gamedata/mongo/conn"
)

// Search finds up to limit players whose name begins with a folded text, ordered by folded name, name and uuid. With
// brief they have only uuid and name. Malformed records are left out.
func (s *PlayerStore) Search(ctx context.Context, folded string, limit int, brief bool) ([]*model.Player, error) {
	found, err := s.findNamed(ctx, hasPrefix("nameFold", folded), brief,
		sortedBy("nameFold", "_id").SetLimit(int64(limit)))
	slices.SortFunc(found, func(a, b *model.Player) int {
		return cmp.Or(strings.Compare(a.NameFold, b.NameFold), compareNames(a, b))
	})
	return found, err
}

func compareNames(a, b *model.Player) int {
	return cmp.Or(strings.Compare(a.Username, b.Username), strings.Compare(a.UUID, b.UUID))
}

// findNamed reads players; with brief only uuid and names.
func (s *PlayerStore) findNamed(ctx context.Context, filter bson.D, brief bool, o ...findOptions) (
	[]*model.Player, error,
) {
	if !brief {
		return find[model.Player](ctx, s.db.Collection(Players), filter, o...)
	}
	type playerName struct {
		UUID     string `bson:"_id"`
		Username string `bson:"username"`
		NameFold string `bson:"nameFold"`
	}
	found, err := find[playerName](ctx, s.db.Collection(Players), filter,
		append(o, options.Find().SetProjection(projection("username", "nameFold")))...)
	if err != nil {
		return nil, err
	}
	return each(found, func(p *playerName) *model.Player {
		return &model.Player{UUID: p.UUID, Username: p.Username, NameFold: p.NameFold}
	}), nil
}

// SearchByName finds up to limit guilds whose name begins with a folded text, ordered by folded name. With brief they
// have only uuid, name and tag. Malformed records are left out.
func (s *GuildStore) SearchByName(ctx context.Context, folded string, limit int, brief bool) ([]*model.Guild, error) {
	return s.search(ctx, hasPrefix("nameFold", folded), sortedBy("nameFold").SetLimit(int64(limit)), brief)
}

// SearchByPrefix is SearchByName for tags, ordered by folded tag and folded name.
func (s *GuildStore) SearchByPrefix(ctx context.Context, folded string, limit int, brief bool) (
	[]*model.Guild, error,
) {
	return s.search(ctx, hasPrefix("prefixFold", folded),
		sortedBy("prefixFold", "nameFold").SetLimit(int64(limit)), brief)
}

func (s *GuildStore) search(ctx context.Context, filter bson.D, o *options.FindOptionsBuilder, brief bool) (
	[]*model.Guild, error,
) {
	if !brief {
		found, _, err := findAll[model.Guild](ctx, s.db.Collection(Guilds), filter, o)
		return found, err
	}
	o.SetProjection(projection("_id", "name", "prefix"))
	found, err := conn.Find(ctx, s.db.Collection(Guilds), filter, briefGuilds, o)
	return named(found), err
}
