package resolvers_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph"
	"gamedata/graph/viewer"
	"gamedata/internal/cache"
	"gamedata/loaders"
	"gamedata/mongo/mongotest"
	"gamedata/resolvers"
)

// plain is all of a record as text, what the schema hides too.
func plain(t *testing.T, record any) []byte {
	t.Helper()
	text := mongotest.Value(bson.Marshal(record))(t)
	var members map[string]any
	read := bson.NewDecoder(bson.NewDocumentReader(bytes.NewReader(text)))
	read.DefaultDocumentMap()
	mongotest.Must(t, read.Decode(&members))
	return mongotest.Value(json.Marshal(members))(t) // in one order
}

// Records are shared by all operations: whatever is selected, by any viewer, concurrently, they
// stay as the store has them.
func TestRecordsStayAsTheyAre(t *testing.T) {
	w := newWorld(t, 60)
	records := mongotest.Value(loaders.NewRecords(64<<20, nil, new(cache.Invalidations)))(t)
	defer records.Close()
	source := loaders.New(w.store, loaders.Options{Records: records})
	exec := newExecutor(t, resolvers.Settings{}, graph.Options{Loaders: source})
	var guilds struct {
		Guilds struct{ Nodes []struct{ UUID, Name string } }
	}
	w.ask(t, "{guilds(first:1000){nodes{uuid name}}}", nil, &guilds)
	// snapshot is all that a guild's members are made of, as operations find it.
	snapshot := func(guild string) []byte {
		op := &graph.Operation{Policy: graph.Policy{MaxAge: time.Hour}}
		set := loaders.From(source.Attach(t.Context(), op))
		players := mongotest.Value(set.PlayersByGuild.Load(t.Context(), guild)())(t)
		g := mongotest.Value(set.GuildByUUID.Load(t.Context(), guild)())(t)
		out := plain(t, g)
		for _, p := range players {
			characters := mongotest.Value(set.CharactersByOwner.Load(t.Context(), p.UUID)())(t)
			out = append(out, plain(t, bson.D{{Key: "player", Value: p}, {Key: "characters", Value: characters}})...)
		}
		return out
	}
	before := map[string][]byte{}
	for _, g := range guilds.Guilds.Nodes {
		before[g.UUID] = snapshot(g.UUID)
	}
	members := &struct {
		Guild struct {
			Members struct{ Nodes []struct{ UUID string } }
		}
	}{}
	w.ask(t, `query($g:String!){guild(by:{name:$g}){members(first:1000){nodes{uuid}}}}`, map[string]any{"g": guilds.Guilds.Nodes[0].Name}, members)
	op := parse(t, exec, `query($g:String!,$p:String!){guild(by:{name:$g}){name prefix level onlineCount banner{base} seasonResults{seasonNumber rating}
		members(first:1000){nodes{uuid username online contributed
		player{username rank{key} guild{name} restrictions{key restricted} totals{wars dungeons{total list{name count}}}
		characters{nodes{uuid classKey level quests professions{key level} skillPoints{strength}}}
		bestCharacter:characters(first:1,orderBy:{field:TOTAL_LEVEL,direction:DESC}){nodes{level}}}}}}
		player(by:{reference:$p}){username characters{nodes{uuid level}} guildHistory{guildUuid} ranking{type position}}}`)
	op.Policy.MaxAge = time.Hour
	var all sync.WaitGroup
	for i, g := range guilds.Guilds.Nodes {
		for _, who := range []viewer.Viewer{{}, {
			Kind: viewer.Session, Account: "a",
			Profiles: []string{members.Guild.Members.Nodes[0].UUID},
		}} {
			all.Go(func() {
				r := exec.Run(viewer.With(t.Context(), who), op, map[string]any{
					"g": g.Name, "p": members.Guild.Members.Nodes[i%len(members.Guild.Members.Nodes)].UUID,
				})
				if len(r.Errors) > 0 {
					t.Error(fmt.Sprint(r.Errors), json.Valid(r.Data))
				}
			})
		}
	}
	all.Wait()
	for _, g := range guilds.Guilds.Nodes {
		if !bytes.Equal(snapshot(g.UUID), before[g.UUID]) {
			t.Errorf("records of %s were changed", g.Name)
		}
	}
}
