package api

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"gamedata/internal/app/apptest"
	"gamedata/internal/httpapi"
	"gamedata/rest"
)

// connectMCP opens a session of the SDK's client in a version of the protocol, its newest when empty.
func connectMCP(t *testing.T, base, version string) *sdk.ClientSession {
	t.Helper()
	c := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	s, err := c.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: base + "/mcp", HTTPClient: apptest.Client},
		&sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// callTool returns the text of a result, which must be its structured content too.
func callTool(t *testing.T, s *sdk.ClientSession, name string, arguments any) (text []byte, failed bool) {
	t.Helper()
	result, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	text = []byte(result.Content[0].(*sdk.TextContent).Text)
	structured, err := json.Marshal(result.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	want := text
	if text[0] == '[' {
		want = []byte(`{"result":` + string(text) + `}`)
	}
	apptest.ExpectSameJSON(t, name, want, structured)
	return text, result.IsError
}

// expectDescribed fails for each property of a JSON Schema, at any depth, without a description.
func expectDescribed(t *testing.T, place string, schema any) {
	t.Helper()
	switch s := schema.(type) {
	case map[string]any:
		properties, _ := s["properties"].(map[string]any)
		for name, p := range properties {
			if about, _ := p.(map[string]any)["description"].(string); about == "" {
				t.Errorf("%s: %s has no description", place, name)
			}
		}
		for name, part := range s {
			expectDescribed(t, place+"."+name, part)
		}
	case []any:
		for _, part := range s {
			expectDescribed(t, place, part)
		}
	}
}

// Models write integers as other numbers that are integers for JSON Schema.
func TestMCPIntegers(t *testing.T) {
	t.Parallel()
	s := connectMCP(t, apptest.Shared(t).Base, "")
	query := `query($n:Int!){leaderboards(first:$n){nodes{type}}}`
	for _, c := range []struct{ tool, arguments string }{
		{"Leaderboard", `{"lb_type":"warsCompletion","resultLimit":N}`},
		{"ItemSearch", `{"filter":{"levelRange":[1,N]}}`},
		{"gainBoard", `{"kind":"GUILD","metric":"WARS","first":N}`},
		{"graphql", `{"query":"` + query + `","variables":{"n":N}}`},
	} {
		call := func(n string) ([]byte, bool) {
			return callTool(t, s, c.tool, json.RawMessage(strings.Replace(c.arguments, "N", n, 1)))
		}
		for n, other := range map[string]string{"2": "2.0", "100": "1e2", "0": "-0.0"} {
			want, wantFailed := call(n)
			got, failed := call(other)
			if failed != wantFailed || other == "2.0" && failed {
				t.Errorf("%s of %s: failed: %t, %.300s", c.tool, other, failed, got)
			}
			if c.tool == "Leaderboard" || c.tool == "ItemSearch" {
				apptest.ExpectSameJSON(t, c.tool, maskTime(want), maskTime(got))
			}
		}
		if got, failed := call("2.5"); !failed {
			t.Errorf("%s of 2.5: got %.300s", c.tool, got)
		}
	}
}

// Every endpoint with an operation is a tool that only reads, with the variables of the operation as arguments. A call
// returns the body of the endpoint, also when that is an error.
func TestMCPTools(t *testing.T) {
	t.Parallel()
	p := apptest.Shared(t)
	s := connectMCP(t, p.Base, "")
	listed, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	tools := map[string]*sdk.Tool{}
	for _, tool := range listed.Tools {
		tools[tool.Name] = tool
		if !tool.Annotations.ReadOnlyHint || tool.Description == "" || tool.Title == "" {
			t.Errorf("%s: got %+v", tool.Name, tool)
		}
		expectDescribed(t, tool.Name, tool.InputSchema)
	}
	if want := len(documentedEndpoints) + 2; len(tools) != want || tools["graphql"] == nil { // one endpoint is no tool
		t.Errorf("got %d tools, want %d with graphql", len(tools), want)
	}
	schema, err := json.Marshal(tools["gains"].InputSchema)
	if want := `"between":{"additionalProperties":false`; err != nil || !strings.Contains(string(schema), want) {
		t.Errorf("gains: got %s, %v", schema, err)
	}
	for _, e := range documentedEndpoints {
		target := e.path
		if e.example != "" {
			target = e.example
		}
		u, err := url.Parse(rest.Prefix + target)
		if err != nil {
			t.Fatal(err)
		}
		row, arguments, _ := rest.Lookup(u)
		if row.Operation == "" {
			continue
		}
		t.Run(row.Operation, func(t *testing.T) {
			required, _ := tools[row.Operation].InputSchema.(map[string]any)["required"].([]any)
			if len(required) != len(arguments) {
				t.Errorf("got %v required, want %v", required, arguments)
			}
			if e.body != "" {
				arguments["filter"] = json.RawMessage(e.body)
			}
			got, failed := callTool(t, s, row.Operation, arguments)
			want := apptest.Request(t, e.method, p.Base+rest.Prefix+target, e.body)
			if failed != (want.Status != http.StatusOK) {
				t.Errorf("failed: %t, want the status %d", failed, want.Status)
			}
			apptest.ExpectSameJSON(t, row.Operation, maskTime(want.Body), maskTime(got))
		})
	}
}

// Arguments are typed, and what is wrong with them is said in the error of the tool.
func TestMCPArguments(t *testing.T) {
	t.Parallel()
	s := connectMCP(t, apptest.Shared(t).Base, "2025-06-18")
	for _, c := range []struct {
		tool, arguments, want string
		failed                bool
	}{
		{"Player", `{"username":"Salted","fullResult":true}`, `"characters":{`, false},
		{"Player", `{"username":"Salted","fullResult":false}`, `"guildHistory"`, false},
		{"Player", `{"username":"Salted","fullResult":null}`, `"username":"Salted"`, false},
		{"Leaderboard", `{"lb_type":"warsCompletion","resultLimit":1}`, `{"1":{`, false},
		{"ItemSearch", `{"filter":{"type":["boots"]},"fullResult":true}`, `[{"displayName"`, false},
		{"Player", `{}`, "username is required.", true},
		{"Player", `[]`, "username is required.", true},
		{"Player", `{"username":"Salted","full":true}`, "username, fullResult", true},
		{"Player", `{"username":"Salted","fullResult":"yes"}`, "fullResult is a flag", true},
		{"Player", `{"username":"whoami"}`, `"code":404`, true}, // the operation, not another path
		{"Leaderboard", `{"lb_type":"warsCompletion","resultLimit":5000}`, "1 to 1000", true},
		{"Leaderboard", `{"lb_type":"nothing"}`, "InvalidLeaderboardType", true},
		{"ItemSearch", `{"filter":{"type":5}}`, "InvalidFormError", true},
		{"Classes", `{"x":1}`, "InvalidQueryParamsError", true},
		{
			"graphql", `{"query":"query Q($n:String!){leaderboard(by:{type:$n}){type}}","variables":{"n":"warsCompletion"}}`,
			`"rateLimit":{"bucket":"LEADERBOARDS"`, false,
		},
		{"gains", `{"name":"Salted"}`, `"bucket":"PLAYER"`, false},
		{"gains", `{"name":"Mossbound Company","ofGuild":true,"metrics":["LEVEL"]}`, `"prefix":"MOSS"`, false},
		{"gains", `{"guild":"Tidewatch"}`, "metrics, name, ofGuild, over", true},
		{"gainBoard", `{"kind":"GUILD","metric":"CAVES"}`, "has no metric CAVES", true},
		{"gainBoard", `{"kind":"GUILD"}`, "BAD_VARIABLES", true},
		{"graphql", `{}`, "query is missing.", true},
		{"graphql", `{"query":"{nothing}"}`, "GRAPHQL_VALIDATION_FAILED", true},
		{"graphql", `{"query":"query Q($n:String!){leaderboard(by:{type:$n}){type}}"}`, "BAD_VARIABLES", true},
		{"graphql", `{"query":"mutation{signOut{account}}"}`, "Only queries run here", true},
		{"graphql", `{"query":"subscription{events{id}}"}`, "Only queries run here", true},
	} {
		text, failed := callTool(t, s, c.tool, json.RawMessage(c.arguments))
		if failed != c.failed || !strings.Contains(string(text), c.want) {
			t.Errorf("%s %s: failed: %t, got %.300s, want %s", c.tool, c.arguments, failed, text, c.want)
		}
	}
	if _, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "OAuthToken"}); err == nil {
		t.Error("the token exchange is a tool")
	}
}

