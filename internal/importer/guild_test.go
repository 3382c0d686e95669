package importer_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/importer"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// recordedMember is a member in the data of a root field.
const recordedMember = `{"uuid":"%s","username":"%s","online":true,"world":"EU37","contributed":7,
	"contributionRank":1,"joinedAt":"2026-03-01T00:00:00Z","lastJoinedAt":null,"wars":%d,"playtime":5.5,"weekly":null,
	"totals":{"wars":4,"dungeons":{"total":0,"list":[]},"raids":{"total":0,"list":[]},"guildRaids":{"total":%d,
	"list":[]},"pvp":{"kills":0,"deaths":0}},"restrictions":[{"key":"ONLINE_STATUS","restricted":%t},
	{"key":"MAIN_ACCESS","restricted":%t},{"key":"WEEKLY_ACCESS","restricted":%t}]}`

func member(uuid, name string, wars, raids int, hidden bool) string {
	return fmt.Sprintf(recordedMember, uuid, name, wars, raids, hidden, hidden, hidden)
}

func guildBody(total int, members ...string) string {
	return fmt.Sprintf(`{"uuid":"%s","name":"Lantern Row","prefix":"LNRW","createdAt":"2026-01-01T00:00:00Z","wars":null,
		"totalGuildRaids":9,"total":{"totalCount":%d},"owner":{"nodes":[]},"chief":{"nodes":[%s]}}`,
		mongotest.UUID(500), total, strings.Join(members, ","))
}

func TestImportGuild(t *testing.T) {
	store, _ := mongotest.Open(t)
	ctx := t.Context()
	hours, then := 99.5, time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)
	here := &model.GuildReference{UUID: mongotest.UUID(500), Name: "Lantern Row"}
	history := []*model.GuildHistoryEntry{
		{UUID: mongotest.UUID(501), GuildRaids: &model.CountList{Total: 3}},
		{UUID: mongotest.UUID(500), GuildRaids: &model.CountList{Total: 8}},
	}
	mongotest.Must(t, store.Players.Insert(ctx, []*model.Player{
		{
			UUID: mongotest.UUID(1), Username: "Hidden", Playtime: &hours, LastJoinedAt: &then, GuildHistory: history,
			Weekly: &model.WeeklyProgress{Streak: 5}, Party: "p",
		},
		{
			UUID: mongotest.UUID(2), Username: "Open", Playtime: &hours, GuildHistory: history,
			Totals: &model.PlayerTotals{GuildRaids: &model.CountList{Total: 11}},
			Rules:  model.AccessRules{model.MainAccess: model.Friend, model.CharacterListAccess: model.Friend},
		},
		{UUID: mongotest.UUID(3), Username: "Former", Guild: here, Membership: &model.Membership{}},
	}))
	stored := &model.Guild{UUID: mongotest.UUID(500), Name: "Old Name", RaidTallies: []*model.RaidTally{{Raid: "x"}}}
	mongotest.Must(t, store.Guilds.Insert(ctx, []*model.Guild{stored}))
	readAndApply(t, store, "guild", guildBody(3, member(mongotest.UUID(1), "Hidden", 4, 1, true),
		member(mongotest.UUID(2), "Opened", 4, 0, false), member(mongotest.UUID(4), "New", 4, 2, false)), nil)
	uuids := []string{mongotest.UUID(1), mongotest.UUID(2), mongotest.UUID(3), mongotest.UUID(4)}
	got := mongotest.Value(store.Players.ByID(ctx, uuids))(t)
	hidden, opened, former, added := got[0], got[1], got[2], got[3]
	if hidden.Online || *hidden.Playtime != hours || !hidden.LastJoinedAt.Equal(then) || hidden.Weekly.Streak != 5 ||
		hidden.Rules[model.MainAccess] != model.Private ||
		hidden.GuildHistory[1].GuildRaids.Total != 8 || hidden.Party != "p" || hidden.Membership.Contributed != 7 ||
		*hidden.Guild.RankStars != "★★★★" {
		t.Errorf("got restricted member %+v", hidden)
	}
	if !opened.Online || *opened.Playtime != 5.5 || opened.Rules[model.MainAccess] != model.Friend ||
		opened.Rules[model.CharacterListAccess] != model.Friend ||
		len(opened.GuildHistory) != 1 || opened.Totals.GuildRaids.Total != 11 || opened.Totals.Wars != 4 ||
		opened.Username != "Opened" {
		t.Errorf("got member %+v", opened)
	}
	if former.Guild != nil || former.Membership != nil {
		t.Errorf("got guild %+v of a former member, want none", former.Guild)
	}
	if added == nil || added.Rank != "Player" || added.GuildHistory[0].GuildRaids.Total != 2 ||
		added.Totals.GuildRaids != nil {
		t.Errorf("got new member %+v", added)
	}
	guilds, err := store.Guilds.ByName(ctx, []string{"lantern row"})
	if err != nil || guilds[0] == nil || guilds[0].Wars != nil || guilds[0].TotalGuildRaids != 9 ||
		len(guilds[0].RaidTallies) != 1 {
		t.Errorf("got guild %+v, %v", guilds[0], err)
	}
}

