package graphqlhttp_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/graph"
	"gamedata/graph/viewer"
	"gamedata/internal/graphqlhttp"
	"gamedata/internal/httpapi"
	"gamedata/internal/httpapi/httpapitest"
)

// moss is a schema of a few fields with all kinds of results; its executor is the real one.
type moss struct{ schema *ast.Schema }

const mossText = `
directive @cacheControl(maxAge: Int!, scope: CacheScope!) on FIELD_DEFINITION
directive @rateLimit(bucket: Bucket!) on FIELD_DEFINITION
enum CacheScope { USER SHARED }
enum Bucket { PLAYER ITEMS SHARED }
type Query {
  items(page: Int, id: ID): String @cacheControl(maxAge: 3600, scope: SHARED) @rateLimit(bucket: ITEMS)
  shared: String @cacheControl(maxAge: 60, scope: SHARED) @rateLimit(bucket: SHARED)
  player: String @cacheControl(maxAge: 120, scope: USER) @rateLimit(bucket: PLAYER)
  whoami: String @cacheControl(maxAge: 0, scope: USER) @rateLimit(bucket: PLAYER)
  missing: String @cacheControl(maxAge: 120, scope: USER) @rateLimit(bucket: PLAYER)
  needed: String! @cacheControl(maxAge: 120, scope: USER) @rateLimit(bucket: PLAYER)
  broken: String @cacheControl(maxAge: 120, scope: USER) @rateLimit(bucket: PLAYER)
  slow: String @cacheControl(maxAge: 120, scope: USER) @rateLimit(bucket: PLAYER)
}
type Mutation {
  rename(name: String!): String @cacheControl(maxAge: 0, scope: USER) @rateLimit(bucket: PLAYER)
}`

func (m moss) Schema() *ast.Schema { return m.schema }

func (m moss) Complexity(context.Context, string, string, int, map[string]any) (int, bool) {
	return 0, false
}

func (m moss) resolve(ctx context.Context, field graphql.CollectedField, vars map[string]any) (any, error) {
	v := viewer.From(ctx)
	switch field.Name {
	case "items", "shared", "player", "whoami":
		return field.Name + " for " + string(v.Kind) + " at " + v.Address.String(), nil
	case "missing", "needed":
		return nil, graph.ErrNotFound
	case "slow":
		<-ctx.Done()
		return nil, graph.ErrUnavailable
	case "rename":
		return field.ArgumentMap(vars)["name"], nil
	}
	return nil, errors.New("secret of the store")
}

func (m moss) Exec(ctx context.Context) graphql.ResponseHandler {
	op := graphql.GetOperationContext(ctx)
	return func(ctx context.Context) *graphql.Response {
		data := map[string]any{}
		for _, f := range graphql.CollectFields(op, op.Operation.SelectionSet, []string{"Query", "Mutation"}) {
			ctx := graphql.WithFieldContext(ctx, &graphql.FieldContext{Object: "Query", Field: f})
			value, err := m.resolve(ctx, f, op.Variables)
			data[f.Alias] = value
			if err != nil {
				graphql.AddError(ctx, err)
				if f.Definition.Type.NonNull {
					return &graphql.Response{Data: json.RawMessage("null")}
				}
			}
		}
		text, err := json.Marshal(data)
		if err != nil {
			graphql.AddError(ctx, err)
		}
		return &graphql.Response{Data: text}
	}
}

// mossExecutor is the executor of the schema above.
func mossExecutor(t testing.TB) *graph.Executor {
	schema, err := gqlparser.LoadSchema(&ast.Source{Name: "moss", Input: mossText})
	if err != nil {
		t.Fatal(err)
	}
	return graph.New(moss{schema}, graph.Options{Log: slog.New(slog.DiscardHandler)})
}

// serveGraphQL serves /graphql on it.
func serveGraphQL(t *testing.T, configure func(*httpapi.Options)) *httpapitest.Server {
	return httpapitest.Serve(t, func(o *httpapi.Options) {
		o.Cache.Timeout = 50 * time.Millisecond
		if configure != nil {
			configure(o)
		}
	}, func(api *httpapi.API) http.Handler {
		return graphqlhttp.New(api, mossExecutor(t), graphqlhttp.Options{AddressFields: []string{"whoami"}})
	})
}
