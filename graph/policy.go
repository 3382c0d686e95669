package graph

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
)

// Scope says for whom an answer may be kept.
type Scope string

// The scopes, as the schema's enum CacheScope names them.
const (
	// Shared: one answer serves every caller; it is resolved as a guest.
	Shared Scope = "SHARED"
	// User: the answer depends on what the viewer may see.
	User Scope = "USER"
)

// sharedBucket is charged for operations that ask no field with a bucket of its own.
const sharedBucket = "SHARED"

// FieldPolicy is what the schema states beside one root field (SPEC §4, §8).
type FieldPolicy struct {
	Field string
	// MaxAge is how long an answer may be kept; 0 means not at all.
	MaxAge time.Duration
	Scope  Scope
	// Bucket is the rate-limit bucket that one use of the field is charged to, upper case.
	Bucket string
	// Free says that asking for the field costs nothing.
	Free bool
}

// schemaPolicy is the policy of __schema and __type: the same for everybody until the
// service is replaced by another.
var schemaPolicy = FieldPolicy{MaxAge: 10 * time.Minute, Scope: Shared, Bucket: sharedBucket}

// Policy is the policy of an operation: of its root fields together.
type Policy struct {
	// MaxAge is the smallest of the root fields; 0 when there is none.
	MaxAge time.Duration
	// Scope is User when any root field is.
	Scope Scope
	// Fields has one entry for every root field that will be resolved, in order.
	Fields []FieldPolicy
}

// FieldPolicy returns the policy of a field of Query or Mutation.
func (e *Executor) FieldPolicy(rootField string) (FieldPolicy, bool) {
	p, ok := e.policies[rootField]
	return p, ok
}

// readPolicies reads @cacheControl and @rateLimit of every root field.
func readPolicies(schema *ast.Schema) (map[string]FieldPolicy, error) {
	policies := map[string]FieldPolicy{}
	for _, name := range []string{"__schema", "__type"} {
		p := schemaPolicy
		p.Field = name
		policies[name] = p
	}
	var problems []error
	for _, root := range []*ast.Definition{schema.Query, schema.Mutation} {
		if root == nil {
			continue
		}
		for _, field := range root.Fields {
			if isIntrospection(field.Name) {
				continue
			}
			p, err := readPolicy(field)
			if _, twice := policies[field.Name]; twice {
				err = errors.New("is a field of Query and of Mutation")
			}
			if err != nil {
				problems = append(problems, fmt.Errorf("graph: %s.%s %w", root.Name, field.Name, err))
			}
			policies[field.Name] = p
		}
	}
	return policies, errors.Join(problems...)
}

func readPolicy(field *ast.FieldDefinition) (FieldPolicy, error) {
	cache, rate := field.Directives.ForName("cacheControl"), field.Directives.ForName("rateLimit")
	if cache == nil || rate == nil {
		return FieldPolicy{}, errors.New("must state its policy with @cacheControl and @rateLimit")
	}
	p := FieldPolicy{
		Field: field.Name, Scope: Scope(argument(cache, "scope")), Bucket: argument(rate, "bucket"),
		Free: argument(rate, "free") == "true",
	}
	seconds, err := strconv.Atoi(argument(cache, "maxAge"))
	if err != nil || seconds < 0 {
		return FieldPolicy{}, errors.New("has a maxAge that is no number of seconds")
	}
	p.MaxAge = time.Duration(seconds) * time.Second
	if p.Scope != Shared && p.Scope != User {
		return FieldPolicy{}, errors.New("has a scope other than SHARED and USER")
	}
	if p.Bucket == "" {
		return FieldPolicy{}, errors.New("has no bucket")
	}
	return p, nil
}

func argument(d *ast.Directive, name string) string {
	if arg := d.Arguments.ForName(name); arg != nil && arg.Value != nil {
		return arg.Value.Raw
	}
	return ""
}

// policyOf is the policy of an operation. Selections of one response key are one field, as
// they are when the operation runs; what may be skipped counts.
func (e *Executor) policyOf(doc *ast.QueryDocument, def *ast.OperationDefinition) Policy {
	p := Policy{Scope: Shared}
	seen := map[string]bool{}
	spread := map[string]bool{}
	var walk func(ast.SelectionSet)
	walk = func(set ast.SelectionSet) {
		for _, selection := range set {
			switch s := selection.(type) {
			case *ast.Field:
				if field, ok := e.policies[s.Name]; ok && !seen[s.Alias] {
					seen[s.Alias] = true
					p.add(field)
				}
			case *ast.InlineFragment:
				walk(s.SelectionSet)
			case *ast.FragmentSpread:
				if f := doc.Fragments.ForName(s.Name); f != nil && !spread[s.Name] {
					spread[s.Name] = true
					walk(f.SelectionSet)
				}
			}
		}
	}
	walk(def.SelectionSet)
	return p
}

func (p *Policy) add(field FieldPolicy) {
	if len(p.Fields) == 0 || field.MaxAge < p.MaxAge {
		p.MaxAge = field.MaxAge
	}
	if field.Scope == User {
		p.Scope = User
	}
	p.Fields = append(p.Fields, field)
}

// isIntrospection reports whether a field belongs to every schema: __schema, __type, __typename.
func isIntrospection(field string) bool { return strings.HasPrefix(field, "__") }
