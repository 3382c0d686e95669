package api

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"gamedata/graph/model"
	"gamedata/internal/app/apptest"
	"gamedata/mongo"
)

// canary is a player who hides everything, with unique values.
type canary struct {
	uuid, name, character, guild string
	values                       []string
}

func plantCanary(t *testing.T, store *mongo.Store, i int, name string) canary {
	t.Helper()
	found, err := store.Players.ByID(t.Context(), []string{apptest.CastUUID(name)})
	if err != nil {
		t.Fatal(err)
	}
	owned, err := store.Characters.ByOwner(t.Context(), []string{found[0].UUID})
	if err != nil || len(owned[0]) == 0 {
		t.Fatal(name, len(owned), err)
	}
	p, c := *found[0], *owned[0][0]
	secret := int64(710_000_000 + i)
	world, private := fmt.Sprint("HIDDEN", 71+i), model.Private
	p.Rules = model.AccessRules{
		model.MainAccess: private, model.CharacterListAccess: private, model.CharacterDataAccess: private,
		model.CharacterBuildAccess: private,
		model.OnlineStatus:         private, model.GuildHistoryAccess: private, model.WeeklyAccess: private,
	}
	p.Online, p.World, p.ActiveCharacter = true, &world, &c.UUID
	data := *p.Totals
	data.MobsKilled = secret
	p.Totals = &data
	hunted := secret + 1_000
	c.MobsKilled = &hunted
	if err := store.Players.Put(t.Context(), []*model.Player{&p}); err != nil {
		t.Fatal(err)
	}
	if err := store.Characters.Put(t.Context(), []*model.Character{&c}); err != nil {
		t.Fatal(err)
	}
	out := canary{uuid: p.UUID, name: p.Username, character: c.UUID, values: []string{
		fmt.Sprint(secret),
		fmt.Sprint(hunted), world, c.UUID,
	}}
	if p.Guild != nil {
		out.guild = p.Guild.Name
	}
	return out
}

// paths returns the requests, of both APIs, whose responses could contain a value of the player.
func (c canary) paths() []string {
	of, graphql := "/v3/player/"+c.uuid, func(q string) string { return "/graphql?query=" + url.QueryEscape(q) }
	const fields = `{ username online world activeCharacterUuid totals { mobsKilled } activeCharacter{ uuid mobsKilled }
		characters { nodes { uuid mobsKilled } } }`
	out := []string{
		of, of + "?fullResult", of + "/characters", of + "/characters/" + c.character, of + "/characters/" +
			c.character + "/abilities",
		"/v3/player", "/v3/player?identifier=uuid", "/v3/search/" + url.PathEscape(c.name), "/v3/map/locations/player",
		"/v3/player/whoami",
		graphql(`{ player(by:{reference:"` + c.uuid + `"}) ` + fields + ` }`), graphql(`{ players(filter: {uuids: ["` + c.uuid + `"]}) { nodes ` +
			fields + ` } }`),
		graphql(`{ viewer { profiles ` + fields + ` } }`), graphql(`{ search(query: "` + c.name + `") { players { player ` +
			fields + ` } } }`),
	}
	if c.guild != "" {
		out = append(out, "/v3/guild/"+url.PathEscape(c.guild), graphql(`{ guild(by: { name: "`+c.guild+
			`" }) { members(first: 50) { nodes { username online world player `+fields+` } } } }`))
	}
	return out
}

// USER responses never reach another viewer: every owner hides everything and requests every player by every path, in
// random order, so that some responses come from the cache.
func TestPrivateValuesNeverLeak(t *testing.T) {
	svc := apptest.NewService(t)
	var birds []canary
	for i, name := range []string{"Veiled", "Companion", "Hearthside"} {
		birds = append(birds, plantCanary(t, svc.Store, i, name))
	}
	type caller struct {
		name, header string
		own          int
	}
	callers := []caller{{"a guest", "", -1}}
	for i, b := range birds {
		private, public := svc.CreateOwner(b.name)
		callers = append(callers, caller{"the owner of " + b.name, private, i},
			caller{"in Public Mode, the owner of " + b.name, public, -1})
	}
	type request struct {
		by   caller
		path string
	}
	var requests []request
	for range 2 {
		for _, by := range callers {
			for _, b := range birds {
				for _, path := range b.paths() {
					requests = append(requests, request{by, path})
				}
			}
		}
	}
	rand.Shuffle(len(requests), func(i, j int) { requests[i], requests[j] = requests[j], requests[i] })
	own := map[string]bool{}
	for _, q := range requests {
		const nobody = "203.0.113.9" // no player's address
		res := svc.Request(http.MethodGet, q.path, "", "X-Forwarded-For", nobody, "Authorization", q.by.header)
		if res.Status >= 500 || res.Status == 401 || res.Status == 429 {
			t.Fatalf("%s requests %s: got %d %.300s", q.by.name, q.path, res.Status, res.Body)
		}
		for i, b := range birds {
			for _, value := range b.values {
				switch found := bytes.Contains(res.Body, []byte(value)); {
				case found && i == q.by.own:
					own[value] = true
				case found && !strings.Contains(q.path, value):
					t.Errorf("%s sees %s of %s in %s: %.300s", q.by.name, value, b.name, q.path, res.Body)
				}
			}
		}
	}
	for _, b := range birds {
		for _, value := range b.values {
			if !own[value] {
				t.Errorf("the owner of %s does not see %s in any response", b.name, value)
			}
		}
	}
}

// SHARED responses do not depend on the caller or the headers: every golden's request with a public response is sent by
// callers of all kinds.
func TestSharedResponsesAreIdentical(t *testing.T) {
	svc := apptest.NewService(t, "--cache-size", "0") // every response is computed
	files, err := filepath.Glob("../../../rest/testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	private, public := svc.CreateOwner("Veiled")
	seen := 0
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(section(archive, "response")), "public") {
			continue
		}
		var first *apptest.Response
		for name, headers := range map[string][]string{
			"a guest": nil, "an owner": {"Authorization", private}, "in Public Mode": {"Authorization", public},
			"from elsewhere": {
				"X-Forwarded-For", "2001:db8::7", "Origin", "https://elsewhere.example", "Sec-Fetch-Site",
				"cross-site",
			},
			"who prefers": {
				"Accept", "text/html", "Accept-Language", "de", "User-Agent", "x", "X-Forwarded-Host",
				"elsewhere.example", "Cookie", "theme=dark",
			},
		} {
			r, body := parseRequest(t, svc.URL, string(section(archive, "request")))
			for i := 0; i < len(headers); i += 2 {
				r.Header.Set(headers[i], headers[i+1])
			}
			res := apptest.Do(t, r, body)
			if !strings.Contains(res.Header.Get("Cache-Control"), "public") {
				continue // the world of this test is younger than the world of the goldens
			}
			if res.Header.Get("Cache-Status") != "" || res.Header.Get("Age") != "" {
				t.Errorf("%s: without a cache: got %v", file, res.Header)
			}
			if first == nil {
				first, seen = &res, seen+1
			}
			if res.Status != first.Status || !bytes.Equal(maskTime(res.Body), maskTime(first.Body)) ||
				res.Header.Get("ETag") != first.Header.Get("ETag") && bytes.Equal(res.Body, first.Body) {
				t.Errorf("%s: %s: got another response", file, name)
			}
		}
	}
	if seen < 40 {
		t.Errorf("compared %d SHARED responses, want at least 40", seen)
	}
}
