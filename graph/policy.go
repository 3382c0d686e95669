package graph

import (
	"strings"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
)

// Scope defines for whom a response may be cached.
type Scope string

// The scopes, as the schema's enum CacheScope names them.
const (
	// Shared: one response serves every caller; it is resolved as a guest.
	Shared Scope = "SHARED"
	// User: the response depends on what the viewer may see.
	User Scope = "USER"
)

// sharedBucket is charged for operations without a field in any bucket.
const sharedBucket = "SHARED"

// FieldPolicy is the policy that the schema declares on a root field.
type FieldPolicy struct {
	Field string
	// MaxAge is how long a response may be cached; 0 means not at all.
	MaxAge time.Duration
	Scope  Scope
	// Bucket is the rate-limit bucket that the field is charged to, upper case.
	Bucket string
	// Free fields are not charged.
	Free bool
}

// schemaPolicy is the policy of __schema and __type, which change only with the service's version.
var schemaPolicy = FieldPolicy{MaxAge: 10 * time.Minute, Scope: Shared, Bucket: sharedBucket}

// Policy combines the policies of everything that an operation selects.
type Policy struct {
	// MaxAge is the smallest max age of the root fields and the fields below them; 0 without a root field.
	MaxAge time.Duration
	// Scope is User if any root field or field below it has scope User.
	Scope Scope
	// Fields has one entry per root field that the operation may resolve, in order.
	Fields []FieldPolicy
}

// readRootPolicies reads @cacheControl and @rateLimit of every root field.
func readRootPolicies(schema *ast.Schema) map[string]FieldPolicy {
	out := map[string]FieldPolicy{}
	for _, name := range []string{"__schema", "__type"} {
		p := schemaPolicy
		p.Field = name
		out[name] = p
	}
	for _, root := range []*ast.Definition{schema.Query, schema.Mutation, schema.Subscription} {
		if root == nil {
			continue
		}
		for _, field := range root.Fields {
			if isIntrospection(field.Name) {
				continue
			}
			hint, rate := hintOf(field.Directives), field.Directives.ForName("rateLimit")
			out[field.Name] = FieldPolicy{
				Field: field.Name, MaxAge: hint.maxAge, Scope: hint.scope,
				Bucket: argument(rate, "bucket"), Free: argument(rate, "free") == "true",
			}
		}
	}
	return out
}

// policyOf returns the policy of an operation. Root fields with the same response key count as one field, as in
// execution. Fields with @skip or @include count too.
func (s schemaFacts) policyOf(doc *ast.QueryDocument, def *ast.OperationDefinition) Policy {
	p := Policy{Scope: Shared}
	seen := map[string]bool{}
	for _, f := range rootFields(doc, def, func(ast.DirectiveList) bool { return false }) {
		if field, ok := s.roots[f.Name]; ok && !seen[f.Alias] {
			seen[f.Alias] = true
			p.Fields = append(p.Fields, field)
		}
	}
	if len(p.Fields) > 0 {
		hint := s.strictest(doc, def.SelectionSet)
		p.MaxAge, p.Scope = hint.maxAge, hint.scope
	}
	return p
}

func isIntrospection(field string) bool { return strings.HasPrefix(field, "__") }
