package api

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"gamedata/graph/model"
	"gamedata/internal/app/apptest"
)

// A subscription whose client does not read ends within seconds, with what waits for it: a client that reads later
// receives what the buffers of its connection hold, and nothing that the service decided long ago.
func TestSlowReaders(t *testing.T) {
	p, dir := apptest.StartDemo(t, "--admin-listen", "127.0.0.1:0")
	metrics := apptest.AdminBase(t, p) + "/metrics"
	var keys strings.Builder
	for i := range 20 {
		fmt.Fprintf(&keys, " a%d%s:username", i, strings.Repeat("x", 120))
	}
	query := `subscription{territoryChanges(after:"00000000000000000000000000")` +
		`{territory{guild{members(first:100){nodes{` + keys.String() + `}}}}}}`
	territories := apptest.Decode[map[string]struct{ Guild struct{ UUID string } }](t,
		apptest.RequestOK(t, p.Base, "GET", "/v3/guild/list/territory", ""))
	var captures []model.EventData
	for name, held := range territories {
		if held.Guild.UUID != "" {
			for range 400 {
				captures = append(captures, &model.TerritoryCaptured{
					Territory: name, To: &model.EventGuild{UUID: held.Guild.UUID, Name: "Any", Prefix: "ANY"},
				})
			}
			break
		}
	}
	recordEvents(t, dir, captures...)
	for name, open := range map[string]func() io.Reader{
		"server-sent events": func() io.Reader {
			body := strings.NewReader(graphqlBody(query))
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.Base+"/graphql", body)
			if err != nil {
				t.Fatal(err)
			}
			r.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"text/event-stream"}}
			res, err := apptest.Client.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = res.Body.Close() })
			return res.Body
		},
		"socket": func() io.Reader {
			s := openSocket(t, p.Base).start("")
			s.conn.SetReadLimit(-1)
			s.subscribe("1", query, nil)
			return &socketReader{s, strings.NewReader("")}
		},
	} {
		t.Run(name, func(t *testing.T) {
			in := open()
			first := make([]byte, 100<<10)
			if _, err := io.ReadFull(in, first); err != nil {
				t.Fatal(err)
			}
			for sample(t, string(apptest.Get(t, metrics).Body), "gamedata_streams") > 0 {
				runtime.Gosched()
			}
			n, _ := io.Copy(io.Discard, in)
			if n > 2<<20 {
				t.Errorf("received %d bytes", n)
			}
		})
	}
}

// socketReader reads the messages of a socket as one text.
type socketReader struct {
	*socketClient
	message io.Reader
}

func (r *socketReader) Read(to []byte) (int, error) {
	n, err := r.message.Read(to)
	if errors.Is(err, io.EOF) {
		_, r.message, err = r.conn.Reader(r.ctx)
		if err != nil {
			return n, io.EOF
		}
	}
	return n, err
}
