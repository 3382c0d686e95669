package simulator

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"gamedata/graph/model"
	"gamedata/internal/feed"
	"gamedata/internal/slowtest"
)

// timeless leaves out what the store alone keeps.
var timeless = cmp.Options{
	cmpopts.IgnoreFields(model.Player{}, "Updated", "NameFold", "Flagged"),
	cmpopts.IgnoreFields(model.Guild{}, "Updated", "StoredColour"), cmpopts.IgnoreFields(model.Territory{}, "Updated"),
}

// notSimulated are the events of the feed that no simulation has, or rarely.
var notSimulated = strings.Fields("PlayerRenamed Unfriended NicknameSet AppearanceSet FeaturedStatsSet " +
	"LinkCodeCreated PlayerAdded PlayerBanned PlayerUnbanned PlayerDeleted PlayerRanked PartyJoined PartyLeft " +
	"Befriended AccessRulesSet AbilitiesSet GamemodeSet CharacterRestyled CharacterDeleted SkillPointsSet GuildAdded " +
	"GuildJoined GuildLeft GuildRenamed GuildDisbanded BannerSet Headquartered TerritoryFreed CharacterDied")

// A day of the demo world: every kind of event happens, records stay consistent, and in the end the store
// has exactly the state of the world.
func TestDay(t *testing.T) {
	slowtest.Only(t)
	t.Parallel()
	store, ctx := stored(t, records(250)), t.Context()
	w, err := Load(ctx, store, Options{Seed: 5, Start: noon})
	if err != nil {
		t.Fatal(err)
	}
	before := contents(t, store)
	for range 24 * 30 {
		if applied, err := stepStore(ctx, store, w, 2*time.Minute); err != nil || applied != len(w.events) {
			t.Fatalf("%s: %d of %d events applied, %v", w.Now(), applied, len(w.events), err)
		}
	}
	after := contents(t, store)
	for _, f := range violations(after) {
		t.Error(f)
	}
	for _, kind := range feed.Events {
		if w.tally[kind.Name] == 0 && !slices.Contains(notSimulated, kind.Name) {
			t.Errorf("no %s in a day", kind.Name)
		}
	}
	t.Log(w.tally)
	held := Records{Guilds: after.Guilds, Territories: after.Territories}
	for i, p := range after.Players {
		played := w.byUUID[p.UUID]
		if played == nil {
			continue
		}
		held.Players, held.Characters = append(held.Players, p), append(held.Characters, after.Characters[i])
		if played.online() != p.Online {
			t.Fatalf("%s differs in being online: %v in the store", p.Username, p.Online)
		}
		if !played.online() {
			if (played.guild == nil) != (p.Guild == nil) {
				t.Fatalf("%s in the world and in the store: guild %v and %v", p.Username, played.guild, p.Guild)
			}
			continue
		}
		if d := cmp.Diff(played.Player, p, timeless); d != "" {
			t.Fatalf("%s in the world and in the store: %s", p.Username, d)
		}
		for _, c := range played.characters {
			for _, s := range after.Characters[i] {
				if s.UUID == c.UUID {
					if d := cmp.Diff(c, s); d != "" {
						t.Fatalf("%s of %s in the world and in the store: %s", c.UUID, p.Username, d)
					}
				}
			}
		}
	}
	if len(held.Players) < len(after.Players)-5 {
		t.Errorf("got only %d of %d players simulated", len(held.Players), len(after.Players))
	}
	for i, g := range after.Guilds {
		if d := cmp.Diff(w.guilds[i].Guild, g, timeless); d != "" {
			t.Errorf("%s in the world and in the store: %s", g.Name, d)
		}
	}
	if d := cmp.Diff(w.Territories, after.Territories, timeless); d != "" {
		t.Error(d)
	}
	for i, p := range after.Players {
		if i < len(before.Players) && before.Players[i].UUID == p.UUID && before.Players[i].Online && !p.Online &&
			!p.Flagged {
			t.Errorf("%s left without a flag", p.Username)
		}
	}
}

// Records stay consistent for any steps and seed.
func TestInvariants(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := records(rapid.IntRange(20, 90).Draw(t, "players"))
		if rapid.Bool().Draw(t, "peace") {
			r.Territories, r.Seasons = nil, nil
		}
		w := r.world(t, rapid.Uint64().Draw(t, "seed"), noon.Add(time.Duration(rapid.IntRange(0, 7*24*60).Draw(t,
			"later"))*time.Minute))
		for _, seconds := range rapid.SliceOfN(rapid.IntRange(1, 900), 1, 60).Draw(t, "steps") {
			before := owners(r.Territories)
			r.step(t, w, time.Duration(seconds)*time.Second)
			if f := strayCaptures(r.Territories, before); f != nil {
				t.Fatal("captured without a link: ", f)
			}
			online := 0
			for _, p := range r.Players {
				if p.Online {
					online++
				}
			}
			if f := violations(r); f != nil {
				t.Fatal(f)
			}
			var raids int64
			for _, g := range r.Guilds {
				raids += g.TotalGuildRaids
			}
			if raids > int64(w.tally["RaidCompleted"]) {
				t.Fatalf("guilds counted %d raids of %d", raids, w.tally["RaidCompleted"])
			}
			if online != len(w.online) {
				t.Fatalf("got %d online in the world and %d in records", len(w.online), online)
			}
		}
	})
}

// A store without guilds, territories and seasons can be simulated, or without the times of captures, which an import
// may lack; an empty one cannot.
func TestMinimalStores(t *testing.T) {
	o := Options{Start: noon, Duration: 150 * time.Minute, Players: 30}
	imported := records(60)
	for _, territory := range imported.Territories {
		territory.AcquiredAt = nil
	}
	if err := Play(t.Context(), stored(t, imported), o); err != nil {
		t.Fatal(err)
	}
	r := records(60)
	r.Guilds, r.Territories, r.Seasons = nil, nil, nil
	store := stored(t, r)
	if err := Play(t.Context(), store, o); err != nil {
		t.Fatal(err)
	}
	w, err := Load(t.Context(), store, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(w.players) > 30 {
		t.Errorf("got %d players, want at most 30", len(w.players))
	}
	if err := Play(t.Context(), stored(t, Records{}), o); !errors.Is(err, ErrEmpty) {
		t.Errorf("empty store: got %v, want ErrEmpty", err)
	}
}
