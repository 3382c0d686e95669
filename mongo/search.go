package mongo

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
)

// Search finds up to limit players whose name begins with a folded text, ordered by folded name, name and uuid. With
// brief they have only uuid and name. Malformed records are left out.
func (s *PlayerStore) Search(ctx context.Context, folded string, limit int, brief bool) ([]*model.Player, error) {
	o := sortedBy("nameFold", "_id").SetLimit(int64(limit))
	if brief {
		o.SetProjection(projection("username", "nameFold"))
	}
	found, err := find[model.Player](ctx, s.db.Collection(Players), hasPrefix("nameFold", folded), o)
	slices.SortFunc(found, func(a, b *model.Player) int {
		return cmp.Or(strings.Compare(a.NameFold, b.NameFold), compareNames(a, b))
	})
	return found, err
}

func compareNames(a, b *model.Player) int {
	return cmp.Or(strings.Compare(a.Username, b.Username), strings.Compare(a.UUID, b.UUID))
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
	if brief {
		o.SetProjection(briefGuild)
	}
	return find[model.Guild](ctx, s.db.Collection(Guilds), filter, o)
}
