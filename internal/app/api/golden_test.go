package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"gamedata/graph"
	"gamedata/graph/generated"
	"gamedata/graph/model"
	"gamedata/internal/app/apptest"
	"gamedata/internal/httpapi"
	"gamedata/mongo"
	"gamedata/rest"
)

var update = flag.Bool("update", false, "rewrite the goldens; read them before you commit them")

// cases is the folder of the goldens.
const cases = "../../../rest/testdata"

var goldenHeaders = []string{
	"Allow", "Cache-Control", "Content-Encoding", "Content-Type", "RateLimit-Bucket",
	"WWW-Authenticate",
}

// TestGolden sends the request of each file of rest/testdata and compares status, headers and body. If the request
// reaches an operation, the operation's GraphQL document is sent too: its transformed result must equal the body, and
// its error must have the same code, so that the APIs cannot differ.
func TestGolden(t *testing.T) {
	t.Parallel()
	compareGoldens(t, apptest.Shared(t).Base, cases)
}

// TestGoldenOddRecords compares the responses of a world with records that no ordinary world has.
func TestGoldenOddRecords(t *testing.T) {
	t.Parallel()
	svc := apptest.NewService(t)
	if err := addOddRecords(t.Context(), svc.Store); err != nil {
		t.Fatal(err)
	}
	compareGoldens(t, svc.URL, "testdata/odd")
	svc.Request("GET", "/guilds/seasons", "", "Accept", "text/html").Expect(t, "the page of the guild", 200)
}

// addOddRecords adds the player Colossal with counters far beyond 32 bits and a negative one, a guild whose name is a
// path, an article without blocks and a poll without a structured question.
func addOddRecords(ctx context.Context, store *mongo.Store) error {
	const player, big = "a0000000-0000-4000-8000-000000000901", 5_234_567_890
	articles, err := mongo.Articles.Read(ctx, store)
	if err != nil {
		return err
	}
	players, err := store.Players.ByName(ctx, []string{"Stalwart"})
	if err != nil {
		return err
	}
	colossal := *players[0][0]
	colossal.UUID, colossal.Username, colossal.Membership, colossal.Guild = player, "Colossal", nil, nil
	colossal.Totals.MobsKilled, colossal.Totals.RaidStats.DamageDealt = big, 1000*big
	bare, poll := *articles[0], *articles[0]
	bare.Number, bare.Type, bare.Content, bare.Poll = 901, "blog", []*model.ArticleBlock{}, nil
	poll.Number, poll.Content = 902, []*model.ArticleBlock{{ID: "b1", Type: "question", Text: new("What now?")}}
	poll.Poll = &model.Poll{
		SettingList: []*model.PollRequirement{}, Public: true, Votes: &model.PollVotes{Questions: []*model.QuestionVotes{}},
	}
	return errors.Join(
		mongo.Articles.Put(ctx, store, []*model.Article{&bare, &poll}),
		store.Guilds.Insert(ctx, []*model.Guild{{
			UUID: "b0000000-0000-4000-8000-000000000901", Name: "seasons", Prefix: "PATH", CreatedAt: apptest.Now(),
		}}),
		store.Characters.Insert(ctx, []*model.Character{{
			UUID: "c0000000-0000-4000-8000-000000990001", Owner: player, ClassKey: "MAGE", Level: 106, XP: 2000 * big,
			MobsKilled: new(int64(big)), ChestsFound: new(int64(big + 1)), BlocksWalked: new(int64(-629_979)),
		}}),
		store.Players.Insert(ctx, []*model.Player{&colossal}),
	)
}

// goldens returns the goldens of a folder, by file.
func goldens(t *testing.T, folder string) map[string]*txtar.Archive {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatal("no goldens found", err)
	}
	out := map[string]*txtar.Archive{}
	for _, file := range files {
		if out[file], err = txtar.ParseFile(file); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func compareGoldens(t *testing.T, base, folder string) {
	t.Helper()
	ops := rest.Load(generated.NewExecutableSchema(generated.Config{}).Schema())
	for file, archive := range goldens(t, folder) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			request := section(archive, "request")
			if request == nil {
				t.Fatal("the file has no section request")
			}
			r, body := parseRequest(t, base, string(request))
			got := apptest.Do(t, r, body)
			if *update {
				archive.Files = []txtar.File{{Name: "request", Data: request}, {Name: "response", Data: render(t, got)}}
				if err := os.WriteFile(file, txtar.Format(archive), 0o600); err != nil {
					t.Fatal(err)
				}
			} else if d := cmp.Diff(string(section(archive, "response")), string(render(t, got))); d != "" {
				t.Error(d)
			}
			compareAPIs(t, base, ops, r, body, got)
		})
	}
}

