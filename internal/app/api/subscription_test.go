package api

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/app"
	"gamedata/internal/app/apptest"
	"gamedata/internal/auth"
	"gamedata/mongo"
)

// lanternRow is the uuid of a guild of the demo world.
const lanternRow = "71c3e5a9-d4b2-4f60-8e1c-3a5b7d9f1e2c"

type resultStream interface {
	// next returns the next result; what ends the subscription follows "END ".
	next(t *testing.T) string
	close()
}

// sse is an open stream of server-sent events.
type sse struct {
	end  context.CancelFunc
	body *bufio.Reader
	id   string // the last one received
}

// openSSE opens a stream and waits for its beginning; headers are name, value, name, value…
func openSSE(t *testing.T, method, url, body string, headers ...string) *sse {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	r, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := apptest.Client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("%s: got %d %v: %s", url, res.StatusCode, res.Header, apptest.Read(t, res).Body)
	}
	s := &sse{body: bufio.NewReader(res.Body), end: func() { cancel(); _ = res.Body.Close() }}
	t.Cleanup(s.end)
	if _, err := s.body.Peek(1); err != nil {
		t.Fatal(err)
	}
	return s
}

// frame reads the fields up to the next blank line; the name of a comment is empty.
func (s *sse) frame() (map[string]string, error) {
	fields := map[string]string{}
	for {
		line, err := s.body.ReadString('\n')
		if err != nil || line == "\n" {
			return fields, err
		}
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		fields[name] = value
		if name == "id" {
			s.id = value
		}
	}
}

type sseResults struct{ *sse }

// subscribeSSE opens a subscription; base may have query parameters, headers are name, value, name, value…
func subscribeSSE(t *testing.T, base, query string, variables map[string]any, headers ...string) resultStream {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		t.Fatal(err)
	}
	base, parameters, _ := strings.Cut(base, "?")
	headers = append([]string{"Content-Type", "application/json", "Accept", "text/event-stream"}, headers...)
	return &sseResults{openSSE(t, http.MethodPost, base+"/graphql?"+parameters, string(body), headers...)}
}

func (s *sseResults) close() { s.end() }

func (s *sseResults) next(*testing.T) string {
	comment := ""
	for {
		f, err := s.frame()
		comment = cmp.Or(f[""], comment)
		switch {
		case err != nil:
			return "END " + comment
		case f["event"] == "complete":
			return "END complete"
		case f["data"] != "":
			return f["data"]
		}
	}
}

// recordEvents appends events to the log of a running service.
func recordEvents(t *testing.T, dir string, list ...model.EventData) {
	t.Helper()
	db, err := app.JoinStore(t.Context(), apptest.StoreIn(dir))
	if err != nil {
		t.Fatal(err)
	}
	records := make([]mongo.NewEvent, len(list))
	for i, data := range list {
		records[i] = mongo.NewEvent{Data: data, At: time.Date(2026, 3, 20, 12, 0, i, 0, time.UTC)}
	}
	if err := errors.Join(db.Events.Append(t.Context(), records...), db.Close()); err != nil {
		t.Fatal(err)
	}
}

