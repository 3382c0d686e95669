package mongo_test

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/event"
	driver "go.mongodb.org/mongo-driver/v2/mongo"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// withoutCommands are the methods that send no command, or one that names no collection.
var withoutCommands = []string{
	"Backup", "Circuit", "Close", "Damaged", "OnPurge", "Ping", "RefusesWrites", "Sharded", "Transact",
	"Transactional", "Unlimited",
}

// calls are those of methods whose arguments cannot be made up by their types.
var calls = map[string]func(ctx context.Context, s *mongo.Store) error{
	"Events.Append": func(ctx context.Context, s *mongo.Store) error { return s.Events.Append(ctx, joined) },
	"Events.PutPast": func(ctx context.Context, s *mongo.Store) error {
		return s.Events.PutPast(ctx, []mongo.NewEvent{joined})
	},
	"Players.Page": func(ctx context.Context, s *mongo.Store) error {
		for _, l := range playerLists() {
			for _, after := range []*mongo.Position{nil, {Value: l.From, ID: mongotest.UUID(1)}} {
				if _, _, err := s.Players.Page(ctx, l, mongo.PageQuery{Limit: 10, After: after}); err != nil {
					return err
				}
			}
		}
		return nil
	},
	"Players.Count": func(ctx context.Context, s *mongo.Store) error {
		for _, l := range playerLists() {
			if _, err := s.Players.Count(ctx, l); err != nil {
				return err
			}
		}
		return nil
	},
	"Export.Records": func(ctx context.Context, s *mongo.Store) error {
		for _, c := range mongo.Exported() {
			if err := s.Export.Records(ctx, c.Name, func(bson.Raw) error { return nil }); err != nil {
				return err
			}
		}
		return nil
	},
	"Census.Estimate": func(ctx context.Context, s *mongo.Store) error {
		_, err := s.Census.Estimate(ctx, mongo.Players)
		return err
	},
	"Export.Insert": func(ctx context.Context, s *mongo.Store) error {
		return s.Export.Insert(ctx, mongo.Characters, []bson.D{{{Key: "_id", Value: "x"}, {Key: "owner", Value: "x"}}})
	},
	"Apply": func(ctx context.Context, s *mongo.Store) error { return s.Apply(ctx, changesOfAllKinds()...) },
	"Load":  func(ctx context.Context, s *mongo.Store) error { return s.Load(ctx, changesOfAllKinds()...) },
}

func changesOfAllKinds() []mongo.Change {
	p := &model.Player{UUID: mongotest.UUID(1)}
	c := &model.Character{UUID: mongotest.UUID(1), Owner: mongotest.UUID(1), ClassKey: "MAGE"}
	changed := &model.Player{UUID: p.UUID, Username: "Salted", Party: "p"}
	return []mongo.Change{
		mongo.Save(p, changed), mongo.Save(changed, nil), mongo.Save(nil, p), mongo.Save(nil, c),
		mongo.Save(c, &model.Character{UUID: c.UUID, Owner: c.Owner, ClassKey: c.ClassKey, Level: 7}), mongo.Save(c, nil),
		mongo.Record(joined),
		mongo.Purge("player:" + p.UUID), mongo.Serialise("key"),
	}
}

var joined = mongo.NewEvent{At: time.Now(), Data: &model.CharacterCreated{Player: mongotest.UUID(1)}}

func playerLists() []mongo.PlayerList {
	return []mongo.PlayerList{
		{Order: mongo.Order{Field: mongo.ByUUID}},
		{Order: mongo.Order{Field: mongo.ByUsername}},
		{Order: mongo.Order{Field: mongo.ByUsername}, Prefix: "p"},
		{Order: mongo.Order{Field: mongo.ByLastJoin}, From: time.Now()},
		{Order: mongo.Order{Field: mongo.ByTotalLevel}, From: int64(1)},
		{Order: mongo.Order{Field: mongo.ByUpdated}, From: time.Now()},
	}
}

