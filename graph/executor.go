// Package graph executes the operations of an executable schema. It contains the limits on query documents, the cost
// estimate, the policies declared on root fields, and the errors that callers may see. It knows neither HTTP nor
// storage; the caller passes the resolvers in.
package graph

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"gamedata/internal/cache"
)

// Options configure an Executor. The zero value works.
type Options struct {
	// Limits bound query documents; the zero value means DefaultLimits.
	Limits Limits
	// Loaders load the records of operations; nil if the resolvers need none.
	Loaders Loaders
	// DisableFastPath makes gqlgen write every value (see fastpath.go). The response is the same.
	DisableFastPath bool
	// Field is called when the resolution of a root field begins. It returns the context of the
	// field and a function to call at its end. May be nil.
	Field func(ctx context.Context, name string) (context.Context, func())
	// Log receives errors that callers do not see; nil means slog.Default.
	Log *slog.Logger
}

// Response is the result of an operation.
type Response struct {
	*graphql.Response
	ReadStats
	// MaxAge is how long the response may be cached: the max age of the policy, or NotFoundAge if a lookup found
	// nothing.
	MaxAge time.Duration
}

// Executor parses and runs operations of one schema. It is safe for concurrent use.
type Executor struct {
	o         Options
	schema    graphql.ExecutableSchema
	facts     schemaFacts
	documents *cache.LRU[*document] // by their text
	presenter presenter
	engine    *executor.Executor
}

// New returns the executor of a schema.
func New(schema graphql.ExecutableSchema, o Options) *Executor {
	o.Limits = cmp.Or(o.Limits, DefaultLimits())
	if o.Loaders == nil {
		o.Loaders = noLoaders{}
	}
	o.Log = cmp.Or(o.Log, slog.Default())
	e := &Executor{
		o: o, schema: schema, facts: readFacts(schema.Schema()), documents: cache.NewLRU[*document](documentCacheNodes),
		presenter: presenter{o.Log}, engine: executor.New(schema),
	}
	e.engine.SetErrorPresenter(e.presenter.presentField)
	e.engine.SetRecoverFunc(recovered)
	return e
}

// Schema returns the schema, which must not be changed.
func (e *Executor) Schema() *ast.Schema { return e.schema.Schema() }

// FieldPolicy returns the declared policy of a field of Query or Mutation, without the effect of its selections.
func (e *Executor) FieldPolicy(rootField string) FieldPolicy { return e.facts.roots[rootField] }

// Parse returns an operation of a query document. It checks limits before it validates, so that a document beyond the
// limits costs little. An empty operationName selects the only operation. Errors have a code and a location. Valid
// documents are cached. The cost of an operation depends on its variables: see Charges.
func (e *Executor) Parse(query, operationName string) (*Operation, gqlerror.List) {
	doc, cached := e.documents.Get(query)
	if !cached {
		var err gqlerror.List
		if doc, err = e.parse(query); err != nil {
			return nil, err
		}
	}
	if op := doc.operations[operationName]; op != nil {
		return op, nil
	}
	return nil, gqlerror.List{noOperation(doc.parsed, operationName)}
}

// parse checks and caches a document. A panic of the parser or the validator becomes an internal error.
func (e *Executor) parse(query string) (doc *document, errs gqlerror.List) {
	defer func() {
		if r := recover(); r != nil {
			ctx := context.Background()
			doc, errs = nil, gqlerror.List{e.presenter.present(ctx, recovered(ctx, r))}
		}
	}()
	parsed, nodes, errs := parseDocument(e.Schema(), query, e.o.Limits)
	if len(errs) > 0 {
		return nil, errs
	}
	doc = newDocument(query, parsed, e.facts)
	// Mutations are not cached: they may contain a password and are not repeated.
	if !slices.ContainsFunc(parsed.Operations, isMutation) {
		e.documents.Put(query, doc, weight(query, nodes))
	}
	return doc, nil
}

func isMutation(op *ast.OperationDefinition) bool { return op.Operation == ast.Mutation }

// Prepare returns the only operation of a fixed document that its owner has validated. Limits do not apply to it.
func (e *Executor) Prepare(doc *ast.QueryDocument) *Operation {
	return newOperation(doc, doc.Operations[0], e.facts)
}

// CheckVariables returns the BAD_VARIABLES error with which Run would reject the variables, or nil.
func (e *Executor) CheckVariables(op *Operation, vars map[string]any) *gqlerror.Error {
	_, err := coerceVariables(e.Schema(), op, vars)
	return err
}
