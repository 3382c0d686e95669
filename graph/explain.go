package graph

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/graph/model"
	"gamedata/graph/viewer"
)

// Restriction says why a field of an answer shows nothing. It never tells what value the
// player's owner chose.
type Restriction struct {
	// Path is where the field stands in the answer.
	Path ast.Path `json:"path"`
	// Rule is the access rule that took effect, as scopes are spelled: main_access.
	Rule string `json:"rule"`
	// Scope is what lifts the rule for an application of the owner; nil when nothing does.
	Scope *string `json:"scope"`
}

// maxRestrictions bounds the restrictions one answer lists.
const maxRestrictions = 100

// The names in the extensions of a response.
const (
	restrictionsExtension = "restrictions"
	leftOutExtension      = "restrictionsLeftOut" // how many more there are
)

// Restrictions are those that the answer tells of.
func (r Response) Restrictions() []Restriction {
	if r.Response == nil {
		return nil
	}
	list, _ := r.Extensions[restrictionsExtension].([]Restriction)
	return list
}

// guards are the rules that guard a field, as @guarded says beside it.
type guards map[*ast.FieldDefinition][]model.AccessRule

func readGuards(schema *ast.Schema) guards {
	out := guards{}
	for _, t := range schema.Types {
		for _, f := range t.Fields {
			d := f.Directives.ForName("guarded")
			if d == nil {
				continue
			}
			for _, rule := range d.Arguments.ForName("by").Value.Children {
				out[f] = append(out[f], model.AccessRule(rule.Value.Raw))
			}
		}
	}
	return out
}

// restrictions collects those of one operation, whose fields resolve at once.
type restrictions struct {
	mu   sync.Mutex
	list []Restriction
}

const restrictionsKey = "gamedata.restrictions"

// noteBarred notes when a rule keeps a field from showing what it has.
func (e *Executor) noteBarred(ctx context.Context, fc *graphql.FieldContext) {
	if rules := e.guards[fc.Field.Definition]; rules != nil {
		if record := recordOf(fc.Parent); record != nil {
			note(ctx, fc, record, rules)
		}
	}
}

// recordOf is the record whose fields are being resolved, nil when it has no rules. Of an
// element of a list the engine keeps the address.
func recordOf(fc *graphql.FieldContext) model.Guarded {
	if fc == nil {
		return nil
	}
	switch r := fc.Result.(type) {
	case model.Guarded:
		return r
	case **model.Player:
		return *r
	case **model.Character:
		return *r
	case **model.GuildMember:
		return *r
	}
	return nil
}

func note(ctx context.Context, fc *graphql.FieldContext, record model.Guarded, rules []model.AccessRule) {
	for _, rule := range rules {
		if !record.Bars(rule) {
			continue
		}
		r := Restriction{Path: fc.Path(), Rule: strings.ToLower(string(rule))}
		if slices.Contains(viewer.AllScopes, r.Rule) {
			r.Scope = &r.Rule
		}
		if to, ok := graphql.GetOperationContext(ctx).Stats.GetExtension(restrictionsKey).(*restrictions); ok {
			to.mu.Lock()
			to.list = append(to.list, r)
			to.mu.Unlock()
		}
	}
}

// tell adds the restrictions to a response, in the order of their paths.
func (r *restrictions) tell(response *graphql.Response) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.list) == 0 {
		return
	}
	slices.SortFunc(r.list, func(a, b Restriction) int {
		return cmp.Or(slices.CompareFunc(a.Path, b.Path, compareSteps), strings.Compare(a.Rule, b.Rule))
	})
	if response.Extensions == nil {
		response.Extensions = map[string]any{}
	}
	if left := len(r.list) - maxRestrictions; left > 0 {
		r.list = r.list[:maxRestrictions]
		response.Extensions[leftOutExtension] = left
	}
	response.Extensions[restrictionsExtension] = r.list
}

func compareSteps(a, b ast.PathElement) int {
	x, isIndex := a.(ast.PathIndex)
	y, alsoIndex := b.(ast.PathIndex)
	if isIndex && alsoIndex {
		return cmp.Compare(x, y)
	}
	m, _ := a.(ast.PathName)
	n, _ := b.(ast.PathName)
	return cmp.Compare(m, n)
}