// Every command that a method of the store sends to a sharded collection is for the shards that its shard key names, or
// in the list of accepted broadcasts. Each method is called with arguments made up by their types.
func TestMethodsAreTargeted(t *testing.T) {
	var mu sync.Mutex
	var sent mongotest.Targeting
	commands := 0
	store, server := mongotest.Open(t, func(o *mongo.Options) {
		o.Monitor = &event.CommandMonitor{Started: func(_ context.Context, e *event.CommandStartedEvent) {
			mu.Lock()
			defer mu.Unlock()
			commands++
			sent.Check(e)
		}}
	})
	db := server.Database(t)
	methods := methodsOf(store)
	for name, method := range methods {
		if slices.Contains(withoutCommands, name) {
			continue
		}
		for variant := range 2 {
			seedOne(t, db)
			mu.Lock()
			commands = 0
			mu.Unlock()
			if call := calls[name]; call != nil {
				if err := call(t.Context(), store); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			} else {
				var made []reflect.Value
				for in := range method.Type().Ins() {
					made = append(made, madeUp(t, in, variant))
				}
				if method.Type().IsVariadic() {
					method.CallSlice(made)
				} else {
					method.Call(made) // an error does not matter: the command was sent
				}
			}
			mu.Lock()
			if commands == 0 {
				t.Errorf("%s sent no command: add it to calls", name)
			}
			mu.Unlock()
		}
	}
	for i := range mongotest.Broadcasts {
		if b := &mongotest.Broadcasts[i]; !slices.Contains(sent.Broadcasts, b) {
			t.Errorf("no method sends the accepted broadcast %q", b.Query)
		}
	}
	for name := range maps.Keys(calls) {
		if _, ok := methods[name]; !ok {
			t.Errorf("calls has %s, which does not exist", name)
		}
	}
}

// methodsOf returns the methods of a store by name and those of its families, as Players.ByUUID.
func methodsOf(store *mongo.Store) map[string]reflect.Value {
	out := map[string]reflect.Value{}
	add := func(prefix string, of reflect.Value) {
		for method, value := range of.Methods() {
			out[prefix+method.Name] = value
		}
	}
	add("", reflect.ValueOf(store))
	for field, value := range reflect.ValueOf(store).Elem().Fields() {
		if field.IsExported() {
			add(field.Name+".", value)
		}
	}
	return out
}

