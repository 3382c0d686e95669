package mongo_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/storetest"
)

func TestGuildLookups(t *testing.T) {
	store, server := storetest.Open(t)
	ctx := t.Context()
	gs := []*model.Guild{{UUID: uuid(1), Name: "Weiße Möwen", Prefix: "WM"}, {UUID: uuid(2), Name: "Lantern Row", Prefix: "Ketl"}, {UUID: uuid(3), Name: "lantern", Prefix: "KETL"}}
	var ps []*model.Player
	for n := range 300 {
		gs = append(gs, &model.Guild{UUID: uuid(100 + n), Name: fmt.Sprintf("guild %03d", n), Prefix: fmt.Sprint(n)})
		ps = append(ps, &model.Player{UUID: uuid(1000 + n), Username: fmt.Sprint("p", n), Guild: &model.GuildReference{UUID: uuid(100 + n/3)}})
	}
	if err := errors.Join(store.InsertGuilds(ctx, gs), store.InsertPlayers(ctx, ps)); err != nil {
		t.Fatal(err)
	}
	at := func(gs ...*model.Guild) (out []string) {
		for _, g := range gs {
			if g == nil {
				out = append(out, "")
			} else {
				out = append(out, g.Name)
			}
		}
		return out
	}
	for name, q := range map[string]struct {
		most int64
		ask  func() ([]string, error)
		want []string
	}{
		"by name": {2, func() ([]string, error) {
			found, err := store.GuildsByName(ctx, []string{"LANTERN ROW", "nobody", "weisse möwen", ".*"})
			return at(found...), err
		}, []string{"Lantern Row", "", "Weiße Möwen", ""}},
		"by uuid": {1, func() ([]string, error) {
			found, err := store.GuildsByUUID(ctx, []string{uuid(9), uuid(2)})
			return at(found...), err
		}, []string{"", "Lantern Row"}},
		"by tag": {2, func() ([]string, error) {
			found, err := store.GuildsByPrefix(ctx, []string{"kETL", "none"})
			return at(append(found[0], found[1]...)...), err
		}, []string{"lantern", "Lantern Row"}},
		"members": {6, func() ([]string, error) {
			found, err := store.PlayersByGuild(ctx, []string{uuid(101), uuid(7), uuid(100)})
			return append(names(found)[0], names(found)[2]...), err
		}, []string{"p3", "p4", "p5", "p0", "p1", "p2"}},
		"the directory, from the index alone": {0, func() ([]string, error) {
			all, err := store.GuildDirectory(ctx)
			if len(all) != 303 {
				return nil, err
			}
			last := all[302]
			return []string{all[0].Name, all[0].UUID, all[0].Prefix, all[1].Name, last.Name}, err
		}, []string{"Lantern Row", uuid(2), "Ketl", "Weiße Möwen", "lantern"}},
	} {
		before := server.Stats()
		got, err := q.ask()
		after := server.Stats()
		if err != nil {
			t.Fatal(name, err)
		}
		if d := cmp.Diff(q.want, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if read := after.DocumentsExamined - before.DocumentsExamined; read > q.most || after.CollectionScans != before.CollectionScans {
			t.Errorf("%s: reads %d documents, want at most %d and no whole collection", name, read, q.most)
		}
	}
}

// Two guilds cannot share a name, and a write that would let them writes nothing.
func TestGuildNamesAreUnique(t *testing.T) {
	store, _ := storetest.Open(t)
	ctx := t.Context()
	if err := store.PutGuilds(ctx, []*model.Guild{{UUID: uuid(1), Name: "Straße"}, {UUID: uuid(2), Name: "Lantern Row"}}); err != nil {
		t.Fatal(err)
	}
	for name, gs := range map[string][]*model.Guild{
		"a name of another":     {{UUID: uuid(3), Name: "Fresh"}, {UUID: uuid(4), Name: "STRASSE"}},
		"twice in one call":     {{UUID: uuid(3), Name: "Fresh"}, {UUID: uuid(4), Name: "fresh"}},
		"changing places":       {{UUID: uuid(1), Name: "Lantern Row"}, {UUID: uuid(2), Name: "Straße"}},
		"the name of the other": {{UUID: uuid(2), Name: "straße"}},
	} {
		for _, write := range []func() error{func() error { return store.PutGuilds(ctx, gs) }, func() error { return store.InsertGuilds(ctx, gs) }} {
			if err := write(); !errors.Is(err, mongo.ErrGuildName) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if err := store.InsertGuilds(ctx, []*model.Guild{{UUID: uuid(1), Name: "Another"}}); !errors.Is(err, mongo.ErrGuildName) {
		t.Errorf("a uuid that is known: %v", err)
	}
	all, err := store.GuildDirectory(ctx)
	if err != nil || len(all) != 2 || all[0].Name != "Lantern Row" || all[1].Name != "Straße" {
		t.Errorf("the store holds %v, %v", all, err)
	}
	if err := store.PutGuilds(ctx, []*model.Guild{{UUID: uuid(1), Name: "STRASSE"}}); err != nil {
		t.Errorf("a guild cannot write its own name otherwise: %v", err)
	}
}

// recordedMember is a member as an operation read backwards gives it.
const recordedMember = `{"uuid":"%s","username":"%s","online":true,"server":"EU37","contributed":7,"contributionRank":1,"joined":"2026-03-01T00:00:00Z","lastJoin":null,
	"wars":%d,"playtime":5.5,"weekly":null,"globalData":{"wars":4,"dungeons":{"total":0,"list":[]},"raids":{"total":0,"list":[]},"guildRaids":{"total":%d,"list":[]},"pvp":{"kills":0,"deaths":0}},
	"restrictions":{"onlineStatus":%t,"mainAccess":%t,"weeklyAccess":%t}}`

func recordedGuild(total int, members ...string) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"uuid":"%s","name":"Lantern Row","prefix":"LNRW","created":"2026-01-01T00:00:00Z","wars":null,"totalGuildRaids":9,
		"members":{"total":%d,"owner":[],"chief":[%s]}}`, uuid(500), total, strings.Join(members, ",")))
}

func TestImportGuild(t *testing.T) {
	store, _ := storetest.Open(t)
	ctx := t.Context()
	hours, then := 99.5, time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)
	here := &model.GuildReference{UUID: uuid(500), Name: "Lantern Row"}
	history := []*model.GuildHistoryEntry{{UUID: uuid(501), GuildRaids: &model.CountList{Total: 3}}, {UUID: uuid(500), GuildRaids: &model.CountList{Total: 8}}}
	if err := store.InsertPlayers(ctx, []*model.Player{
		{UUID: uuid(1), Username: "Hidden", Playtime: &hours, LastJoin: &then, GuildHistory: history, Weekly: &model.WeeklyProgress{Streak: 5}, Party: "p"},
		{UUID: uuid(2), Username: "Open", Playtime: &hours, GuildHistory: history, GlobalData: &model.PlayerGlobalData{GuildRaids: &model.CountList{Total: 11}},
			Rules: model.AccessRules{MainAccess: model.Friend, CharacterListAccess: model.Friend}},
		{UUID: uuid(3), Username: "Gone", Guild: here, Membership: &model.Membership{}},
	}); err != nil {
		t.Fatal(err)
	}
	if err := store.InsertGuilds(ctx, []*model.Guild{{UUID: uuid(500), Name: "Old Name", RaidTallies: []*model.RaidTally{{Raid: "x"}}}}); err != nil {
		t.Fatal(err)
	}
	i, err := mongo.ReadImport("guild", recordedGuild(3,
		fmt.Sprintf(recordedMember, uuid(1), "Hidden", 4, 1, true, true, true), fmt.Sprintf(recordedMember, uuid(2), "Opened", 4, 0, false, false, false),
		fmt.Sprintf(recordedMember, uuid(4), "New", 4, 2, false, false, false)), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Apply(ctx, i); err != nil {
		t.Fatal(err)
	}
	got, err := store.PlayersByUUID(ctx, []string{uuid(1), uuid(2), uuid(3), uuid(4)})
	if err != nil {
		t.Fatal(err)
	}
	hidden, opened, gone, fresh := got[0], got[1], got[2], got[3]
	if hidden.Online || *hidden.Playtime != hours || !hidden.LastJoin.Equal(then) || hidden.Weekly.Streak != 5 || hidden.Rules.MainAccess != model.Private ||
		hidden.GuildHistory[1].GuildRaids.Total != 8 || hidden.Party != "p" || hidden.Membership.Contributed != 7 || *hidden.Guild.RankStars != "★★★★" {
		t.Errorf("what was hidden is %+v", hidden)
	}
	if !opened.Online || *opened.Playtime != 5.5 || opened.Rules.MainAccess != model.Public || opened.Rules.CharacterListAccess != model.Friend ||
		len(opened.GuildHistory) != 1 || opened.GlobalData.GuildRaids.Total != 11 || opened.GlobalData.Wars != 4 || opened.Username != "Opened" {
		t.Errorf("what was shown is %+v", opened)
	}
	if gone.Guild != nil || gone.Membership != nil {
		t.Errorf("who left is still %+v", gone.Guild)
	}
	if fresh == nil || fresh.Rank != "Player" || fresh.GuildHistory[0].GuildRaids.Total != 2 || fresh.GlobalData.GuildRaids != nil {
		t.Errorf("who is new is %+v", fresh)
	}
	guilds, err := store.GuildsByName(ctx, []string{"lantern row"})
	if err != nil || guilds[0] == nil || guilds[0].Wars != nil || guilds[0].TotalGuildRaids != 9 || len(guilds[0].RaidTallies) != 1 {
		t.Errorf("the guild is %+v, %v", guilds[0], err)
	}
}

// A guild whose name is taken is refused before its members are touched.
func TestImportGuildWithATakenName(t *testing.T) {
	store, _ := storetest.Open(t)
	if err := store.InsertGuilds(t.Context(), []*model.Guild{{UUID: uuid(9), Name: "lantern ROW"}}); err != nil {
		t.Fatal(err)
	}
	i, err := mongo.ReadImport("guild", recordedGuild(1, fmt.Sprintf(recordedMember, uuid(1), "New", 4, 0, false, false, false)), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Apply(t.Context(), i); !errors.Is(err, mongo.ErrGuildName) {
		t.Errorf("a name that is taken: %v", err)
	}
	if n, err := store.CountPlayers(t.Context()); n != 0 || err != nil {
		t.Errorf("%d players were stored, %v", n, err)
	}
}

func TestReadGuildRefuses(t *testing.T) {
	one := fmt.Sprintf(recordedMember, uuid(1), "A", 4, 0, false, false, false)
	for name, c := range map[string]struct {
		data json.RawMessage
		want string
	}{
		"wrong total":     {recordedGuild(2, one), "there are 1"},
		"a member twice":  {recordedGuild(2, one, one), "twice"},
		"no uuid":         {recordedGuild(1, fmt.Sprintf(recordedMember, "Salted", "Salted", 4, 0, false, false, false)), "not a uuid"},
		"two wars":        {recordedGuild(1, fmt.Sprintf(recordedMember, uuid(1), "A", 5, 0, false, false, false)), "two numbers"},
		"finer than kept": {json.RawMessage(strings.Replace(string(recordedGuild(0)), "00:00:00Z", "00:00:00.000001Z", 1)), "millisecond"},
	} {
		if _, err := mongo.ReadImport("guildByUuid", c.data, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error is %v, want one that says %q", name, err, c.want)
		}
	}
	_, err := mongo.ReadImport("guildSeasons", json.RawMessage(`[{"number":1,"initDate":"2026-01-01T00:00:00Z"},{"number":1,"initDate":"2026-01-01T00:00:00Z"}]`), nil)
	if err == nil || !strings.Contains(err.Error(), "entry 2") {
		t.Errorf("a season twice: %v", err)
	}
}
