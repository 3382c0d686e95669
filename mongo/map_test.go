package mongo_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// apply imports the data of a root field.
func apply(t *testing.T, store *mongo.Store, field, data string, vars map[string]any) {
	t.Helper()
	i, err := mongo.ReadImport(field, json.RawMessage(data), vars)
	if err == nil {
		err = store.Apply(t.Context(), i)
	}
	if err != nil {
		t.Fatalf("%s: %v", field, err)
	}
}

// A list keeps its order and is replaced whole, with a version for every change.
func TestListsKeepTheirOrder(t *testing.T) {
	store, server := mongotest.Open(t)
	long := make([]*model.MapMarker, 1500)
	for i := range long {
		long[i] = &model.MapMarker{Name: string(rune('z' - i%26)), Icon: "painting.png", X: -i, Y: i % 90, Z: i * 3}
	}
	for _, want := range [][]*model.MapMarker{long, long[700:703], {}, long[:2]} {
		before, err := store.Versions(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := store.PutMapMarkers(t.Context(), want); err != nil {
			t.Fatal(err)
		}
		scans := server.Stats().DocumentsExamined
		got, err := store.MapMarkers(t.Context())
		if d := cmp.Diff(want, got); err != nil || d != "" {
			t.Errorf("%d markers come back otherwise (%v): %.500s", len(want), err, d)
		}
		if read := server.Stats().DocumentsExamined - scans; read != int64(len(want)) {
			t.Errorf("%d documents read for %d markers", read, len(want))
		}
		if after, err := store.Versions(t.Context()); err != nil || after[mongo.MarkerFamily] <= before[mongo.MarkerFamily] {
			t.Errorf("the version stays at %d (%v)", after[mongo.MarkerFamily], err)
		}
	}
}

// The halves of territories are read apart.
func TestTerritoryHalves(t *testing.T) {
	store, _ := mongotest.Open(t)
	since := time.Date(2026, 3, 19, 20, 14, 9, 310e6, time.UTC)
	ore := []*model.TerritoryResource{{Type: "ORE", BaseGeneration: 3600, Stored: 1 << 40, Limit: 1 << 41}}
	want := []*model.Territory{
		{Name: "A", Guild: &model.TerritoryGuild{}, Links: []string{}, Resources: ore},
		{
			Name: "B", Guild: &model.TerritoryGuild{UUID: new(uuid(1))}, Acquired: &since, Links: []string{"A"},
			Resources: []*model.TerritoryResource{},
		},
	}
	if err := store.PutTerritories(t.Context(), []*model.Territory{want[1], want[0]}); err != nil {
		t.Fatal(err)
	}
	stock, err := store.TerritoryResources(t.Context())
	if d := cmp.Diff(map[string][]*model.TerritoryResource{"A": ore, "B": {}}, stock); err != nil || d != "" {
		t.Error(err, d)
	}
	want[0].Resources, want[1].Resources = nil, nil
	got, err := store.Territories(t.Context())
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Error(err, d)
	}
}

const (
	held = `{"name":"Mill","guild":{"uuid":"00000000-0000-4000-8000-000000000001","name":"Moss","prefix":"M","hq":"Keep"},"hq":false,"links":[],"resources":[],"location":{"start":[1,2],"end":[3,4]}}`
	seat = `{"name":"Keep","guild":{"uuid":"00000000-0000-4000-8000-000000000001","name":"Moss","prefix":"M","hq":"Keep"},"hq":true,"links":[],"resources":[],"location":{"start":[1,2],"end":[3,4]}}`
)