// seedOne stores a player with a character and a standing, whom all made up arguments name.
func seedOne(t *testing.T, db *driver.Database) {
	t.Helper()
	id := mongotest.UUID(1)
	for collection, record := range map[string]bson.D{
		mongo.Players: {
			{Key: "online", Value: true},
			{Key: "flagged", Value: true},
			{Key: "lastJoin", Value: time.Now()},
			{Key: "guild", Value: bson.D{{Key: "uuid", Value: id}}},
			{Key: "party", Value: id},
			{Key: "address", Value: id},
		},
		mongo.Characters:      {{Key: "owner", Value: id}},
		mongo.PlayerStandings: {{Key: "pending", Value: true}},
	} {
		_, err := db.Collection(collection).BulkWrite(t.Context(), []driver.WriteModel{
			driver.NewDeleteManyModel().SetFilter(bson.D{}),
			driver.NewInsertOneModel().SetDocument(append(bson.D{{Key: "_id", Value: id}}, record...)),
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// madeUp returns an argument of a type. The two variants are different where methods decide by them.
func madeUp(t *testing.T, of reflect.Type, variant int) reflect.Value {
	t.Helper()
	now := time.Now()
	switch of {
	case reflect.TypeFor[context.Context]():
		return reflect.ValueOf(t.Context())
	case reflect.TypeFor[time.Time]():
		return reflect.ValueOf(now)
	case reflect.TypeFor[time.Duration]():
		return reflect.ValueOf(time.Hour)
	case reflect.TypeFor[mongo.Ranked]():
		return reflect.ValueOf([]mongo.Ranked{mongo.RankedPlayers, mongo.RankedGuilds}[variant])
	case reflect.TypeFor[mongo.Recorded]():
		return reflect.ValueOf(mongo.RecordedPlayer)
	case reflect.TypeFor[*mongo.Position]():
		return reflect.ValueOf([]*mongo.Position{nil, {Value: now, ID: mongotest.UUID(1)}}[variant])
	}
	value := reflect.New(of).Elem()
	switch of.Kind() {
	case reflect.String:
		value.SetString(mongotest.UUID(1))
	case reflect.Bool:
		value.SetBool(variant == 1)
	case reflect.Int, reflect.Int64:
		value.SetInt(10)
	case reflect.Float64:
		value.SetFloat(10)
	case reflect.Slice:
		if of.Elem().Kind() != reflect.Uint8 && of.Elem().Kind() != reflect.Interface {
			value = reflect.Append(value, madeUp(t, of.Elem(), variant))
		}
	case reflect.Map:
		value = reflect.MakeMap(of)
		value.SetMapIndex(madeUp(t, of.Key(), variant), madeUp(t, of.Elem(), variant))
	case reflect.Pointer:
		value = reflect.New(of.Elem())
		value.Elem().Set(madeUp(t, of.Elem(), variant))
	case reflect.Struct:
		for i := range of.NumField() {
			f := of.Field(i)
			list := f.Type.Kind() == reflect.Slice && f.Type.Elem().PkgPath() == of.PkgPath()
			if f.IsExported() && (list || f.Type.Kind() == reflect.String || f.Type == reflect.TypeFor[time.Time]()) {
				value.Field(i).Set(madeUp(t, f.Type, variant))
			}
		}
	case reflect.Func:
		value = reflect.MakeFunc(of, func([]reflect.Value) (out []reflect.Value) {
			for result := range of.Outs() {
				out = append(out, reflect.Zero(result))
			}
			return out
		})
	}
	return value
}

// The check of commands notices what a cluster rejects or broadcasts.
func TestTargeting(t *testing.T) {
	for text, want := range map[string]string{
		`{"find": "players", "filter": {"_id": "x", "online": true}}`:                                     "",
		`{"find": "players", "filter": {"_id": {"$gt": "a"}}, "sort": {"_id": 1}}`:                        "",
		`{"find": "players", "filter": {"friends": "x"}}`:                                                 "neither targeted",
		`{"find": "players", "filter": {"friends": "x", "_id": {"$gt": "a"}}}`:                            "neither targeted",
		`{"find": "players", "filter": {}, "sort": {"rank": 1}}`:                                          "neither targeted",
		`{"aggregate": "players", "pipeline": [{"$match": {"rank": "x"}}]}`:                               "neither targeted",
		`{"update": "characters", "updates": [{"q": {"_id": "x"}, "u": {}}]}`:                             "must name owner",
		`{"update": "characters", "updates": [{"q": {"owner": "y", "_id": "x"}, "u": {}}]}`:               "",
		`{"update": "characters", "updates": [{"q": {"type": "y"}, "u": {}, "multi": true}]}`:             "neither targeted",
		`{"delete": "characters", "deletes": [{"q": {"owner": "y"}, "limit": 0}]}`:                        "",
		`{"delete": "characters", "deletes": [{"q": {"owner": "y"}, "limit": 1}]}`:                        "must name _id",
		`{"findAndModify": "feedKeys", "query": {"expires": 1}}`:                                          "must name _id",
		`{"find": "feedKeys", "filter": {"_id": {"$gt": 1, "$lt": 2}}}`:                                   "neither targeted",
		`{"find": "history", "filter": {"_id": {"$gt": 1, "$lt": 2}}}`:                                    "",
		`{"insert": "characters", "documents": [{"_id": "x"}]}`:                                           "lacks owner",
		`{"find": "guilds", "filter": {"prefixFold": "x"}}`:                                               "",
		`{"findAndModify": "players", "query": {"_id": {"$in": ["x"]}}}`:                                  "must name _id",
		`{"find": "players", "filter": {"online": true, "_id": {"$gt": ""}}, "sort": {"_id": 1}}`:         "",
		`{"find": "characters", "filter": {"owner": {"$in": ["x"]}, "_id": {"$in": ["x"]}}, "limit": 10}`: "",

		`{"find": "playerLookups", "filter": {"$or": [{"_id": {"$gt": "a", "$lt": "b"}}, {"_id": "c"}]}}`: "",
		`{"find": "playerLookups", "filter": {"$or": [{"_id": {"$gte": "a"}}]}}`:                          "neither targeted",
	} {
		var command bson.Raw
		if err := bson.UnmarshalExtJSON([]byte(text), false, &command); err != nil {
			t.Fatal(err)
		}
		first, _ := command.IndexErr(0)
		var found mongotest.Targeting
		found.Check(&event.CommandStartedEvent{Command: command, CommandName: first.Key()})
		got := strings.Join(found.Problems, "\n")
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}
