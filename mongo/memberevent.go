package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
	"gamedata/mongo/conn"
)

// memberEventTypes are the events about the members of a guild.
var memberEventTypes = []model.EventType{
	model.EventGuildMemberJoined, model.EventGuildMemberLeft, model.EventGuildMemberRankChanged,
}

// MaxMemberEvents is how many events about the members of a guild are read.
const MaxMemberEvents = 100

// OfMembers reads the last events about the members of some guilds, newest first, with a command for each guild.
func (s *EventStore) OfMembers(ctx context.Context, guilds []string) ([][]*model.Event, error) {
	out := make([][]*model.Event, len(guilds))
	for i, guild := range guilds {
		raw, err := conn.Find(ctx, s.db.Collection(Events), bson.D{
			{Key: "guilds", Value: guild}, {Key: "type", Value: bson.D{{Key: "$in", Value: memberEventTypes}}},
		}, conn.All[bson.Raw],
			options.Find().SetSort(bson.D{{Key: "at", Value: -1}, {Key: "_id", Value: -1}}).SetLimit(MaxMemberEvents))
		if err != nil {
			return nil, err
		}
		for _, r := range raw {
			out[i] = append(out[i], s.decode([]bson.Raw{r})...)
		}
	}
	return out, nil
}

// listingGuilds are the guilds whose lists have an event: of captures, or of changes of their members.
func listingGuilds(data model.EventData) (out []string) {
	switch e := data.(type) {
	case *model.GuildMemberJoined:
		return []string{e.Guild}
	case *model.GuildMemberLeft:
		return []string{e.Guild}
	case *model.GuildMemberRankChanged:
		return []string{e.Guild}
	case *model.TerritoryCaptured:
		for _, g := range []*model.EventGuild{e.From, e.To} {
			if g != nil && (len(out) == 0 || out[0] != g.UUID) {
				out = append(out, g.UUID)
			}
		}
	}
	return out
}
