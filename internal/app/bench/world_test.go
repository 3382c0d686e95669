package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
	"gamedata/internal/app/apptest"
	"gamedata/internal/demo/content"
	"gamedata/internal/demo/seed"
	"gamedata/mongo"
)

// world is a service on the demo world with larger records for benchmarks. db is for the hand-written handlers.
type world struct {
	*apptest.Service
	db *driver.Database
}

const (
	fifteenCharacters = "Fifteen" // a player with as many characters
	hundredGuild      = "c0000000-0000-4000-8000-000000000001"
	largeGuild        = "c0000000-0000-4000-8000-000000000002" // with 150 members
	largeGuildName    = "A Hundred and Fifty"
)

// manyItems is the number of items; the demo world has nearly as many.
const manyItems = 5500

func newBenchWorld(b *testing.B) *world {
	b.Helper()
	w := &world{Service: apptest.NewService(b)}
	client, err := driver.Connect(
		options.Client().ApplyURI(w.Server.URI()).SetDialer(w).SetBSONOptions(&options.BSONOptions{UseJSONStructTags: true}),
	)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = client.Disconnect(context.Background()) })
	w.db = client.Database("gamedata")
	open, sheets := openPlayer(b)
	for _, err := range []error{
		w.addFifteen(open, sheets), w.addGuild(open, sheets, hundredGuild, "A Hundred", 100, 5),
		w.addGuild(open, sheets, largeGuild, largeGuildName, 150, 0), w.addItems(),
	} {
		if err != nil {
			b.Fatal(err)
		}
	}
	return w
}

// openPlayer returns a player of the demo world who hides nothing, and characters for other players.
func openPlayer(b *testing.B) (open *model.Player, sheets []*model.Character) {
	for p, cs := range seed.New(seed.Options{Players: 40, Seed: 1, Now: apptest.Now()}).Players() {
		if p.Username == "Salted" {
			open = p
		}
		sheets = append(sheets, cs...)
	}
	if open == nil || len(sheets) < 15 {
		b.Fatal("the demo world has no player Salted or too few characters")
	}
	return open, sheets
}

func charactersOf(sheets []*model.Character, owner string, n, from int) []*model.Character {
	out := make([]*model.Character, n)
	for i := range out {
		c := *sheets[(from+i)%len(sheets)]
		c.UUID, c.Owner = fmt.Sprintf("e%s-%04d-4000-8%s-%s", owner[1:8], i, owner[10:13], owner[24:]), owner
		out[i] = &c
	}
	return out
}

func (w *world) addFifteen(open *model.Player, sheets []*model.Character) error {
	p := *open
	p.UUID, p.Username = "d0000000-0000-4000-8000-999999999999", fifteenCharacters
	return errors.Join(w.Store.Players.Insert(w.T.Context(), []*model.Player{&p}),
		w.Store.Characters.Insert(w.T.Context(), charactersOf(sheets, p.UUID, 15, 0)))
}

// addGuild adds a guild of some members, each with some characters. The members differ by the digit at the end of the
// guild's uuid.
func (w *world) addGuild(open *model.Player, sheets []*model.Character, uuid, name string, size, characters int) error {
	var members []*model.Player
	var theirs []*model.Character
	digit := uuid[len(uuid)-1:]
	for n := range size {
		p := *open
		p.UUID, p.Username = fmt.Sprintf("d%07d-000%s-4000-8000-%012d", n, digit, n), "Member"+strconv.Itoa(n)
		p.Guild = &model.GuildReference{
			UUID: uuid, Name: name, Prefix: "HND" + digit, Rank: new("RECRUIT"), RankStars: new(""),
		}
		p.Membership = &model.Membership{Contributed: int64(n)}
		members = append(members, &p)
		theirs = append(theirs, charactersOf(sheets, p.UUID, characters, n)...)
	}
	return errors.Join(
		w.Store.Guilds.Insert(w.T.Context(), []*model.Guild{{UUID: uuid, Name: name, Prefix: "HND" + digit, Level: 7}}),
		w.Store.Players.Insert(w.T.Context(), members), w.Store.Characters.Insert(w.T.Context(), theirs))
}

// addItems repeats the items of the demo world until there are enough.
func (w *world) addItems() error {
	all := content.Read[model.Item]("items")
	known := len(all)
	for n := known; n < manyItems; n++ {
		i := *all[n%known]
		i.InternalName, i.DisplayName = fmt.Sprint(i.InternalName, " ", n), fmt.Sprint(i.DisplayName, " ", n)
		all = append(all, &i)
	}
	return mongo.Items.Put(w.T.Context(), w.Store, all[known:])
}

// expireCaches advances the clock until every cached response and record has expired.
func (w *world) expireCaches() { w.Advance(24 * time.Hour) }

// reader reads records for a hand-written handler. A read that fails panics, which ends the request.
type reader struct {
	context.Context
	db *driver.Database
}

// find reads the records whose field has a value, all of them when the field is empty: n records, any number if 0.
func find[T any](r reader, collection, field string, value any, n int) (out []*T) {
	filter := bson.D{}
	if field != "" {
		filter = bson.D{{Key: field, Value: value}}
	}
	cursor, err := r.db.Collection(collection).Find(r, filter, options.Find().SetBatchSize(100_000))
	if err == nil {
		err = cursor.All(r, &out)
	}
	if err != nil || n > 0 && len(out) != n {
		panic(fmt.Sprintf("%s: got %d records, %v", collection, len(out), err))
	}
	return out
}

// in is the value of a field that is one of several.
func in(values []string) bson.D { return bson.D{{Key: "$in", Value: values}} }

func uuidsOf(players []*model.Player) (uuids []string) {
	for _, p := range players {
		uuids = append(uuids, p.UUID)
	}
	return uuids
}

// baselineHandler returns a handler that calls read and responds with body, encoded by encoding/json.
func (w *world) baselineHandler(read func(reader), body any) http.Handler {
	db := w.db
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		read(reader{r.Context(), db})
		text, err := json.Marshal(body)
		if err != nil {
			panic(err)
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(text)))
		_, _ = w.Write(text)
	})
}

// expectBody returns the body of a response. It fails unless the status is 200 and the body contains want.
func (w *world) expectBody(b *testing.B, method, path, body, want string) []byte {
	b.Helper()
	res := w.Request(method, path, body, "Accept-Encoding", "identity", "Content-Type", "application/json")
	if res.Status != http.StatusOK || !bytes.Contains(res.Body, []byte(want)) ||
		bytes.Contains(res.Body, []byte(`"errors"`)) {
		b.Fatalf("%s: %d %.500s", path, res.Status, res.Body)
	}
	return res.Body
}
