package graph_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"

	"gamedata/graph"
	"gamedata/graph/generated"
	"gamedata/graph/model"
)

// root resolves players by names that say how the resolver ends.
type root struct{ generated.ResolverRoot }

func (root) Query() generated.QueryResolver { return query{} }

type query struct{ generated.QueryResolver }

func (query) Article(_ context.Context, _ model.ArticleBy, typeLabel *string) (*model.Article, error) {
	if typeLabel == nil {
		return nil, graph.ErrNotFound
	}
	return nil, nil
}

func (query) Player(ctx context.Context, by model.PlayerBy) (*model.Player, error) {
	username := *cmp.Or(by.Username, by.Reference)
	switch username {
	case "missing":
		return nil, graph.ErrNotFound
	case "wrapped":
		return nil, fmt.Errorf("%w: %w", graph.ErrPlayerNotBuilt, errors.New("secret cause"))
	case "secret":
		return nil, errors.New("secret cause")
	case "panic":
		panic("secret cause")
	case "late":
		return nil, fmt.Errorf("waiting: %w", context.DeadlineExceeded)
	case "several":
		return nil, graph.ErrMultiple([]any{map[string]string{"uuid": "a"}})
	case "unredacted":
		return &model.Player{Username: username}, nil
	}
	return &model.Player{Username: username, Redaction: model.Redaction{Done: true}}, nil
}

func TestRun(t *testing.T) {
	for _, c := range []struct {
		name, query string
		vars        map[string]any
		data        string
		code        graph.Code
		detail      string
		logged      bool
	}{
		{"data", `{player(by:{username:"x"}){username}}`, nil, `{"player":{"username":"x"}}`, "", "", false},
		{
			"variable", `query($n:String!){player(by:{reference:$n}){username}}`,
			map[string]any{"n": "y"},
			`{"player":{"username":"y"}}`, "", "", false,
		},
		{
			"coded error", `{player(by:{username:"missing"}){username}}`, nil, `{"player":null}`, graph.NotFound,
			"Resource not found.", false,
		},
		{
			"documented failure", `{player(by:{username:"wrapped"}){username}}`, nil, `{"player":null}`, graph.Internal,
			"The player could not be built.", true,
		},
		{
			"hidden error", `{player(by:{username:"secret"}){username}}`, nil, `{"player":null}`, graph.Internal, "Internal error.",
			true,
		},
		{"panic", `{player(by:{username:"panic"}){username}}`, nil, `{"player":null}`, graph.Internal, "Internal error.", true},
		{
			"deadline exceeded", `{player(by:{username:"late"}){username}}`, nil, `{"player":null}`, graph.ServiceUnavailable,
			"The service is not available right now.", false,
		},
		{
			"several", `{player(by:{username:"several"}){username}}`, nil, `{"player":null}`, graph.MultipleObjectsReturned,
			"Query returned multiple results.", false,
		},
		{
			"a record without redaction", `{player(by:{username:"unredacted"}){restrictions{key}}}`, nil, `{"player":null}`,
			graph.Internal, "Internal error.", true,
		},
		{
			"missing variable", `query($n:String!){player(by:{reference:$n}){username}}`, nil, ``, graph.BadVariables,
			"The variable $n is missing.", false,
		},
		{
			"null where null is allowed", `query($s:String="EU1"){article(by:{number:1},typeLabel:$s){number}}`,
			map[string]any{"s": nil},
			`{"article":null}`, graph.NotFound, "", false,
		},
		{
			"null for a time", `query($n:DateTime="2026-03-19T00:00:00Z"){territoriesAt(at:$n){territoryName}}`,
			map[string]any{"n": nil},
			``,
			graph.BadVariables, "$n may not be null", false,
		},
		{"null for a condition", `query($s:Boolean=false){player(by:{username:"x"}){...a}}fragment a on Player{username ...@skip(if:$s){uuid}}`, map[string]any{"s": nil}, ``, graph.BadVariables, "$s may not be null", false},
		{
			"one failure beside data", `{a:player(by:{username:"secret"}){username} b:player(by:{username:"x"}){username}}`, nil,
			`{"a":null,"b":{"username":"x"}}`, graph.Internal, "Internal error.", true,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			var log bytes.Buffer
			e := executor(graph.Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
			op, errs := e.Parse(c.query, "")
			if errs != nil {
				t.Fatal(errs)
			}
			r := e.Run(t.Context(), op, c.vars)
			if string(r.Data) != c.data {
				t.Errorf("data: got %s, want %s", r.Data, c.data)
			}
			text, err := json.Marshal(r.Errors)
			if err != nil || strings.Contains(string(text), "secret") {
				t.Errorf("the response reveals %s (%v)", text, err)
			}
			if (log.Len() > 0) != c.logged || strings.Count(log.String(), "\n") > 1 {
				t.Errorf("logged: got %q, want %v", log.String(), c.logged)
			}
			if c.code == "" {
				if len(r.Errors) > 0 {
					t.Error(r.Errors)
				}
				return
			}
			if len(r.Errors) != 1 {
				t.Fatalf("got errors %v", r.Errors)
			}
			if got := graph.ErrorOf(r.Errors[0]); got.Code != c.code || !strings.Contains(got.Detail, c.detail) {
				t.Errorf("error: got %s: %s, want %s: %s", got.Code, got.Detail, c.code, c.detail)
			}
		})
	}
}

