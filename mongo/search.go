package mongo

import (
	"context"
	"unicode/utf8"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
)

// SearchPlayers finds up to limit players whose name begins with a folded text, by folded
// name, then name, then uuid. It reads nothing but an index.
func (s *Store) SearchPlayers(ctx context.Context, folded string, limit int) ([]*model.PlayerHit, error) {
	found, err := find[struct {
		UUID     string `bson:"_id"`
		Username string `bson:"username"`
	}](ctx, s.db.Collection(Players), hasPrefix("nameFold", folded),
		sortedBy("nameFold", "username", "_id").SetLimit(int64(limit)).SetProjection(bson.D{{Key: "username", Value: 1}}))
	if err != nil {
		return nil, err
	}
	out := make([]*model.PlayerHit, len(found))
	for i, p := range found {
		out[i] = &model.PlayerHit{UUID: p.UUID, Username: p.Username}
	}
	return out, nil
}

// SearchGuildsByName finds up to limit guilds whose name begins with a folded text, by folded name.
func (s *Store) SearchGuildsByName(ctx context.Context, folded string, limit int) ([]*model.GuildListing, error) {
	return guildListings(ctx, s.db.Collection(Guilds), hasPrefix("nameFold", folded), sortedBy("nameFold").SetLimit(int64(limit)))
}

// SearchGuildsByPrefix finds up to limit guilds whose tag begins with a folded text, by folded tag,
// then folded name.
func (s *Store) SearchGuildsByPrefix(ctx context.Context, folded string, limit int) ([]*model.GuildListing, error) {
	return guildListings(ctx, s.db.Collection(Guilds), hasPrefix("prefixFold", folded), sortedBy("prefixFold",
		"nameFold").SetLimit(int64(limit)))
}

// guildListings reads of guilds what a list shows.
func guildListings(ctx context.Context, c *collection, filter bson.D,
	o *options.FindOptionsBuilder,
) ([]*model.GuildListing, error) {
	found, err := find[struct {
		UUID   string `bson:"_id"`
		Name   string `bson:"name"`
		Prefix string `bson:"prefix"`
	}](ctx, c, filter, o.SetProjection(bson.D{{Key: "name", Value: 1}, {Key: "prefix", Value: 1}}))
	if err != nil {
		return nil, err
	}
	out := make([]*model.GuildListing, len(found))
	for i, g := range found {
		out[i] = &model.GuildListing{UUID: g.UUID, Name: g.Name, Prefix: g.Prefix}
	}
	return out, nil
}

func sortedBy(fields ...string) *options.FindOptionsBuilder {
	sort := bson.D{}
	for _, f := range fields {
		sort = append(sort, bson.E{Key: f, Value: 1})
	}
	return options.Find().SetSort(sort)
}

// hasPrefix matches records whose field begins with a text, as a range that an index serves;
// nothing of the text is a pattern.
func hasPrefix(field, text string) bson.D {
	from := bson.D{{Key: "$gte", Value: text}}
	if end := prefixEnd(text); end != "" {
		from = append(from, bson.E{Key: "$lt", Value: end})
	}
	return bson.D{{Key: field, Value: from}}
}

// prefixEnd is the least text that comes after all those that begin with a text, by code point;
// empty when there is none.
func prefixEnd(text string) string {
	for text != "" {
		last, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
		switch {
		case last == utf8.MaxRune:
		case last+1 == surrogates:
			return text + string(afterSurrogates)
		default:
			return text + string(last+1)
		}
	}
	return ""
}

// The code points that UTF-8 leaves out.
const surrogates, afterSurrogates rune = 0xD800, 0xE000
