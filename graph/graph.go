// Package graph is what is true of every operation, whichever door it came through: the
// schema's generated executable form, the limits on a query's text, the policy that the
// schema states beside its root fields, and the errors that may be shown. No HTTP, no
// storage and no knowledge of a domain may enter; resolvers are handed in.
package graph

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/vektah/gqlparser/v2/ast"
)

// Options is what New may be told besides the schema. The zero value works.
type Options struct {
	// Limits bound a query's text; the zero value means DefaultLimits.
	Limits Limits
	// Attach returns the context one operation runs in, with loaders of its own. It is
	// called once for each operation; nil attaches nothing.
	Attach func(context.Context) context.Context
	// Allow tells the loaders of such a context which operation they are for; nil tells nobody.
	Allow func(context.Context, *Operation)
	// Read tells of such a context, when its operation is over, what the operation read; nil
	// means that nobody knows.
	Read func(context.Context) Reading
	// FieldByField has the engine write every value; what it writes is the same, and later.
	FieldByField bool
	// Field is told of each root field that begins, and returns the context it runs in and
	// what is to be called when it has ended; nil is told of none.
	Field func(ctx context.Context, name string) (context.Context, func())
	// Log receives what is hidden from callers; nil means slog.Default.
	Log *slog.Logger
}

// Reading is what an operation read.
type Reading struct {
	// Made is when the oldest record was fetched, when that was before the run; else the zero
	// time.
	Made time.Time
	// Source names the door whose operation fetched that record; empty for this one.
	Source string
	// Tags name what was read, as it is purged from caches: player:<uuid>, and field:<name> for
	// every root field.
	Tags []string
	// Store is how long the commands to the store took, added up.
	Store time.Duration
}

// Executor parses and runs operations of one schema. It is safe for concurrent use.
type Executor struct {
	schema    graphql.ExecutableSchema
	limits    Limits
	attach    func(context.Context) context.Context
	allow     func(context.Context, *Operation)
	read      func(context.Context) Reading
	field     func(context.Context, string) (context.Context, func())
	log       *slog.Logger
	policies  map[string]FieldPolicy
	sizes     map[*ast.FieldDefinition]listSize
	guarded   guardedFields
	slow      bool // every value is written by the engine
	documents *documentCache
	engine    *executor.Executor
}

// Operation is one executable operation. It is read-only to its users and may be run any
// number of times, also at once.
type Operation struct {
	// Name is the operation's name, empty for an anonymous one.
	Name string
	// Doc is the validated document the operation stands in.
	Doc *ast.QueryDocument
	// Def is the operation in Doc; its Operation says whether it is a query or a mutation.
	Def *ast.OperationDefinition
	// Policy is what the schema says of the operation's root fields together.
	Policy Policy
	// Hash names document and operation: texts that differ in spaces, commas and comments
	// alone have one. Empty for a prepared document, which its owner has a name for.
	Hash string
	// Source names the API that runs the operation, for the Cache-Status header; empty for GraphQL.
	Source string

	choices *choices
}

// New returns the executor of a schema. It fails when a root field does not state its
// policy (@cacheControl and @rateLimit), naming every such field.
func New(schema graphql.ExecutableSchema, o Options) (*Executor, error) {
	if schema == nil || schema.Schema() == nil || schema.Schema().Query == nil {
		return nil, errors.New("graph: the schema has no type Query")
	}
	policies, err := readPolicies(schema.Schema())
	if err != nil {
		return nil, err
	}
	sizes, err := readListSizes(schema.Schema())
	if err != nil {
		return nil, err
	}
	guarded, err := readGuardedFields(schema.Schema())
	if err != nil {
		return nil, err
	}
	if o.Limits == (Limits{}) {
		o.Limits = DefaultLimits()
	}
	if l := o.Limits; l.UnitFields < 1 || l.ListSize < 1 || l.PageSize < 1 {
		return nil, errors.New("graph: UnitFields, ListSize and PageSize of the limits must be 1 or more")
	}
	if o.Attach == nil {
		o.Attach = func(ctx context.Context) context.Context { return ctx }
	}
	if o.Allow == nil {
		o.Allow = func(context.Context, *Operation) {}
	}
	if o.Read == nil {
		o.Read = func(context.Context) Reading { return Reading{} }
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	e := &Executor{
		schema:    schema,
		limits:    o.Limits,
		attach:    o.Attach,
		allow:     o.Allow,
		read:      o.Read,
		field:     o.Field,
		log:       o.Log,
		policies:  policies,
		sizes:     sizes,
		guarded:   guarded,
		slow:      o.FieldByField,
		documents: newDocumentCache(documentCacheNodes),
	}
	e.engine = e.newEngine()
	return e, nil
}

// Schema returns the schema operations are checked against; it may not be changed.
func (e *Executor) Schema() *ast.Schema { return e.schema.Schema() }
