package resolvers_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// Captures are listed by territory and guild and show who held what at any moment.
func TestCaptures(t *testing.T) {
	w := newEmpty(t)
	ctx := t.Context()
	guild := func(n int) *model.EventGuild {
		return &model.EventGuild{UUID: fmt.Sprintf("a0000000-0000-4000-8000-00000000000%d", n), Name: fmt.Sprint("Guild ", n)}
	}
	holder := func(g *model.EventGuild) *model.TerritoryGuild {
		return &model.TerritoryGuild{UUID: &g.UUID, Name: &g.Name, Prefix: &g.Name}
	}
	began := time.Now().UTC().Add(-100 * time.Hour).Truncate(time.Second)
	at := func(hour int) time.Time { return began.Add(time.Duration(hour) * time.Hour) }
	mongotest.Must(t, w.store.Territories.Put(ctx, []*model.Territory{
		{Name: "Ford", Guild: holder(guild(1)), AcquiredAt: new(at(30))},
		{Name: "Quiet", Guild: &model.TerritoryGuild{}, AcquiredAt: new(at(-1000))},
		{Name: "Young", Guild: holder(guild(2)), AcquiredAt: new(at(50))}, // its capture is not recorded
	}))
	mongotest.Must(t, w.store.Guilds.Put(ctx, []*model.Guild{{UUID: guild(1).UUID, Name: "Renamed", Prefix: "REN"}}))
	captured := func(hour int, territory string, from, to *model.EventGuild, heldHours int64) mongo.NewEvent {
		return mongo.NewEvent{At: at(hour), Data: &model.TerritoryCaptured{
			Territory: territory, From: from, To: to, HeldSeconds: new(3600 * heldHours),
		}}
	}
	mongotest.Must(t, w.store.Events.Append(ctx,
		captured(0, "Ford", guild(1), guild(2), 5), captured(10, "Ford", guild(2), nil, 10),
		captured(30, "Ford", nil, guild(1), 20), captured(40, "Glen", guild(2), guild(1), 7),
		mongo.NewEvent{At: at(41), Data: &model.WarFinished{Guild: guild(1).UUID}},
	))

	type captures struct {
		TotalCount int
		Nodes      []struct {
			At            time.Time
			TerritoryName string
			From, To      *struct {
				Name  string
				Guild *struct{ Name string }
			}
			HeldSeconds *int64
		}
		PageInfo shownPage
	}
	read := func(parent, arguments string) captures {
		return answer[struct{ Of struct{ Captures captures } }](t, w.exec, viewer.Viewer{}, `{ of: `+parent+` { captures`+
			arguments+` { totalCount pageInfo { hasNextPage endCursor }
				nodes { at territoryName from { name guild { name } } to { name guild { name } } heldSeconds } } } }`).Of.Captures
	}
	const ford = `territory(by: {name: "Ford"})`
	var hours []int
	page := read(ford, "(first: 2)")
	for {
		for _, c := range page.Nodes {
			hours = append(hours, int(c.At.Sub(began).Hours()))
		}
		if !page.PageInfo.HasNextPage {
			break
		}
		page = read(ford, fmt.Sprintf("(first: 2, after: %q)", *page.PageInfo.EndCursor))
	}
	if want := []int{30, 10, 0}; !slices.Equal(hours, want) || page.TotalCount != 3 {
		t.Errorf("got captures at %v of %d, want %v", hours, page.TotalCount, want)
	}
	last := page.Nodes[0]
	if last.From.Name != "Guild 1" || last.From.Guild == nil || last.From.Guild.Name != "Renamed" ||
		last.To.Guild != nil || *last.HeldSeconds != 5*3600 {
		t.Errorf("the first capture: %+v", last)
	}
	if n := read(ford, fmt.Sprintf("(from: %q)", model.FormatDateTime(at(10)))).TotalCount; n != 2 {
		t.Errorf("got %d captures from a time on, want 2", n)
	}
	if c := read(`guild(by: {uuid: "`+guild(1).UUID+`"})`, ""); c.TotalCount != 3 ||
		c.Nodes[0].TerritoryName != "Glen" || c.Nodes[2].TerritoryName != "Ford" {
		t.Errorf("captures of a guild: %+v", c)
	}

	const mapAt = `query($time: DateTime!) { territoriesAt(at: $time) {
		territoryName known acquiredAt holder { name } territory { name } } }`
	for hour, want := range map[int]string{
		-3: "Ford true Guild 1, Glen false -, Quiet true -, Young false -",
		5:  "Ford true Guild 2, Glen false -, Quiet true -, Young false -",
		29: "Ford true -, Glen false -, Quiet true -, Young false -",
		35: "Ford true Guild 1, Glen true Guild 2, Quiet true -, Young false -",
		60: "Ford true Guild 1, Quiet true -, Young true Guild 2",
	} {
		var data struct {
			TerritoriesAt []struct {
				TerritoryName string
				Known         bool
				AcquiredAt    *time.Time
				Holder        *struct{ Name string }
			}
		}
		w.ask(t, mapAt, map[string]any{"time": model.FormatDateTime(at(hour))}, &data)
		var list []string
		for _, p := range data.TerritoriesAt {
			name := "-"
			if p.Holder != nil {
				name = p.Holder.Name
			}
			list = append(list, fmt.Sprint(p.TerritoryName, " ", p.Known, " ", name))
			if p.Known && (p.AcquiredAt == nil || p.AcquiredAt.After(at(hour))) {
				t.Errorf("hour %d: %s held since %v", hour, p.TerritoryName, p.AcquiredAt)
			}
		}
		got := strings.Join(list, ", ")
		if got != want {
			t.Errorf("hour %d: got %s, want %s", hour, got, want)
		}
	}
	// One command is for the territories, or the guild.
	const noCount = `query($uuid: UUID!) { guild(by: {uuid: $uuid}) { captures { nodes { at from { name } } } } }`
	var names any
	if n := w.least(t, 2, noCount, map[string]any{"uuid": guild(1).UUID}, &names); n > 2 {
		t.Errorf("a page of captures took %d commands, want 2", n)
	}
	vars := map[string]any{"time": model.FormatDateTime(at(5))}
	if n := w.least(t, 2, mapAt, vars, &names); n > 2 {
		t.Errorf("the map took %d commands, want 2", n)
	}
	for message, when := range map[string]time.Time{
		"time must not be in the future.":     time.Now().Add(time.Hour),
		"time must be at most 1830 days ago.": time.Now().Add(-1831 * 24 * time.Hour),
	} {
		got := refused(t, w.exec, mapAt, map[string]any{"time": model.FormatDateTime(when)})
		if got.Detail != message {
			t.Errorf("got %v, want %s", got, message)
		}
	}
}
