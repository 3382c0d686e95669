package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/coder/websocket"

	"gamedata/graph/model"
	"gamedata/internal/app/apptest"
)

// socketClient is a WebSocket of the protocol graphql-transport-ws.
type socketClient struct {
	t    *testing.T
	conn *websocket.Conn
	ctx  context.Context
}

// openSocket opens a WebSocket; headers are name, value, name, value…
func openSocket(t *testing.T, base string, headers ...string) *socketClient {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	h := http.Header{}
	for i := 0; i < len(headers); i += 2 {
		h.Set(headers[i], headers[i+1])
	}
	conn, _, err := websocket.Dial(ctx, base+"/graphql", &websocket.DialOptions{
		HTTPHeader: h, Subprotocols: []string{"graphql-transport-ws"},
	})
	if err != nil {
		t.Fatal(err)
	}
	conn.SetReadLimit(1 << 20)
	t.Cleanup(func() { _ = conn.CloseNow() })
	return &socketClient{t, conn, ctx}
}

func (s *socketClient) send(text string) {
	s.t.Helper()
	if err := s.conn.Write(s.ctx, websocket.MessageText, []byte(text)); err != nil {
		s.t.Fatal(err)
	}
}

// read returns the next message, or the code with which the socket was closed.
func (s *socketClient) read() (text string, code websocket.StatusCode) {
	_, message, err := s.conn.Read(s.ctx)
	return string(message), websocket.CloseStatus(err)
}

func (s *socketClient) want(texts ...string) {
	s.t.Helper()
	for _, want := range texts {
		if got, code := s.read(); !strings.Contains(got, want) || got == "" {
			s.t.Fatalf("got %s (%d), want %s", got, code, want)
		}
	}
}

// start initiates the socket, with a payload unless it is empty.
func (s *socketClient) start(payload string) *socketClient {
	s.t.Helper()
	if payload != "" {
		payload = `,"payload":` + payload
	}
	s.send(`{"type":"connection_init"` + payload + `}`)
	s.want(`{"type":"connection_ack"}`)
	return s
}

func (s *socketClient) subscribe(id, query string, variables map[string]any) {
	s.t.Helper()
	text, err := json.Marshal(map[string]any{
		"id": id, "type": "subscribe", "payload": map[string]any{"query": query, "variables": variables},
	})
	if err != nil {
		s.t.Fatal(err)
	}
	s.send(string(text))
}

type socketResults struct{ *socketClient }

func subscribeSocket(t *testing.T, base, query string, variables map[string]any, headers ...string) resultStream {
	t.Helper()
	s := openSocket(t, base, headers...).start("")
	s.subscribe("1", query, variables)
	s.subscribe("2", `{ viewer { kind } }`, nil) // answered after the first was read; the hub delivers a second later
	s.want(`"id":"2","type":"next"`, `{"id":"2","type":"complete"}`)
	return &socketResults{s}
}

func (s *socketResults) close() { _ = s.conn.CloseNow() }

func (s *socketResults) next(t *testing.T) string {
	t.Helper()
	text, code := s.read()
	var m struct {
		ID, Type string
		Payload  json.RawMessage
	}
	if err := json.Unmarshal([]byte(text), &m); err != nil || m.ID != "1" || m.Type != "next" {
		return fmt.Sprint("END ", text, int(code))
	}
	return string(m.Payload)
}

const levels = `subscription { guildActivity(guild: "` + lanternRow + `") { ... on GuildLevelChanged { toLevel } } }`

