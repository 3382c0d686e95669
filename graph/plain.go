package graph

import (
	"context"
	"io"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// Most of what is asked for stands in records as it is answered: nothing is resolved below,
// nothing can fail. Of such a field, called plain, the whole value is written at once, by a plan
// made from the selections and the Go type, instead of being sent through the engine field by
// field, which takes some microseconds each. A plan that meets what it cannot write (a null that
// the schema does not allow, a rule that bars the viewer) leaves the value to the engine, which
// tells errors and restrictions: what is written is the same, byte for byte.

// fields resolves those of one run.
type fields struct {
	executor *Executor
	plans    *plans
}

// run resolves a field. The value of a plain one is what stands in the answer.
func (f *fields) run(ctx context.Context, next graphql.Resolver) (any, error) {
	fc := graphql.GetFieldContext(ctx)
	f.executor.recordRestrictions(ctx, fc)
	value, err := next(ctx)
	if err != nil || value == nil || len(fc.Field.Selections) == 0 || f.executor.slow {
		return value, err
	}
	if text := f.plans.of(ctx, f.executor, fc, value).write(value); text != nil {
		return text, nil
	}
	return value, nil
}

// plan writes the values of one field of an operation.
type plan struct {
	selections ast.SelectionSet
	of         reflect.Type
	to         writer       // nil when the field is not plain
	size       atomic.Int64 // bytes of the last value written
}

// writer appends a value as JSON. It reports false when the engine has to write it.
type writer func(to []byte, v reflect.Value) ([]byte, bool)

// write is a value as the plan writes it, nil when the engine has to.
func (p *plan) write(value any) graphql.Marshaler {
	if p.to == nil || reflect.TypeOf(value) != p.of {
		return nil
	}
	size := p.size.Load()
	text, ok := p.to(make([]byte, 0, size+size/8+64), reflect.ValueOf(value))
	if !ok {
		return nil
	}
	p.size.Store(int64(len(text)))
	return &written{text}
}

// written is JSON that is ready.
type written struct{ text []byte }

func (w *written) MarshalGQL(to io.Writer) { _, _ = to.Write(w.text) }

// plans are those of one operation, made when a field is first met. What is selected depends on
// the variables of @skip and @include, so they belong to one choice of those.
type plans struct {
	mu      sync.RWMutex
	byField map[planKey][]*plan
}

// planKey is a field as it stands in the document. Where a fragment is spread at several places,
// others of its name may be merged with it; then there are several plans.
type planKey struct {
	field  *ast.Field
	object string
}

func (p *plans) find(field graphql.CollectedField, key planKey) *plan {
	p.mu.RLock()
	defer p.mu.RUnlock()
	for _, known := range p.byField[key] {
		if slices.Equal(known.selections, field.Selections) {
			return known
		}
	}
	return nil
}

// of is the plan for a value of a field.
func (p *plans) of(ctx context.Context, e *Executor, fc *graphql.FieldContext, value any) *plan {
	key := planKey{fc.Field.Field, fc.Object}
	if known := p.find(fc.Field, key); known != nil {
		return known
	}
	made := &plan{of: reflect.TypeOf(value), selections: fc.Field.Selections}
	made.to = (&planner{ctx, e, graphql.GetOperationContext(ctx)}).value(fc.Field.Definition.Type, made.of, fc)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.byField[key] = append(p.byField[key], made)
	return made
}

// choices are the plans of one operation for each choice of what it selects.
type choices struct {
	// variables are those of @skip and @include.
	variables []string

	mu   sync.Mutex
	made map[string]*plans
}

// maxChoices bounds the choices whose plans are kept; for others they are made for each run.
const maxChoices = 4

// under is the plans of the operation under the variables given.
func (c *choices) under(variables map[string]any) *plans {
	choice := make([]byte, len(c.variables))
	for i, name := range c.variables {
		if variables[name] == true {
			choice[i] = 1
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.made[string(choice)]
	if p == nil {
		p = &plans{byField: map[planKey][]*plan{}}
		if len(c.made) < maxChoices {
			c.made[string(choice)] = p
		}
	}
	return p
}

func newChoices(op *ast.OperationDefinition, doc *ast.QueryDocument) *choices {
	c := &choices{made: map[string]*plans{}}
	var walk func(ast.SelectionSet)
	note := func(directives ast.DirectiveList, below ast.SelectionSet) {
		for _, d := range directives {
			if a := d.Arguments.ForName("if"); a != nil && a.Value.Kind == ast.Variable && !slices.Contains(c.variables,
				a.Value.Raw) {
				c.variables = append(c.variables, a.Value.Raw)
			}
		}
		walk(below)
	}
	walk = func(set ast.SelectionSet) {
		for _, selection := range set {
			switch s := selection.(type) {
			case *ast.Field:
				note(s.Directives, s.SelectionSet)
			case *ast.InlineFragment:
				note(s.Directives, s.SelectionSet)
			case *ast.FragmentSpread:
				note(s.Directives, nil)
			}
		}
	}
	walk(op.SelectionSet)
	// Fragments that another operation of the document spreads do no harm.
	for _, f := range doc.Fragments {
		walk(f.SelectionSet)
	}
	return c
}
