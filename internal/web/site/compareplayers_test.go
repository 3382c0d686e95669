package site

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"
)

const (
	okapi  = "a0000000-0000-4000-8000-000000000001"
	salted = "a0000000-0000-4000-8000-000000000002"
	veiled = "a0000000-0000-4000-8000-000000000003"
)

// Players are compared in the order of the address, in whatever form it has their uuids; what one hides is never the
// best.
func TestPlayerComparison(t *testing.T) {
	var players []ComparedPlayer
	if err := json.Unmarshal([]byte(`[
		{"uuid":"`+okapi+`","username":"Okapi","playtime":30.7,"totals":{"totalLevel":1200,"wars":3,
			"dungeons":{"total":1},"raids":{"total":2}}},
		{"uuid":"`+salted+`","username":"Salted","playtime":20,"totals":{"totalLevel":900,"wars":3,
			"dungeons":{"total":1},"raids":{"total":2}},
			"guildMembership":{"guildName":"Moss","guildPrefix":"MOS"},
			"thisWeek":[{"metric":"WARS","gained":2,"endValue":3},{"metric":"LEVEL","gained":0}]},
		{"uuid":"`+veiled+`","username":"Veiled","restricted":true}]`), &players); err != nil {
		t.Fatal(err)
	}
	compact := strings.ToUpper(strings.ReplaceAll(salted, "-", ""))
	keys := comparedKeys([]string{veiled, compact + "," + okapi, "00000000-0000-4000-8000-000000000000"})
	got := newPlayerComparison(keys, players)
	rows := map[string]string{}
	for _, r := range got.Rows {
		for _, c := range r.Cells {
			rows[r.Name] += c.Text + c.Note
			if c.Best {
				rows[r.Name] += "*"
			}
			rows[r.Name] += "|"
		}
	}
	for name, want := range map[string]string{
		"Guild": "–|MOS|–|", "Total level": "–|900|1,200*|", "Playtime in hours": "–|20|30*|", "Wars": "–|3+2|3|",
	} {
		if rows[name] != want {
			t.Errorf("%s: got %s, want %s", name, rows[name], want)
		}
	}
	if notices := strings.Join(got.Notices, " "); got.CanAdd() || !strings.HasPrefix(notices, "1 of the players") ||
		!strings.HasSuffix(notices, "private: Veiled.") {
		t.Errorf("got %s", notices)
	}
	twice := newPlayerComparison(comparedKeys([]string{salted, compact}), players[1:2])
	if got := twice.Columns[0].Without; got != "/players/compare" {
		t.Errorf("without the only player: got %s", got)
	}
	if want := "/players/compare?players=" + veiled + "," + okapi; !strings.HasPrefix(got.Columns[1].Without, want) {
		t.Errorf("without Salted: got %s, want %s", got.Columns[1].Without, want)
	}
}

// Names in the address become variables; variables of the operation set nothing.
func TestPlayersToCompare(t *testing.T) {
	p := testPage(t, testSite(), "ComparePlayersPage")
	for query, want := range map[string]string{
		"":                               `{}`,
		"players=":                       `{}`,
		"players=" + okapi + ",Salted,x": `{"name":"Salted","uuids":["` + okapi + `"]}`,
		"players=a&players=" + okapi:     `{"name":"a","uuids":["` + okapi + `"]}`,
		"name=a&uuids=" + okapi:          `{}`,
		"players=a0000000-000040008000-000000000001": `{"name":"a0000000-000040008000-000000000001"}`, // too few dashes
	} {
		got, bad := p.bind(time.Time{}, nil, query)
		if bad != nil {
			t.Errorf("%s: got %v", query, bad)
			continue
		}
		if text, err := json.Marshal(got.variables); err != nil || string(text) != want {
			t.Errorf("%s: got %s, %v, want %s", query, text, err, want)
		}
	}
	for _, query := range []string{"players=a,b,c,d,e", "players=" + url.QueryEscape(strings.Repeat("é", 101))} {
		if _, bad := p.bind(time.Time{}, nil, query); bad == nil {
			t.Errorf("%s: got no error", query)
		}
	}
}