// parseRequest reads a request line, headers, and after an empty line a body.
func parseRequest(t *testing.T, base, text string) (*http.Request, []byte) {
	t.Helper()
	head, body, _ := strings.Cut(text, "\n\n")
	lines := strings.Split(strings.TrimSpace(head), "\n")
	method, path, ok := strings.Cut(lines[0], " ")
	if !ok {
		t.Fatalf("no request line: %q", lines[0])
	}
	body = strings.TrimSuffix(body, "\n")
	r, err := http.NewRequestWithContext(t.Context(), method, base+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lines[1:] {
		name, value, _ := strings.Cut(l, ": ")
		r.Header.Add(name, value)
	}
	return r, []byte(body)
}

// timeDependent matches the values of a body that depend on the time of the request; a golden has a placeholder.
var timeDependent = regexp.MustCompile(`"schedule": ?("[^"]*"|null)`)

func maskTime(body []byte) []byte {
	return timeDependent.ReplaceAllLiteral(body, []byte(`"schedule": "(depends on the clock)"`))
}

// render formats a response as in a golden: JSON indented, in its own key order.
func render(t *testing.T, res apptest.Response) []byte {
	t.Helper()
	var b bytes.Buffer
	fmt.Fprintln(&b, res.Status)
	for _, name := range goldenHeaders {
		if v := res.Header.Get(name); v != "" {
			fmt.Fprintf(&b, "%s: %s\n", name, v)
		}
	}
	b.WriteByte('\n')
	switch {
	case len(res.Body) == 0:
	case res.Header.Get("Content-Encoding") != "":
		fmt.Fprintln(&b, "(encoded)")
	default:
		if err := json.Indent(&b, maskTime(res.Body), "", " "); err != nil {
			t.Fatalf("the body is not JSON: %v: %s", err, res.Body)
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// compareAPIs compares a REST response with the result of the operation's GraphQL document.
func compareAPIs(
	t *testing.T, base string, ops map[string]*rest.Operation, r *http.Request, body []byte, got apptest.Response,
) {
	t.Helper()
	row, path, ok := rest.Lookup(r.URL)
	if !ok || r.Header.Get("Authorization") != "" || got.Status == http.StatusUnsupportedMediaType ||
		got.Status == http.StatusMethodNotAllowed || len(got.Body) == 0 || got.Header.Get("Content-Encoding") != "" {
		return
	}
	op := ops[row.Operation]
	if op == nil {
		return
	}
	vars, bad := op.Bind(path, r.URL.RawQuery, body)
	if bad != nil {
		if status, _ := httpapi.Status(bad.Code); status != got.Status {
			t.Errorf("got %d, want the status of the binding error %v", got.Status, bad)
		}
		return
	}
	document, err := json.Marshal(map[string]any{"query": op.Document(), "variables": op.Variables(vars)})
	if err != nil {
		t.Fatal(err)
	}
	q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/graphql", nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, values := range r.Header {
		q.Header[name] = values
	}
	q.Header.Set("Content-Type", "application/json")
	var response struct {
		Data   json.RawMessage
		Errors gqlerror.List
	}
	if err := json.Unmarshal(apptest.Do(t, q, document).Body, &response); err != nil {
		t.Fatal(err)
	}
	if errs := graph.WithoutNotFound(response.Errors); len(errs) > 0 {
		bad := graph.ErrorOf(errs[0])
		if status, _ := httpapi.Status(bad.Code); status != got.Status {
			t.Errorf("REST returns %d, GraphQL %s: %v", got.Status, bad.Code, bad)
		}
		return
	}
	var shaped bytes.Buffer
	_, err = op.Transform(&shaped, response.Data, vars)
	if rejected := new(graph.Error); errors.As(err, &rejected) {
		if status, _ := httpapi.Status(rejected.Code); status != got.Status {
			t.Errorf("REST returns %d, the transform rejects the data: %v", got.Status, rejected)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(maskTime(shaped.Bytes()), maskTime(got.Body)) {
		t.Errorf("REST returns %s with\n%.500s\nGraphQL returns\n%.500s", strconv.Itoa(got.Status), got.Body, shaped.Bytes())
	}
}

func section(a *txtar.Archive, name string) []byte {
	for _, f := range a.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}
