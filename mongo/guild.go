package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
)

// GuildsByUUID reads guilds in the order of their uuids; nil where none has one.
func (s *Store) GuildsByUUID(ctx context.Context, uuids []string) ([]*model.Guild, error) {
	found, err := find[model.Guild](ctx, s.db.Collection(guilds), bson.D{{Key: "_id", Value: in(uuids)}})
	if err != nil {
		return nil, err
	}
	return inKeyOrder(uuids, found, guildUUID), nil
}

// PlayersByGuild reads the members of each guild: the players whose record names it.
func (s *Store) PlayersByGuild(ctx context.Context, uuids []string) ([][]*model.Player, error) {
	found, err := find[model.Player](ctx, s.db.Collection(players), bson.D{{Key: "guild.uuid", Value: in(uuids)}})
	if err != nil {
		return nil, err
	}
	return groupedByKey(uuids, found, func(p *model.Player) string { return p.Guild.UUID }), nil
}

// InsertGuilds adds new guilds.
func (s *Store) InsertGuilds(ctx context.Context, gs []*model.Guild) error {
	foldGuilds(gs)
	return insert(ctx, s.db.Collection(guilds), gs)
}

// PutGuilds replaces guilds by uuid, or adds them.
func (s *Store) PutGuilds(ctx context.Context, gs []*model.Guild) error {
	foldGuilds(gs)
	return put(ctx, s.db.Collection(guilds), "_id", gs, guildUUID)
}

func foldGuilds(gs []*model.Guild) {
	for _, g := range gs {
		g.NameFold, g.PrefixFold = Fold(g.Name), Fold(g.Prefix)
	}
}

func guildUUID(g *model.Guild) string { return g.UUID }
