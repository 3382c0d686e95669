package site

import (
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gamedata/internal/web/card"
)

// texts are all texts of a picture.
func texts(c card.Card) string {
	out := []string{c.Kind, c.Title, c.Subtitle}
	for _, f := range slices.Concat(c.Figures, c.Rows) {
		out = append(out, f.Name, f.Value)
	}
	return strings.Join(append(out, c.Note), "|")
}

// pictureOf returns the picture of a page that shows the data of its operation.
func pictureOf[T any](t *testing.T, show func(*renderContext, *T) *errorPage, data string) card.Card {
	t.Helper()
	s := testSite()
	p := testPage(t, s, viewOf(show).operation)
	c := &renderContext{site: s, page: p, request: request{map[string]any{}, url.Values{}}, data: []byte(data)}
	if bad := p.show(c); bad != nil {
		t.Fatal(bad.Text)
	}
	return c.card()
}

// Pictures leave out what is hidden or unknown, rather than showing zeros.
func TestCardTexts(t *testing.T) {
	for name, c := range map[string]struct {
		got  card.Card
		want string
	}{
		"player": {
			pictureOf(t, showPlayer, `{"player":{"uuid":"a","username":"Salted","rank":{"label":"Player"},"playtime":1234.5,
				"guildMembership":{"guildName":"Moss","guildPrefix":"MOS","rank":"CHIEF"},
				"totals":{"totalLevel":2000,"wars":30,"raids":{"total":4}}}}`),
			"Player|Salted|Chief of Moss [MOS]|Total level|2,000|Playtime|1,234 h|Wars|30|Raids|4|",
		},
		"hidden player": {
			pictureOf(t, showPlayer, `{"player":{"uuid":"a","username":"Veiled","rank":{"label":"Player"},
				"hidesStats":true}}`),
			"Player|Veiled|Player|This player keeps their statistics private.",
		},
		"player with a rank": {
			pictureOf(t, showPlayer, `{"player":{"username":"A","supportRank":{"label":"vipplus"},"playtime":2}}`),
			"Player|A|VIP+|Playtime|2 h|",
		},
		"guild without wars": {
			pictureOf(t, showGuild, `{"guild":{"name":"Moss","prefix":"MOS","level":3,"members":{"totalCount":12},
				"createdAt":"2025-01-02T00:00:00Z","headquarters":{"name":"Mill"},"territories":{"nodes":[]}}}`),
			"Guild|Moss [MOS]|Founded 2 January 2025, headquarters in Mill|Level|3|Members|12|Territories|0|",
		},
		"item": {
			pictureOf(t, showItem, `{"item":{"displayName":"Cap","type":{"label":"armour"},
				"subType":{"label":"helmet"},"tier":{"label":"rare"},"requirements":{"level":5},
				"base":[{"key":"baseHealth","raw":13}],
				"identifications":[{"key":"walkSpeed","min":1,"raw":3,"max":5}]}}`),
			"Item|Cap|Rare helmet|Level|5|Health|13|Walk speed|1 to 5|",
		},
		"leaderboard": {
			pictureOf(t, showLeaderboard, `{"leaderboard":{"title":"Wars","description":"By wars.",
				"entries":{"nodes":[{"position":1,"name":"A","score":1200},{"position":2,"score":7},
					{"position":3,"name":"C","score":2},{"position":4,"name":"D"}]}}}`),
			"Leaderboard|Wars|By wars.|1. A|1,200|2. hidden|7|3. C|2|4. D|0|Nobody is ranked yet.",
		},
		"season": {
			pictureOf(t, showSeasons, `{"all":{"nodes":[]},"guildSeasons":{"nodes":[{"number":4,"history":[
				{"guild":{"name":"Moss"},"points":[{"at":"2026-01-02T00:00:00Z","value":1200}]}]}]}}`),
			"|Season 4|Season 4 of the guilds: how the ratings of the leading ones changed.|First, 1,200|Moss|",
		},
		"unclaimed territory": {
			pictureOf(t, showTerritory, `{"territory":{"name":"Mill","treasury":"VERY_LOW","defences":"HIGH",
				"linkNames":["a"],"resources":[{"type":"ORE","generation":3},{"type":"FISH","generation":9}]}}`),
			"Territory|Mill|Unclaimed|Treasury|Very low|Defences|High|Connections|1|Fish per hour|9|",
		},
	} {
		if got := texts(c.got); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
	}
}

// Pictures have the colours of tiers and of the map that pages have in the dark.
func TestCardColours(t *testing.T) {
	css, err := os.ReadFile("../page.css")
	if err != nil {
		t.Fatal(err)
	}
	dark := map[string]string{}
	for _, m := range regexp.MustCompile(`--([\w-]+): light-dark\([^,]*, (#\w+)\)`).FindAllSubmatch(css, -1) {
		dark[string(m[1])] = string(m[2])
	}
	want := map[string]string{"sea": seaColour, "land": landColour}
	for tier, colour := range tierColours {
		want["tier-"+tier] = colour
	}
	for name, colour := range want {
		if dark[name] != colour {
			t.Errorf("%s: got %s on pictures, want %s", name, colour, dark[name])
		}
	}
}
