package pages

import (
	"fmt"
	"html"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gamedata/internal/app/apptest"
)

var (
	weekTile = regexp.MustCompile(`<div><dt>([^<]*)</dt><dd><strong>([^<]*)</strong> <small>[^<]* the week before</small>`)
	weekName = regexp.MustCompile(`<bdi>([^<]*)</bdi></a>`)
)

// weekPage returns a page of a week, its tiles, and the names in each of its sections.
func weekPage(t *testing.T, p *apptest.Program, path string) (page string, tiles map[string]string,
	names map[string][]string,
) {
	t.Helper()
	res, page := openPage(t, p, "GET", path)
	res.Expect(t, path, 200)
	tiles, names = map[string]string{}, map[string][]string{}
	for _, m := range weekTile.FindAllStringSubmatch(page, -1) {
		tiles[m[1]] = html.UnescapeString(m[2])
	}
	for _, section := range strings.Split(page, `<section aria-labelledby="`)[1:] {
		id, _, _ := strings.Cut(section, `"`)
		for _, m := range weekName.FindAllStringSubmatch(section, -1) {
			names[id] = append(names[id], html.UnescapeString(m[1]))
		}
	}
	return page, tiles, names
}

// memberWeeks is what members gained.
type memberWeeks struct {
	Nodes []struct {
		Member struct {
			Username     string
			LastJoinedAt time.Time
		}
		Gain struct{ Gained float64 }
	}
}

// The page of a week has the numbers that GraphQL has for its days. It names nobody who hides, and counts who is left
// out.
func TestWeekPages(t *testing.T) {
	t.Parallel()
	p := apptest.Shared(t)
	end := time.Now().UTC().Truncate(7 * 24 * time.Hour)
	monday := end.AddDate(0, 0, -7)
	year, number := monday.ISOWeek()
	week := fmt.Sprintf("/week?week=%d-W%02d", year, number)
	type gain struct{ Gained float64 }
	data := apptest.Query[struct {
		Guild struct {
			UUID     string
			Gains    []gain
			Captures struct {
				Nodes []struct{ To struct{ UUID string } }
			}
			Members       struct{ TotalCount int }
			Given, Played memberWeeks
			MemberEvents  []struct{ Player struct{ Username string } }
		}
		Player struct{ Gains []gain }
	}](t, p.Base, strings.NewReplacer("FROM", monday.Format(`"2006-01-02T15:04:05Z"`),
		"LAST", end.AddDate(0, 0, -1).Format(`"2006-01-02T15:04:05Z"`), "TO", end.Format(`"2006-01-02T15:04:05Z"`)).Replace(
		strings.ReplaceAll(`{ guild(by: {name: "Mossbound Company"}) {
			uuid gains(metrics: [WARS, CAPTURED, LOST], OVER) { gained }
			captures(from: FROM, to: TO, first: 1000) { nodes { to { uuid } } }
			members(first: 0, filter: {joinedAt: {to: TO}}) { totalCount }
			given: memberGains(first: 10, OVER) { nodes { ...member } }
			played: memberGains(metric: PLAYTIME, first: 200, OVER) { nodes { ...member } }
			memberEvents(from: FROM, to: TO, first: 100) { ...on GuildMemberJoined { player { username } }
				...on GuildMemberLeft { player { username } } ...on GuildMemberRankChanged { player { username } } }
		} player(by: {username: "Salted"}) { gains(metrics: [PLAYTIME], OVER) { gained } } }
		fragment member on MemberGain { member { username lastJoinedAt } gain { gained } }`,
			"OVER", "over: {between: {from: FROM, to: LAST}}")))
	g := data.Guild
	page, tiles, names := weekPage(t, p, "/guilds/Mossbound%20Company"+week)
	captured := 0
	for _, c := range g.Captures.Nodes {
		if c.To.UUID == g.UUID {
			captured++
		}
	}
	want := []gain{g.Gains[0], {float64(captured)}, {float64(len(g.Captures.Nodes) - captured)}}
	if captured == 0 || !slices.Equal(g.Gains, want) || tiles["Wars"] != fmt.Sprintf("+%.0f", want[0].Gained) ||
		tiles["Territories captured"] != fmt.Sprint(captured) || tiles["Territories lost"] != fmt.Sprint(want[2].Gained) {
		t.Errorf("got %v, gains %v, captures %v", tiles, g.Gains, want)
	}
	lists := map[string][]string{}
	for _, n := range g.Given.Nodes {
		if n.Gain.Gained > 0 {
			lists["givers"] = append(lists["givers"], n.Member.Username)
		}
	}
	for _, n := range g.Played.Nodes {
		if at := n.Member.LastJoinedAt; n.Gain.Gained == 0 && (at.Before(monday) || !at.Before(end)) {
			lists["away"] = append(lists["away"], n.Member.Username)
		}
	}
	for _, e := range g.MemberEvents {
		lists["moves"] = append(lists["moves"], e.Player.Username)
	}
	if d := cmp.Diff(lists, names); d != "" || lists["givers"] == nil {
		t.Error(d)
	}
	left := g.Members.TotalCount - len(g.Played.Nodes)
	text := fmt.Sprintf("%d of %d members are left out", left, g.Members.TotalCount)
	if left < 1 || !strings.Contains(page, text) {
		t.Errorf("got no %q", text)
	}
	_, tiles, _ = weekPage(t, p, "/players/Salted"+week)
	hours, shown := data.Player.Gains[0].Gained, 0.0
	if _, err := fmt.Sscanf(tiles["Playtime"], "+%g h", &shown); err != nil || math.Abs(shown-hours) > 0.5 || hours == 0 {
		t.Errorf("got %q, want %v hours", tiles, hours)
	}
	page, tiles, _ = weekPage(t, p, "/players/Veiled"+week)
	if !strings.Contains(page, "Privacy setting online_status") || len(tiles) > 0 || strings.Contains(page, `"hours"`) {
		t.Errorf("hidden: got %v\n%s", tiles, page)
	}
	for text, status := range map[string]int{
		"x": 400, "2026-W5": 400, "2026-W54": 400, "2025-W53": 400, "9998-W01": 400, "2020-W53": 404,
	} {
		if res, page := openPage(t, p, "GET", "/guilds/Mossbound%20Company/week?week="+text); res.Status != status ||
			!strings.Contains(page, map[int]string{400: "Enter a week that has begun", 404: "Nothing recorded"}[status]) {
			t.Errorf("%s: got %d, want %d", text, res.Status, status)
		}
	}
}