// A WebSocket runs queries, mutations and subscriptions, several at once.
func TestSocketProtocol(t *testing.T) {
	t.Parallel()
	p, dir := apptest.StartDemo(t, "--streams-per-caller", "100")
	companion := apptest.CreateMember(t, dir, "Companion")
	token := apptest.CreateToken(t, dir, companion)

	// The socket of a token that is revoked ends while everything else happens.
	owned := openSocket(t, p.Base).start(`{"Authorization": "Bearer ` + token + `"}`)
	owned.subscribe("a", levels, nil)
	owned.subscribe("kind", `{ viewer { kind } }`, nil)
	owned.want(`{"id":"kind","type":"next","payload":{"data":{"viewer":{"kind":"TOKEN"}}`,
		`{"id":"kind","type":"complete"}`)
	deleteToken(t, dir, companion)
	revoked, ended := time.Now(), make(chan websocket.StatusCode, 1)
	var took time.Duration
	go func() {
		code := owned.closeCode()
		took = time.Since(revoked)
		ended <- code
	}()

	s := openSocket(t, p.Base).start("")
	s.send(`{"type":"ping","payload":{"n":1}}`)
	s.want(`{"type":"pong","payload":{"n":1}}`)
	s.subscribe("kind", `{ viewer { kind } }`, nil)
	s.want(`{"id":"kind","type":"next","payload":{"data":{"viewer":{"kind":"GUEST"}}`, `{"id":"kind","type":"complete"}`)
	s.subscribe("bad", `{ nothing }`, nil)
	s.want(`{"id":"bad","type":"error","payload":[{"message":"Cannot query field`)
	s.subscribe("bad", `subscription { events(after: "x") { id } }`, nil)
	s.want(`{"id":"bad","type":"error","payload":[{"message":"after must be the id of an event."`)
	s.subscribe("change", `mutation { deleteOtherSessions { userErrors { code } } }`, nil)
	s.want(`"SESSION_REQUIRED"`, `{"id":"change","type":"complete"}`)
	s.subscribe("a", levels, nil)
	s.subscribe("b", levels, nil)
	s.send(`{"id":"b","type":"complete"}`)
	s.send(`{"type":"pong"}`)
	s.subscribe("kind", `{ viewer { kind } }`, nil)
	s.want(`"kind"`, `"complete"`)
	recordEvents(t, dir, &model.GuildLevelChanged{Guild: lanternRow, From: 1, To: 2})
	s.want(`{"id":"a","type":"next","payload":{"data":{"guildActivity":{"toLevel":2}}}}`)
	for i := range 1000 {
		s.subscribe(fmt.Sprint("n", i), levels, nil)
	}
	for range 1000 - 19 { // a runs
		s.want(`"code":"TOO_MANY_REQUESTS"`)
	}

	if code := <-ended; code != 4403 || took > 6*time.Second {
		t.Errorf("the socket of a revoked token ended with %d after %v, want 4403", code, took)
	}
}

// What is no message of the protocol closes the socket with the code that the protocol has for it.
func TestSocketCloseCodes(t *testing.T) {
	t.Parallel()
	p := apptest.Shared(t)
	for name, c := range map[string]struct {
		messages []string
		code     websocket.StatusCode
	}{
		"no JSON":              {[]string{`hello`}, 4400},
		"an unknown type":      {[]string{`{"type":"start"}`}, 4400},
		"a list":               {[]string{`[]`}, 4400},
		"an invalid payload":   {[]string{`{"type":"connection_init","payload":[1]}`}, 4400},
		"no init":              {[]string{`{"id":"1","type":"subscribe","payload":{"query":"{viewer{kind}}"}}`}, 4401},
		"an invalid token":     {[]string{`{"type":"connection_init","payload":{"authorization":"Bearer x"}}`}, 4403},
		"two inits":            {[]string{`{"type":"connection_init"}`, `{"type":"connection_init"}`}, 4429},
		"no id":                {[]string{`{"type":"connection_init"}`, `{"type":"subscribe","payload":{}}`}, 4400},
		"a huge message":       {[]string{`{"type":"ping","payload":"` + strings.Repeat("x", 8<<20) + `"}`}, 1009},
		"an id that is in use": {[]string{`{"type":"connection_init"}`, `SUB`, `SUB`}, 4409},
	} {
		s := openSocket(t, p.Base)
		for _, m := range c.messages {
			if m == "SUB" {
				s.subscribe("x"+strings.Repeat("ü", 100), levels, nil)
				continue
			}
			s.send(m)
			if m == `{"type":"connection_init"}` && m != c.messages[len(c.messages)-1] {
				s.want("connection_ack")
			}
		}
		var end websocket.CloseError
		if err := s.closeError(); !errors.As(err, &end) || end.Code != c.code || !utf8.ValidString(end.Reason) {
			t.Errorf("%s: closed with %v, want %d", name, err, c.code)
		}
	}

	// Other protocols, and pages of another site with a session.
	conn, _, err := websocket.Dial(t.Context(), p.Base+"/graphql", &websocket.DialOptions{
		Subprotocols: []string{"graphql-ws"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := conn.Read(t.Context()); websocket.CloseStatus(err) != 4406 {
		t.Errorf("another protocol: %v", err)
	}
	_, res, err := websocket.Dial(t.Context(), p.Base+"/graphql", &websocket.DialOptions{
		Subprotocols: []string{"graphql-transport-ws"},
		HTTPHeader:   http.Header{"Origin": {"https://elsewhere.example"}, "Cookie": {"__Host-session=x"}},
	})
	if err == nil || res == nil || res.StatusCode != http.StatusForbidden {
		t.Errorf("a page of another site: %v, %v", res, err)
	}
}

// closeCode reads until the socket is closed and returns the code; -1 when the connection was lost.
func (s *socketClient) closeCode() websocket.StatusCode { return websocket.CloseStatus(s.closeError()) }

func (s *socketClient) closeError() error {
	for {
		if _, _, err := s.conn.Read(s.ctx); err != nil {
			return err
		}
	}
}