// A guild whose name is taken is rejected before its members are written.
func TestImportGuildWithATakenName(t *testing.T) {
	store, _ := mongotest.Open(t)
	other := &model.Guild{UUID: mongotest.UUID(9), Name: "lantern ROW"}
	mongotest.Must(t, store.Guilds.Insert(t.Context(), []*model.Guild{other}))
	body := json.RawMessage(guildBody(1, member(mongotest.UUID(1), "New", 4, 0, false)))
	i := mongotest.Value(importer.Read("guild", body, nil))(t)
	if err := i.Apply(t.Context(), store); !errors.Is(err, mongo.ErrGuildName) {
		t.Errorf("got %v, want ErrGuildName", err)
	}
	if n, err := store.Players.EstimateCount(t.Context()); n != 0 || err != nil {
		t.Errorf("got %d players, %v, want none", n, err)
	}
}

func TestReadGuildRejects(t *testing.T) {
	one := member(mongotest.UUID(1), "A", 4, 0, false)
	for name, c := range map[string]struct{ data, want string }{
		"wrong total":    {guildBody(2, one), "there are 1"},
		"a member twice": {guildBody(2, one, one), "duplicate"},
		"no uuid":        {guildBody(1, member("Salted", "Salted", 4, 0, false)), "not a uuid"},
		"two wars":       {guildBody(1, member(mongotest.UUID(1), "A", 5, 0, false)), "two numbers"},
		"finer than milliseconds": {
			strings.Replace(guildBody(0), "00:00:00Z", "00:00:00.000001Z", 1), "millisecond",
		},
	} {
		t.Run(name, func(t *testing.T) { checkRejected(t, "guild", c.data, c.want) })
	}
	t.Run("a season twice", func(t *testing.T) {
		season := `{"number":1,"startsAt":"2026-01-01T00:00:00Z"}`
		checkRejected(t, "guildSeasons", `{"nodes":[`+season+","+season+"]}", "entry 2")
	})
}

// Fields that a recording of a player lacks keep their stored values; the membership does as long as the guild is the
// same.
func TestImportKeepsUnrecordedFields(t *testing.T) {
	name, hours, then := "Older", 99.5, time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)
	for guild, keepsMembership := range map[string]bool{
		`{"guildUuid":"` + mongotest.UUID(500) + `"}`: true, `{"guildUuid":"` + mongotest.UUID(501) + `"}`: false,
		`null`: false,
	} {
		store, _ := mongotest.Open(t)
		ctx := t.Context()
		old := &model.Player{
			UUID: mongotest.UUID(1), Username: "Salted", Guild: &model.GuildReference{UUID: mongotest.UUID(500)},
			Membership: &model.Membership{Contributed: 7},
			Playtime:   &hours, FirstJoinedAt: &then, LastJoinedAt: &then, Totals: &model.PlayerTotals{Wars: 7},
			Weekly: &model.WeeklyProgress{Streak: 5}, LegacyName: &name, Party: "p", Friends: []string{mongotest.UUID(2)},
			Location: &model.Position{X: 1}, Flagged: true,
			Gambits: []*model.RaidGambits{{Raid: "x"}}, Rules: model.AccessRules{model.WeeklyAccess: model.Friend},
		}
		mongotest.Must(t, store.Players.Insert(ctx, []*model.Player{old}))
		readAndApply(t, store, "player", `{"uuid":"`+mongotest.UUID(1)+
			`","username":"Salted","restrictions":[],"guildMembership":`+guild+`}`, nil)
		p := storedPlayer(t, store, 1)
		if p.Playtime == nil || p.FirstJoinedAt == nil || p.LastJoinedAt == nil || p.Totals == nil ||
			p.Weekly == nil || p.LegacyName == nil || p.Party != "p" || len(p.Friends) != 1 || p.Location == nil ||
			!p.Flagged || len(p.Gambits) != 1 ||
			p.Rules[model.WeeklyAccess] != model.Friend {
			t.Errorf("guild %s: got player %+v", guild, p)
		}
		if (p.Membership != nil) != keepsMembership {
			t.Errorf("guild %s: got membership %+v", guild, p.Membership)
		}
	}
}

// The playtime of a member is read from globalData when only that has it, and what a recording lacks keeps its stored
// value.
func TestImportGuildKeepsWhatIsNotRecorded(t *testing.T) {
	playing := func(n int, playtime, inData string) string {
		return strings.NewReplacer(`"playtime":5.5`, `"playtime":`+playtime, `"totals":{`,
			`"totals":{"playtime":`+inData+`,`).Replace(member(mongotest.UUID(n), "A", 4, 0, false))
	}
	store, _ := mongotest.Open(t)
	ctx := t.Context()
	hours, then, name := 99.5, time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC), "Older"
	var players []*model.Player
	for n := 1; n <= 2; n++ {
		players = append(players, &model.Player{
			UUID: mongotest.UUID(n), Username: "A", Playtime: &hours, LastJoinedAt: &then, LegacyName: &name,
			Weekly: &model.WeeklyProgress{Streak: 5},
		})
	}
	mongotest.Must(t, store.Players.Insert(ctx, players))
	readAndApply(t, store, "guild", guildBody(3, playing(1, "null", "7.25"), playing(2, "null", "null"),
		playing(3, "null", "8.5")), nil)
	got := mongotest.Value(store.Players.ByID(ctx, []string{mongotest.UUID(1), mongotest.UUID(2), mongotest.UUID(3)}))(t)
	for n, want := range []float64{7.25, hours, 8.5} {
		p := got[n]
		if p.Playtime == nil || *p.Playtime != want {
			t.Errorf("player %d: got playtime %v, want %v", n+1, p.Playtime, want)
		}
		if n < 2 && (p.LastJoinedAt == nil || p.LegacyName == nil || p.Weekly == nil) {
			t.Errorf("player %d lost stored values: %+v", n+1, p)
		}
	}
	checkRejected(t, "guild", guildBody(1, playing(1, "5.5", "6")), "two playtimes")
}
