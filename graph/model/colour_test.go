package model

import (
	"fmt"
	"testing"
)

// The scripts of the pages have the same table (internal/web/console/test/colour.test.ts): a guild that is not in the
// store has one colour everywhere.
func TestUUIDColour(t *testing.T) {
	for uuid, want := range map[string]string{
		"00000000-0000-0000-0000-000000000000": "#3997c6",
		"3f2b8c1e-7a4d-4e9b-9c55-0d1e2f3a4b5c": "#c3282a",
		"3F2B8C1E7A4D4E9B9C550D1E2F3A4B5C":     "#c3282a",
		"ffffffff-ffff-ffff-ffff-ffffffffffff": "#c3312c",
		"6d0c2c53-4a0e-4c7e-8a6e-5b1f7b0c9d21": "#d34551",
	} {
		if got := UUIDColour(uuid); got != want {
			t.Errorf("%s: got %s, want %s", uuid, got, want)
		}
	}
}

// No two colours of guilds look alike, and each can be seen on the land of the light and of the dark map (page.css).
func TestGuildColours(t *testing.T) {
	light := func(colour string) float64 {
		c := linearRGB(colour)
		return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2] + 0.05
	}
	for i, colour := range guildColours {
		if light("#f2eedd")/light(colour) < 1.75 || light(colour)/light("#1d2925") < 2 {
			t.Errorf("%s is hard to see on land", colour)
		}
		for _, other := range guildColours[:i] {
			if d := ColourDistance(colour, other); d < 0.07 {
				t.Errorf("%s and %s are %.3f apart", colour, other, d)
			}
		}
	}
}

func TestColourDistance(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want string
	}{
		{"#000000", "#ffffff", "1.00"},
		{"#123456", "#123456", "0.00"},
		{"#ff0000", "#0000ff", "0.50"}, // 0.54 for most people
		{"#c8553d", "#8f7a36", "0.01"}, // red and olive, alike without green cones
	} {
		if got := fmt.Sprintf("%.2f", ColourDistance(tc.a, tc.b)); got != tc.want {
			t.Errorf("%s and %s: got %s, want %s", tc.a, tc.b, got, tc.want)
		}
	}
}

// Guilds of a long row of territories: each has the colour of no other one while there are enough, later of no
// neighbour. What is stored stays.
func TestColoursOfHolders(t *testing.T) {
	uuid := func(i int) string { return fmt.Sprintf("%08d-0000-0000-0000-000000000000", i) }
	var row []*Territory
	for i := range 60 {
		row = append(row, &Territory{
			Name: fmt.Sprint(i), LinkNames: []string{fmt.Sprint(i - 1), fmt.Sprint(i + 1)},
			Guild: &TerritoryGuild{UUID: new(uuid(i))},
		})
	}
	some := ColoursOfHolders(row[:len(guildColours)], map[string]string{uuid(0): guildColours[3]})
	used := map[string]bool{guildColours[3]: true}
	for _, colour := range some {
		used[colour] = true
	}
	if len(some) != len(guildColours)-1 || len(used) != len(guildColours) || some[uuid(0)] != "" {
		t.Errorf("got %d colours for %d guilds: %v", len(used), len(guildColours), some)
	}
	all := ColoursOfHolders(row, nil)
	for i := 1; i < len(row); i++ {
		if a, b := all[uuid(i-1)], all[uuid(i)]; ColourDistance(a, b) < 0.07 {
			t.Errorf("the neighbours %d and %d have %s and %s", i-1, i, a, b)
		}
	}
}