// A recording is all territories; what it lacks is gone.
func TestImportTerritories(t *testing.T) {
	store, _ := mongotest.Open(t)
	if err := store.PutTerritories(t.Context(), []*model.Territory{
		{Name: "Gone", Guild: &model.TerritoryGuild{}},
		{Name: "Mill", Guild: &model.TerritoryGuild{}},
	}); err != nil {
		t.Fatal(err)
	}
	apply(t, store, "territories", `{"refreshedAt":null,"list":[`+held+`,`+seat+`]}`, nil)
	all, err := store.Territories(t.Context())
	if err != nil || len(all) != 2 || all[0].Name != "Keep" || all[1].Name != "Mill" || *all[1].Guild.Name != "Moss" ||
		all[1].Guild.Hq != nil {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestMapImportRefuses(t *testing.T) {
	for name, c := range map[string]struct{ field, data, want string }{
		"headquarters elsewhere": {"territories", `{"list":[` + held + `]}`, "guild.hq"},
		"headquarters not named": {
			"territories", `{"list":[` + strings.Replace(seat, `"hq":"Keep"}`, `"hq":null}`, 1) + `]}`,
			"guild.hq",
		},
		"headquarters of nobody": {"territories", `{"list":[` + strings.Replace(held,
			`"00000000-0000-4000-8000-000000000001"`, `null`, 1) + `]}`, "guild.hq"},
		"no guild":      {"territories", `{"list":[{"name":"Mill"}]}`, "entry 1"},
		"no territory":  {"territories", `{"list":[null]}`, "entry 1"},
		"not a uuid":    {"territories", `{"list":[` + strings.Replace(seat, `-4000-`, `-`, 1) + `]}`, "uuid"},
		"half a corner": {"territories", `{"list":[` + strings.Replace(seat, `[3,4]`, `[3]`, 1) + `]}`, "corner"},
		"two of a name": {"territories", `{"list":[` + seat + `,` + seat + `]}`, "entry 2"},
		"finer than kept": {"territories", `{"list":[` + strings.Replace(seat, `"hq":true`,
			`"hq":true,"acquired":"2026-03-19T20:14:09.310001Z"`, 1) + `]}`, "millisecond"},
		"schedule too fine": {
			"worldEvents", `[{"internalName":"a","schedule":"2026-03-19T20:14:09.310001Z"}]`,
			"millisecond",
		},
		"two events of a name": {"worldEvents", `[{"internalName":"a"},{"internalName":"a"}]`, "entry 2"},
		"a raid among camps":   {"camps", `[{"internalName":"a","type":"RAID","rewards":[]}]`, "type"},
		"a camp among raids":   {"raids", `[{"internalName":"a","type":"CAMP","rewards":[]}]`, "type"},
		"another pool":         {"lootPools", `[{"internalName":"a","type":"CAVE","rewards":[]}]`, "type"},
		"two pools of a name": {
			"lootPools", `[{"internalName":"a","type":"CAMP"},{"internalName":"a","type":"RAID"}]`,
			"entry 2",
		},
		"presence": {"playerLocations", `[]`, "over"},
	} {
		_, err := mongo.ReadImport(c.field, json.RawMessage(c.data), nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error is %v, want one that says %q", name, err, c.want)
		}
	}
}

// A recorded start is kept, and a timetable that agrees with it is not lost.
func TestImportWorldEvents(t *testing.T) {
	store, _ := mongotest.Open(t)
	begun := time.Date(2026, 3, 20, 0, 0, 0, 0, time.UTC)
	hourly := func() *model.Timetable { return &model.Timetable{First: begun, EverySeconds: 3600} }
	place := []*model.WorldEventPlace{{}}
	if err := store.PutWorldEvents(t.Context(), []*model.WorldEvent{
		{InternalName: "a", Timetable: hourly()},
		{InternalName: "b", Timetable: hourly()},
		{InternalName: "c", Timetable: hourly()},
		{InternalName: "gone", Timetable: hourly()},
	}); err != nil {
		t.Fatal(err)
	}
	apply(t, store, "worldEvents", `[{"internalName":"d","location":[{}],"schedule":"2026-03-20T05:00:00Z"},{"internalName":"c","location":[{}],"schedule":"2026-03-20T05:30:00Z"},
		{"internalName":"b","location":[{}],"schedule":"2026-03-20T05:00:00Z"},{"internalName":"a","location":[{}],"schedule":null},{"internalName":"e","location":[{}],"schedule":null}]`, nil)
	at := func(d time.Duration) *model.Timetable { return &model.Timetable{First: begun.Add(d)} }
	want := []*model.WorldEvent{
		{InternalName: "d", Location: place, Timetable: at(5 * time.Hour)},
		{
			InternalName: "c",
			Location:     place, Timetable: at(5*time.Hour + 30*time.Minute),
		},
		{InternalName: "b", Location: place, Timetable: hourly()},
		{InternalName: "a", Location: place, Timetable: hourly()},
		{InternalName: "e", Location: place},
	}
	got, err := store.WorldEvents(t.Context())
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Error(err, d)
	}
}

// Recordings at several levels add up; each is answered again at its own.
func TestImportLoot(t *testing.T) {
	store, _ := mongotest.Open(t)
	camp := func(name, reward string) string {
		return `{"name":"` + name + `","internalName":"` + name +
			`","type":"CAMP","lore":"L","level":7,"rewards":[{"name":"` + reward + `","type":"ITEM","amount":1,"always":true}]}`
	}
	raid := `{"name":"r","internalName":"r","type":"RAID","lore":null,"rewards":[]}`
	for n, step := range []struct {
		field, data, level string
		want               string
	}{
		{"camps", camp("a", "none"), "", "a L 0:none"},
		{"raids", raid, "", "r - 0: a L 0:none"},
		{"camps", camp("a", "sixty"), "60", "a L 0:none 60:sixty r - 0:"},
		{"camps", camp("a", "sixty"), "75", "a L 0:none 60:sixty r - 0:"},
		{"camps", camp("a", "none"), "5", "a L 0:none 60:sixty r - 0:"},
		{"camps", camp("a", "best"), "high", "a L 0:none 60:best r - 0:"},
		{"camps", camp("a", "low"), "-3", "a L 0:low 60:best r - 0:"},
		{"camps", camp("b", "new") + "," + camp("a", "mid"), "40", "b L 40:new a L 0:low 40:mid 60:best r - 0:"},
		{
			"lootPools", strings.Replace(camp("a", "top"), `"lore":"L","level":7,`, "", 1), "90",
			"a L 0:low 40:mid 60:best 90:top",
		},
	} {
		apply(t, store, step.field, "["+step.data+"]", map[string]any{"level": step.level})
		all, err := store.LootPools(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got := poolsText(all); got != step.want {
			t.Errorf("step %d: %s, want %s", n, got, step.want)
		}
	}
}

func poolsText(all []*model.LootPoolContent) string {
	var out []string
	for _, c := range all {
		text := c.InternalName + " -"
		if c.Lore != nil {
			text = c.InternalName + " " + *c.Lore
		}
		for _, p := range c.Previews {
			var rewards []string
			for _, r := range p.Rewards {
				rewards = append(rewards, r.Name)
			}
			text += fmt.Sprintf(" %d:", p.Threshold) + strings.Join(rewards, ",")
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}
