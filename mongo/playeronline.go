package mongo

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
	"gamedata/mongo/conn"
)

// onlinePage is the number of online players that one command reads.
const onlinePage = 2000

// OnlineEntry is an online player on the online list.
type OnlineEntry struct {
	UUID, Username string
	// World is nil for a player between two worlds.
	World *string
	// LastJoin is nil if unknown.
	LastJoin *time.Time
	// Restricted is set for players whose rules on presence or main data are not public: the same
	// player with rules, and with friends and guild if the rules depend on them.
	Restricted *model.Player
}

var (
	onlineFields   = projection("username", "online", "server", "lastJoin", "rules")
	relationFields = projection("friends", "guild.uuid")
)

// Online reads all online players in the order of their uuids. It reads pages, so that no command takes long, however
// many are online.
func (s *PlayerStore) Online(ctx context.Context) ([]OnlineEntry, error) {
	ctx = conn.WithLongTimeout(ctx)
	var list []OnlineEntry
	worlds := map[string]*string{}
	for found, err := range s.online(onlinePage, onlineFields).pages(ctx) {
		if err != nil {
			return nil, err
		}
		page, err := s.onlineEntries(ctx, found, worlds)
		if err != nil {
			return nil, err
		}
		list = append(list, page...)
	}
	return list, nil
}

// online scans the online players.
func (s *PlayerStore) online(size int, fields bson.D) scan[model.Player] {
	return scan[model.Player]{
		in: s.db.Collection(Players), filter: bson.D{{Key: "online", Value: true}}, size: size, key: playerUUID,
		fields: fields,
	}
}

// OnlineUUIDs lists the online players.
func (s *PlayerStore) OnlineUUIDs(ctx context.Context) ([]string, error) {
	return s.db.allIDs(ctx, Players, bson.D{{Key: "online", Value: true}}, "", "")
}

// OnlineOf reads the online players among some, in the order of their uuids.
func (s *PlayerStore) OnlineOf(ctx context.Context, uuids []string) ([]OnlineEntry, error) {
	var list []OnlineEntry
	worlds := map[string]*string{}
	for few := range slices.Chunk(uuids, onlinePage) {
		found, err := find[model.Player](ctx, s.db.Collection(Players),
			bson.D{{Key: "_id", Value: in(few)}, {Key: "online", Value: true}},
			sortedBy("_id").SetProjection(onlineFields))
		if err != nil {
			return nil, err
		}
		page, err := s.onlineEntries(ctx, found, worlds)
		if err != nil {
			return nil, err
		}
		list = append(list, page...)
	}
	slices.SortFunc(list, func(a, b OnlineEntry) int { return strings.Compare(a.UUID, b.UUID) })
	return list, nil
}

// onlineEntries returns the entries of players, and reads the friends and guilds that their rules depend on. Entries
// share the strings of worlds.
func (s *PlayerStore) onlineEntries(ctx context.Context, found []*model.Player, worlds map[string]*string) (
	[]OnlineEntry, error,
) {
	entries := make([]OnlineEntry, len(found))
	related := map[string]*model.Player{}
	for i, p := range found {
		if p.World != nil {
			if worlds[*p.World] == nil {
				worlds[*p.World] = p.World
			}
			p.World = worlds[*p.World]
		}
		entries[i] = OnlineEntry{UUID: p.UUID, Username: p.Username, World: p.World, LastJoin: p.LastJoinedAt}
		presence, data := p.Rules[model.OnlineStatus], p.Rules[model.MainAccess]
		if !presence.IsPublic() || !data.IsPublic() {
			entries[i].Restricted = p
		}
		if presence.DependsOnRelation() || data.DependsOnRelation() {
			related[p.UUID] = p
		}
	}
	return entries, s.loadRelations(ctx, related)
}

// loadRelations reads friends and guild of players by uuid.
func (s *PlayerStore) loadRelations(ctx context.Context, players map[string]*model.Player) error {
	if len(players) == 0 {
		return nil
	}
	uuids := slices.Collect(maps.Keys(players))
	found, err := find[model.Player](ctx, s.db.Collection(Players), bson.D{{Key: "_id", Value: in(uuids)}},
		options.Find().SetProjection(relationFields))
	for _, p := range found {
		players[p.UUID].Friends, players[p.UUID].Guild = p.Friends, p.Guild
	}
	return err
}