// Limits do not apply to a fixed operation.
func TestPrepare(t *testing.T) {
	e := executor(graph.Options{})
	query := `{player(by:{username:"x"}){` + times(60, "a%i:username ") + `}}`
	op := e.Prepare(gqlparser.MustLoadQueryWithRules(e.Schema(), query, nil))
	if r := e.Run(t.Context(), op, nil); len(r.Errors) > 0 || !strings.Contains(string(r.Data), `"x"`) {
		t.Errorf("%s %v %+v", r.Data, r.Errors, op.Policy)
	}
}

func TestRunLogsErrorOncePerOperation(t *testing.T) {
	var log bytes.Buffer
	e := executor(graph.Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	op, errs := e.Parse(`query two{a:player(by:{username:"secret"}){username} b:player(by:{username:"secret"}){username}}`, "")
	if errs != nil {
		t.Fatal(errs)
	}
	for n := 1; n <= 2; n++ {
		if r := e.Run(t.Context(), op, nil); len(r.Errors) != 2 {
			t.Fatalf("got errors %v", r.Errors)
		}
		if lines := strings.Count(log.String(), "secret cause"); lines != n || !strings.Contains(log.String(),
			"operation=two") {
			t.Errorf("log after %d operations: got %s", n, log.String())
		}
	}
}

func TestRunWithCancelledContext(t *testing.T) {
	e := executor(graph.Options{})
	op, errs := e.Parse(`{player(by:{username:"x"}){username}}`, "")
	if errs != nil {
		t.Fatal(errs)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("the client disconnected"))
	r := e.Run(ctx, op, nil)
	if len(r.Errors) != 1 || graph.ErrorOf(r.Errors[0]).Code != graph.ServiceUnavailable {
		t.Errorf("got %s, %v", r.Data, r.Errors)
	}
}

// Players are as many as the first page has entries; each field of them that needs redaction fails.
func (query) Players(_ context.Context, page model.PageArgs, _ *model.PlayerFilter, _ *model.PlayerOrder) (
	*model.PlayerConnection, error,
) {
	list := make([]*model.Player, *page.First)
	for i := range list {
		list[i] = &model.Player{}
	}
	return &model.PlayerConnection{Items: list}, nil
}

// A response has at most 100 errors of fields and says how many more there were.
func TestErrorsLeftOut(t *testing.T) {
	e := executor(graph.Options{Log: slog.New(slog.DiscardHandler)})
	for first, left := range map[int]any{49: nil, 50: nil, 70: 40} {
		op, errs := e.Parse(fmt.Sprintf(`{players(first:%d){nodes{a:restrictions{key} b:restrictions{key}}}}`, first), "")
		if errs != nil {
			t.Fatal(errs)
		}
		r := e.Run(t.Context(), op, nil)
		if got := r.Extensions["errorsLeftOut"]; len(r.Errors) != min(100, 2*first) || fmt.Sprint(got) != fmt.Sprint(left) {
			t.Errorf("%d failures: got %d errors and %v left out, want %v", 2*first, len(r.Errors), got, left)
		}
	}
}