// Each field of Subscription delivers what it selects and nothing else, with the objects of the events, over each
// protocol.
func TestSubscriptionFields(t *testing.T) {
	t.Parallel()
	p, dir := apptest.StartDemo(t, "--streams-per-caller", "100")
	salted, brindle, veiled := apptest.CastUUID("Salted"), apptest.CastUUID("Brindle"), apptest.CastUUID("Veiled")
	territory, guilds := apptest.CaptureTargets(t, p)
	one, two := &model.EventGuild{UUID: guilds[0], Name: "Then", Prefix: "THEN"}, &model.EventGuild{UUID: guilds[1]}
	const absentGuild = "a0000000-0000-4000-8000-00000000ffff"
	happened := []model.EventData{
		&model.TerritoryCaptured{Territory: territory, From: one, To: nil, HeldSeconds: new(int64(90))},
		&model.PlayerCameOnline{Player: salted, World: new("EU37"), Guild: &guilds[0]},
		&model.PlayerCameOnline{Player: veiled, World: new("EU37"), Guild: &guilds[0]}, // hides it
		&model.PlayerWentOffline{Player: brindle, World: new("WC1")},
		&model.GuildLevelChanged{Guild: guilds[0], From: 7, To: 8},
		&model.WarFinished{Guild: guilds[0], Players: []string{salted, veiled}},
		&model.GuildMemberJoined{Guild: guilds[1], Player: brindle, Rank: "RECRUIT"},
		&model.LeaderboardsRefreshed{Changed: []string{"combatSoloLevel", "totalGlobalLevel", "unknown"}},
		&model.GuildDisbanded{Guild: model.EventGuild{UUID: absentGuild, Name: "Former", Prefix: "FORM"}},
		&model.TerritoryCaptured{Territory: territory, From: nil, To: two},
		&model.AccessRulesChanged{Player: salted}, // never delivered
		&model.SeasonEnded{Season: 1},
	}
	fields := map[string]struct {
		query     string
		variables map[string]any
		want      []string
	}{
		"events": {
			`subscription { e: events { __typename at ... on SeasonEnded { seasonNumber } } }`, nil,
			[]string{
				`{"e":{"__typename":"TerritoryCaptured","at":"2026-03-20T12:00:00Z"}}`,
				`{"e":{"__typename":"PlayerCameOnline","at":"2026-03-20T12:00:01Z"}}`,
				`{"e":{"__typename":"PlayerWentOffline","at":"2026-03-20T12:00:03Z"}}`,
				`{"e":{"__typename":"GuildLevelChanged","at":"2026-03-20T12:00:04Z"}}`,
				`{"e":{"__typename":"WarFinished","at":"2026-03-20T12:00:05Z"}}`,
				`{"e":{"__typename":"GuildMemberJoined","at":"2026-03-20T12:00:06Z"}}`,
				`{"e":{"__typename":"LeaderboardsRefreshed","at":"2026-03-20T12:00:07Z"}}`,
				`{"e":{"__typename":"GuildDisbanded","at":"2026-03-20T12:00:08Z"}}`,
				`{"e":{"__typename":"TerritoryCaptured","at":"2026-03-20T12:00:09Z"}}`,
				`{"e":{"__typename":"SeasonEnded","at":"2026-03-20T12:00:11Z","seasonNumber":1}}`,
			},
		},
		"events of some types": {
			`subscription($t: [EventType!]) { events(types: $t) { ... on GuildMemberJoined { rank player { username } }
				... on GuildDisbanded { name prefix guildUuid } } }`,
			map[string]any{"t": []string{"GUILD_DISBANDED", "GUILD_MEMBER_JOINED"}},
			[]string{
				`{"events":{"rank":"RECRUIT","player":{"username":"Brindle"}}}`,
				`{"events":{"name":"Former","prefix":"FORM","guildUuid":"` + absentGuild + `"}}`,
			},
		},
		"territoryChanges": {
			`subscription($g: UUID, $t: [String!]) { territoryChanges(guild: $g, territories: $t) {
				territoryName territory { name } from { name guild { uuid } } to { prefix } heldSeconds } }`,
			map[string]any{"g": guilds[0], "t": []string{"Nowhere", territory}},
			[]string{
				`{"territoryChanges":{"territoryName":"` + territory + `","territory":{"name":"` + territory +
					`"},"from":{"name":"Then","guild":{"uuid":"` + guilds[0] + `"}},"to":null,"heldSeconds":90}}`,
			},
		},
		"presence of players": {
			`subscription($p: [UUID!]) { presence(players: $p) { __typename player { username } } }`,
			map[string]any{"p": []string{veiled, brindle}},
			[]string{`{"presence":{"__typename":"PlayerWentOffline","player":{"username":"Brindle"}}}`},
		},
		"presence of a guild on a world": {
			`subscription($g: UUID) { presence(guild: $g, world: "eu37") {
				playerUuid guild { uuid } ... on PlayerCameOnline { world } } }`,
			map[string]any{"g": guilds[0]},
			[]string{`{"presence":{"playerUuid":"` + salted + `","guild":{"uuid":"` + guilds[0] + `"},"world":"EU37"}}`},
		},
		"guildActivity": {
			`subscription($g: UUID!) { guildActivity(guild: $g) { __typename ... on GuildLevelChanged { fromLevel toLevel }
				... on WarFinished { playerUuids players { username } } } }`,
			map[string]any{"g": guilds[0]},
			[]string{
				`{"guildActivity":{"__typename":"TerritoryCaptured"}}`,
				`{"guildActivity":{"__typename":"GuildLevelChanged","fromLevel":7,"toLevel":8}}`,
				`{"guildActivity":{"__typename":"WarFinished","playerUuids":["` + salted +
					`"],"players":[{"username":"Salted"}]}}`,
			},
		},
		"leaderboardRefreshed": {
			`subscription { leaderboardRefreshed(types: ["totalGlobalLevel", "unknown"]) { types leaderboards { type } } }`, nil,
			[]string{`{"leaderboardRefreshed":{"types":["totalGlobalLevel","unknown"],` +
				`"leaderboards":[{"type":"totalGlobalLevel"}]}}`},
		},
	}
	protocols := map[string]func(*testing.T, string, string, map[string]any, ...string) resultStream{
		"server-sent events": subscribeSSE, "WebSocket": subscribeSocket,
	}
	streams := map[string]resultStream{}
	for protocol, subscribe := range protocols {
		for name, field := range fields {
			streams[protocol+name] = subscribe(t, p.Base, field.query, field.variables)
		}
	}
	recordEvents(t, dir, happened...)
	recordEvents(t, dir, &model.GuildLevelChanged{Guild: guilds[0], From: 8, To: 9}) // nothing else comes before it
	for protocol := range protocols {
		for name, field := range fields {
			t.Run(protocol+": "+name, func(t *testing.T) {
				s := streams[protocol+name]
				for _, want := range field.want {
					if got := s.next(t); got != `{"data":`+want+`}` {
						t.Errorf("got  %s\nwant %s", got, want)
					}
				}
				if strings.Contains(field.query, "guildActivity") {
					if got := s.next(t); !strings.Contains(got, `"fromLevel":8`) {
						t.Errorf("got %s", got)
					}
				}
				s.close()
			})
		}
	}
}