// The schema is a resource, whole and by section, and so is every guide.
func TestMCPResources(t *testing.T) {
	t.Parallel()
	p := apptest.Shared(t)
	s := connectMCP(t, p.Base, "")
	listed, err := s.ListResources(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	schema, sections := "", 0
	for _, r := range listed.Resources {
		read, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: r.URI})
		if err != nil || len(read.Contents[0].Text) != int(r.Size) || r.Size == 0 || r.Title == "" {
			t.Fatalf("%s: %v %+v", r.URI, err, r)
		}
		switch text := read.Contents[0].Text; {
		case r.URI == "gamedata://schema":
			schema = text
		case strings.HasPrefix(r.URI, "gamedata://schema/"):
			sections += len(text) + 1
		case !strings.HasPrefix(text, "# "+r.Title) || r.Description == "":
			t.Errorf("%s: got %+v", r.URI, r)
		}
	}
	if served := string(apptest.Get(t, p.Base+"/schema.graphqls").Body); schema != served || sections != len(schema)+1 {
		t.Errorf("got %d bytes and sections of %d, want %d", len(schema), sections, len(served))
	}
}

// Messages are charged to the caller's counters: calls to the bucket of their endpoint, all else to SHARED. Callers,
// hosts and origins are checked as elsewhere. The clock does not move.
func TestMCPChargesAndChecks(t *testing.T) {
	url := apptest.NewService(t, "--guest-rate", "20").URL
	toolCall := func(name string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + name + `"}}`
	}
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	other := []string{"Origin", "https://other.example"}
	for i, c := range []struct {
		body          string
		headers       []string
		status        int
		want          string
		shared, guild int // quota left
	}{
		{strings.Replace(ping, "1", "9007199254740993.50", 1), nil, 200, `"id":9007199254740993.50,"result":{}`, 19, 20},
		{toolCall("GuildSeasons"), nil, 200, `"structuredContent"`, 19, 19},
		{toolCall("GuildSeasons"), other, 200, `"structuredContent"`, 19, 18},
		{toolCall("Whoami"), other, 200, `CSRFError`, 19, 18},
		{toolCall("GuildSeasons"), []string{"Origin", "null"}, 200, `"structuredContent"`, 19, 17},
		{toolCall(`x","name":"GuildSeasons`), nil, 200, `"structuredContent"`, 19, 16},
		{toolCall("Guild"), nil, 200, "query is required.", 18, 16},
		{toolCall("Nothing"), nil, 200, "-32602", 17, 16},
		{toolCall(`x","Name":"GuildSeasons`), nil, 200, "-32602", 16, 16},
		{strings.Replace(toolCall("GuildSeasons"), `"name"`, `"_meta":5,"name"`, 1), nil, 200, "-32602", 15, 16},
		{strings.Replace(toolCall("GuildSeasons"), `"id":1,`, "", 1), nil, 400, "missing id", 14, 16},
		{toolCall("GuildSeasons"), []string{"Mcp-Protocol-Version", "1999-01-01"}, 400, "2025-11-25", 13, 16},
		{toolCall("GuildSeasons"), []string{"Authorization", "Bearer gdt_wrong"}, 401, "InvalidTokenError", 12, 16},
		{ping, []string{"Host", "evil.example"}, 421, "MisdirectedRequest", 11, 16},
		{`{"jsonrpc":`, nil, 400, "MalformedPayload", 10, 16},
		{"[" + ping + "]", nil, 400, "Lists of messages are not accepted", 9, 16},
		{ping, []string{"Content-Encoding", "gzip"}, 415, "Send the body uncompressed.", 8, 16},
		{ping + strings.Repeat(" ", httpapi.DefaultMaxBody), nil, 413, "PayloadTooLarge", 7, 16},
		{
			strings.Replace(ping, `1,"method":"ping`, `"x","method":"nothing`, 1), nil, 200,
			`{"jsonrpc":"2.0","id":"x","error":{"code":-32601,`, 6, 16,
		},
		{`{"jsonrpc":"2.0","method":"nothing"}`, nil, 400, "MalformedPayload", 5, 16},
		{ping, []string{"Mcp-Protocol-Version", "1999-01-01"}, 400, "2025-11-25", 4, 16},
		{`{"jsonrpc":"2.0","id":1,"result":{}}`, nil, 202, "", 3, 16},
		{`{"jsonrpc":"2.0","method":"notifications/initialized"}`, nil, 202, "", 2, 16},
		{ping, append([]string{"Cookie", httpapi.SessionCookie + "=x"}, other...), 403, "CSRFError", 1, 16},
		{ping, nil, 200, "", 0, 16},
		{ping, nil, 429, "TooManyRequest", 0, 16},
		{toolCall("Nothing"), nil, 429, "TooManyRequest", 0, 16},
		{toolCall("Classes"), nil, 200, "TooManyRequest", 0, 16},
		{toolCall("GuildSeasons"), nil, 200, `"structuredContent"`, 0, 15},
	} {
		res := apptest.Request(t, "POST", url+"/mcp", c.body, c.headers...)
		if res.Status != c.status || !strings.Contains(string(res.Body), c.want) {
			t.Errorf("%d: got %d %.300s, want %d with %q", i, res.Status, res.Body, c.status, c.want)
		}
		for path, left := range map[string]int{"/v3/classes": c.shared, "/v3/guild/seasons": c.guild} {
			if got := apptest.Request(t, "OPTIONS", url+path, "").Header.Get("RateLimit-Remaining"); got != strconv.Itoa(left) {
				t.Errorf("%d: got %s left as of %s, want %d", i, got, path, left)
			}
		}
	}
}

// A tool sees what its caller may see, and shares the responses of the endpoint.
func TestMCPViewer(t *testing.T) {
	svc := apptest.NewService(t)
	private, _ := svc.CreateOwner("Veiled")
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"Player","arguments":{"username":"` +
		apptest.CastUUID("Veiled") + `"}}}`
	for credential, shown := range map[string]bool{private: true, "": false} {
		res := svc.Request("POST", "/mcp", call, "Authorization", credential)
		res.Expect(t, "a call", 200, "Cache-Control", notCached)
		if got := strings.Contains(string(res.Body), `\"globalData\"`); got != shown {
			t.Errorf("totals shown: %t, want %t: %.500s", got, shown, res.Body)
		}
		svc.Request("GET", "/v3/player/"+apptest.CastUUID("Veiled"), "", "Authorization", credential).
			Expect(t, "the endpoint", 200, "Cache-Status", "gamedata; hit; ttl=120")
	}
}
