package mongo

import (
	"context"
	"slices"

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

// OfMembers reads the last events about the members of some guilds, newest first.
func (s *EventStore) OfMembers(ctx context.Context, guilds []string) ([][]*model.Event, error) {
	byGuild := map[string][]*model.Event{}
	limit := min(MaxMemberEvents*len(guilds), maxRead)
	for read, more := 0, true; more; read += limit {
		found, err := conn.Find(ctx, s.db.Collection(Events), bson.D{
			{Key: "guilds", Value: bson.D{{Key: "$in", Value: guilds}}},
			{Key: "type", Value: bson.D{{Key: "$in", Value: memberEventTypes}}},
		}, conn.All[bson.Raw], options.Find().SetSort(bson.D{{Key: "at", Value: -1}, {Key: "_id", Value: -1}}).
			SetSkip(int64(read)).SetLimit(int64(limit)))
		if err != nil {
			return nil, err
		}
		for _, e := range s.decode(found) {
			if guild := listingGuilds(e.Data)[0]; len(byGuild[guild]) < MaxMemberEvents {
				byGuild[guild] = append(byGuild[guild], e)
			}
		}
		more = len(found) == limit && slices.ContainsFunc(guilds, func(guild string) bool {
			return len(byGuild[guild]) < MaxMemberEvents
		})
	}
	return each(guilds, func(guild string) []*model.Event { return byGuild[guild] }), nil
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
