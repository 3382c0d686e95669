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

// The fast path writes the value of most fields without gqlgen.
//
// gqlgen resolves and writes each field separately, which takes some microseconds per field. If no field below a record
// needs a resolver, a plan compiled from the selections and the Go type writes the whole record instead. Measured: 117
// ms instead of 1,104 ms for a response of 134,000 fields (BenchmarkGatheringNodes in resolvers, with and without
// Options.DisableFastPath).
//
// If a plan meets a value that it cannot write (a forbidden null, a field hidden by an access rule), it leaves the
// whole field to gqlgen, which reports errors and restrictions. Both paths write the same bytes;
// TestFastPathMatchesGqlgen in resolvers compares them.
//
// An upgrade of gqlgen is most likely to break this part: the planner relies on FieldContext.IsMethod and IsResolver as
// the generated Child functions set them, on gqlgen's matching of schema fields to struct fields, and on its JSON
// encoding of scalars.

type plan struct {
	selections ast.SelectionSet
	typ        reflect.Type
	writer     writer       // nil if only gqlgen can write the field
	size       atomic.Int64 // bytes of the last value
}

// writer appends a value as JSON. ok is false if gqlgen has to write it.
type writer func(to []byte, v reflect.Value) (_ []byte, ok bool)

func (p *plan) write(value any) graphql.Marshaler {
	if p.writer == nil || reflect.TypeOf(value) != p.typ {
		return nil
	}
	size := p.size.Load()
	text, ok := p.writer(make([]byte, 0, size+size/8+64), reflect.ValueOf(value))
	if !ok {
		return nil
	}
	p.size.Store(int64(len(text)))
	return &rawJSON{text}
}

type rawJSON struct{ text []byte }

func (r *rawJSON) MarshalGQL(to io.Writer) { _, _ = to.Write(r.text) }

// planSet holds the plans of one operation for one combination of the variables in @skip and @include, since the
// selections depend on them. A plan is compiled when its field is first resolved.
type planSet struct {
	mu      sync.RWMutex
	byField map[planKey][]*plan
}

// planKey is a field of the document. If a fragment is spread in several places, its field may be merged with different
// fields in each and then has several plans.
type planKey struct {
	field  *ast.Field
	object string
}

// find returns the plan of a field, or nil if it is not compiled yet. The caller holds the lock.
func (s *planSet) find(field graphql.CollectedField, key planKey) *plan {
	for _, p := range s.byField[key] {
		if slices.Equal(p.selections, field.Selections) {
			return p
		}
	}
	return nil
}

func (s *planSet) plan(ctx context.Context, e *Executor, fc *graphql.FieldContext, value any) *plan {
	key := planKey{fc.Field.Field, fc.Object}
	s.mu.RLock()
	p := s.find(fc.Field, key)
	s.mu.RUnlock()
	if p != nil {
		return p
	}
	s.mu.Lock() // the elements of a list arrive concurrently, and one of them compiles
	defer s.mu.Unlock()
	if p := s.find(fc.Field, key); p != nil {
		return p
	}
	p = &plan{typ: reflect.TypeOf(value), selections: fc.Field.Selections}
	compiler := &planner{ctx: ctx, executor: e, oc: graphql.GetOperationContext(ctx)}
	p.writer = compiler.value(fc.Field.Definition.Type, p.typ, fc)
	s.byField[key] = append(s.byField[key], p)
	return p
}

// planCache holds the plan sets of one operation as long as its document is cached.
type planCache struct {
	// variables are the variables of @skip and @include.
	variables []string

	mu   sync.Mutex
	sets map[string]*planSet // by the values of variables
}

// maxPlanSets is the maximum number of cached plan sets per operation. Plans for further combinations live for one run.
const maxPlanSets = 4

// of returns the plan set for some variables.
func (c *planCache) of(variables map[string]any) *planSet {
	key := make([]byte, len(c.variables))
	for i, name := range c.variables {
		if variables[name] == true {
			key[i] = 1
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.sets[string(key)]
	if s == nil {
		s = &planSet{byField: map[planKey][]*plan{}}
		if len(c.sets) < maxPlanSets {
			c.sets[string(key)] = s
		}
	}
	return s
}

func newPlanCache(op *ast.OperationDefinition, doc *ast.QueryDocument) *planCache {
	c := &planCache{sets: map[string]*planSet{}}
	walk(doc, op.SelectionSet, func(selection ast.Selection) bool {
		for _, d := range directivesOf(selection) {
			if a := d.Arguments.ForName("if"); a != nil && a.Value.Kind == ast.Variable &&
				!slices.Contains(c.variables, a.Value.Raw) {
				c.variables = append(c.variables, a.Value.Raw)
			}
		}
		return true
	})
	return c
}
