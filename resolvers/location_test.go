package resolvers_test

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/mongo/mongotest"
)

func playerUUID(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }

// playerAt returns a player on a world, with a character and a location; change modifies it.
func playerAt(n int, name string, change func(*model.Player)) *model.Player {
	world, character := "EU1", playerUUID(100+n)
	p := &model.Player{
		UUID: playerUUID(n), Username: name, Online: true, World: &world, ActiveCharacter: &character,
		Address:  fmt.Sprintf("192.0.2.%d", n),
		Location: &model.Position{X: float64(n) + 0.5, Y: 64, Z: -float64(n)},
	}
	if change != nil {
		change(p)
	}
	return p
}

func from(address string) viewer.Viewer { return viewer.Viewer{Address: netip.MustParseAddr(address)} }

type companion struct{ Name string }

type location struct {
	UUID, Name, Character string
	World                 *string
	Position              model.Position
	Friends, Party, Guild []companion
	Player                struct{ Username, World *string }
}

func names(list []companion) string {
	var out []string
	for _, c := range list {
		out = append(out, c.Name)
	}
	return strings.Join(out, " ")
}

// Each reason to be left out, for friends, party and guild alike.
func TestCompanions(t *testing.T) {
	store, _ := mongotest.Open(t)
	moss := &model.GuildReference{UUID: playerUUID(900), Name: "Moss", Prefix: "MOSS"}
	everybody := []*model.Player{
		playerAt(1, "Self", func(p *model.Player) { p.Rules[model.OnlineStatus] = model.Private }),
		playerAt(2, "near", nil),
		playerAt(3, "Near", nil),
		playerAt(4, "Near", nil),
		playerAt(5, "Offline", func(p *model.Player) {
			p.Online, p.World, p.ActiveCharacter, p.Location = false, nil, nil, nil
		}),
		playerAt(6, "Elsewhere", func(p *model.Player) { p.World = new("EU2") }),
		playerAt(7, "Between", func(p *model.Player) { p.World = nil }),
		playerAt(8, "Choosing", func(p *model.Player) { p.ActiveCharacter = nil }),
		playerAt(9, "Nowhere", func(p *model.Player) { p.Location = nil }),
		playerAt(10, "Shy", func(p *model.Player) { p.Rules[model.OnlineStatus] = model.Private }),
		playerAt(11, "Friendly", func(p *model.Player) { p.Rules[model.OnlineStatus] = model.Friend }),
		playerAt(12, "Loyal", func(p *model.Player) { p.Rules[model.OnlineStatus] = model.GuildAndFriends }),
		playerAt(13, "Veiled", func(p *model.Player) { p.Rules[model.MainAccess] = model.Private }),
		playerAt(14, "Visitor", nil),
	}
	for _, p := range everybody[:13] {
		p.Party, p.Guild = "party", moss
		everybody[0].Friends = append(everybody[0].Friends, p.UUID)
	}
	everybody[0].Friends = append(everybody[0].Friends, playerUUID(777))
	mongotest.Must(t, store.Players.Insert(t.Context(), everybody))
	exec := executorAt(t, store, nil)
	const query = `{playerLocations{uuid name character:characterUuid world position{x y z} friends{name} party{name}
		guild{name} player{username world}}}`
	ask := func(address string) []location {
		return answer[struct{ PlayerLocations []location }](t, exec, from(address), query).PlayerLocations
	}
	own := ask("192.0.2.1")[0]
	const want = "Near Near Veiled near"
	if names(own.Friends) != want || names(own.Party) != want || names(own.Guild) != want {
		t.Errorf("friends %s, party %s, guild %s; want %s", names(own.Friends), names(own.Party), names(own.Guild), want)
	}
	// The location is the caller's own; the player is redacted as for others.
	if own.Name != "Self" || own.Character != playerUUID(101) || *own.World != "EU1" || own.Position.X != 1.5 ||
		own.Position.Z != -1 ||
		own.Player.World != nil {
		t.Errorf("%+v", own)
	}
	for address, alone := range map[string]string{"192.0.2.7": "Between", "192.0.2.14": "Visitor"} {
		got := ask(address)
		if len(got) != 1 || got[0].Name != alone || got[0].Friends == nil || len(got[0].Friends)+len(got[0].Party)+
			len(got[0].Guild) != 0 {
			t.Errorf("%s: %+v", address, got)
		}
	}
	for _, address := range []string{"192.0.2.5", "192.0.2.8", "192.0.2.9", "203.0.113.1"} {
		if got := ask(address); got != nil {
			t.Errorf("%s: %+v", address, got)
		}
	}
	for _, query := range []string{query, `{whoami{uuid}}`} {
		type own struct{ Whoami, PlayerLocations []any }
		if got := answer[own](t, exec, viewer.Viewer{}, query); got.Whoami != nil || got.PlayerLocations != nil {
			t.Errorf("unknown address: got %+v", got)
		}
	}
	far := from("192.0.2.1")
	far.CrossSite = true
	if r := run(t, exec, far, query, nil); len(r.Errors) == 0 || r.Errors[0].Message != graph.ErrCrossSite.Detail {
		t.Errorf("another site's page: %v", r.Errors)
	}
}