// A subscription continues after an event, also one that a browser connects again, and shows where access rules hid
// something. Errors are results; what cannot be sent is 406.
func TestSubscriptionRequests(t *testing.T) {
	t.Parallel()
	p, dir := apptest.StartDemo(t, "--guest-rate", "100")
	level := func(n int) model.EventData { return &model.GuildLevelChanged{Guild: lanternRow, From: n - 1, To: n} }
	const levels = `subscription($after: ID) { guildActivity(guild: "` + lanternRow +
		`", after: $after) { id ... on GuildLevelChanged { toLevel } } }`
	first := subscribeSSE(t, p.Base, levels, nil).(*sseResults)
	recordEvents(t, dir, level(1))
	if got := first.next(t); !strings.Contains(got, `"toLevel":1`) || !strings.Contains(got, `"id":"`+first.id+`"`) {
		t.Fatalf("got %s with the id %s", got, first.id)
	}
	first.close()
	recordEvents(t, dir, level(2), &model.GuildMemberJoined{Guild: lanternRow, Player: apptest.CastUUID("Shuttered"), Rank: "?"})
	for name, s := range map[string]resultStream{
		"after":         subscribeSSE(t, p.Base, levels, map[string]any{"after": first.id}),
		"Last-Event-ID": subscribeSSE(t, p.Base, levels, nil, "Last-Event-ID", first.id),
		"lastEventId":   subscribeSSE(t, p.Base+"?_=1&lastEventId="+first.id, levels, nil),
	} {
		if got := s.next(t); !strings.Contains(got, `"toLevel":2`) {
			t.Errorf("%s: got %s", name, got)
		}
	}
	hidden := subscribeSSE(t, p.Base, `subscription($after: ID) {
		joined: events(types: [GUILD_MEMBER_JOINED], after: $after) {
		... on GuildMemberJoined { rank player { playtime } } } }`, map[string]any{"after": first.id})
	if got, want := hidden.next(t), `{"data":{"joined":{"rank":null,"player":{"playtime":null}}},"extensions":`+
		`{"restrictions":[{"path":["joined","player","playtime"],"rule":"main_access","scope":"main_access"}]}}`; got !=
		want {
		t.Errorf("got  %s\nwant %s", got, want)
	}

	for query, want := range map[string]string{
		`subscription { events(after: "x") { id } }`:                    "after must be the id of an event.",
		`subscription { presence(world: "Nowhere") { id } }`:            "world must be a world such as EU37",
		`subscription { presence(world: "37") { id } }`:                 "world must be a world such as EU37",
		`subscription { events { id } presence { id } }`:                "GRAPHQL_VALIDATION_FAILED",
		`subscription { events(types: [ACCESS_RULES_CHANGED]) { id } }`: "GRAPHQL_VALIDATION_FAILED",
		`{ player(by: {username: "x"}) { uuid } }`:                      `{"data":{"player":null},"extensions":{"cost"`,

		`subscription { leaderboardRefreshed { leaderboards { entries(first: 1000) { nodes { name } } } } }`: "LIMIT_EXCEEDED",
	} {
		s := subscribeSSE(t, p.Base, query, nil)
		if got := s.next(t); !strings.Contains(got, want) {
			t.Errorf("%s: got %s", query, got)
		}
		if got := s.next(t); got != "END complete" {
			t.Errorf("%s: ends with %s", query, got)
		}
	}
	plain := apptest.Request(t, "POST", p.Base+"/graphql", `{"query": "subscription { events { id } }"}`)
	plain.Expect(t, "a subscription without Accept", 406)
	if !strings.Contains(string(plain.Body), "NOT_ACCEPTABLE") {
		t.Errorf("without Accept: got %s", plain.Body)
	}
}

// deleteToken deletes the only API token of an account.
func deleteToken(t testing.TB, dir, account string) {
	t.Helper()
	apptest.InStore(t, dir, func(ctx context.Context, a *auth.Accounts) (any, error) {
		of, err := a.ByID(ctx, account)
		if err == nil {
			err = a.Tokens.Delete(ctx, account, of.Tokens[0].Key, 0)
		}
		return nil, err
	})
}
