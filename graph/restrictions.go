package graph

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/graph/model"
)

// Restriction reports which access rule hides a field of a response. It does not reveal the player's setting of the
// rule.
type Restriction struct {
	// Path is the field's path in the response.
	Path ast.Path `json:"path"`
	// Rule is the access rule, spelled like the scopes: main_access.
	Rule string `json:"rule"`
	// Scope lifts the rule for an application of the player's owner; nil if no scope does.
	Scope *string `json:"scope"`
}

// maxRestrictions is the maximum number of restrictions that a response lists.
const maxRestrictions = 100

// The names in the extensions of a response.
const (
	restrictionsExtension = "restrictions"
	leftOutExtension      = "restrictionsLeftOut" // the number of unlisted restrictions

	errorsLeftOutExtension = "errorsLeftOut"
)

// Restrictions returns the restrictions that the response lists.
func (r Response) Restrictions() []Restriction {
	if r.Response == nil {
		return nil
	}
	list, _ := r.Extensions[restrictionsExtension].([]Restriction)
	return list
}

// readRules reads @guarded of a field.
func readRules(field *ast.FieldDefinition) (rules []model.AccessRule) {
	d := field.Directives.ForName("guarded")
	if d == nil {
		return nil
	}
	for _, value := range d.Arguments.ForName("by").Value.Children {
		var rule model.AccessRule
		_ = rule.UnmarshalGQL(value.Value.Raw) // a value of the enum
		rules = append(rules, rule)
	}
	return rules
}

// restrictions collects the restrictions of one operation. Fields resolve concurrently.
type restrictions struct {
	mu   sync.Mutex
	list []Restriction
}

// record records which of the access rules of a field hide it from the viewer.
func (r *restrictions) record(fc *graphql.FieldContext, rules []model.AccessRule) {
	if rules == nil {
		return
	}
	record := guardedRecord(fc.Parent)
	if record == nil {
		return
	}
	for _, rule := range rules {
		if record.Restricted(rule) {
			r.add(fc.Path(), rule)
		}
	}
}

// guardedRecord returns the record whose fields are being resolved, or nil if no access rules apply to it. For an
// element of a list gqlgen keeps the address of the pointer.
func guardedRecord(fc *graphql.FieldContext) model.Guarded {
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

func (r *restrictions) add(path ast.Path, rule model.AccessRule) {
	info := rule.Info()
	one := Restriction{Path: path, Rule: info.Name}
	if info.Scoped {
		one.Scope = &info.Name
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = append(r.list, one)
}

// addTo lists the restrictions in a response, ordered by path.
func (r *restrictions) addTo(response *graphql.Response) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.list) == 0 {
		return
	}
	slices.SortFunc(r.list, func(a, b Restriction) int {
		return cmp.Or(slices.CompareFunc(a.Path, b.Path, comparePathElements), strings.Compare(a.Rule, b.Rule))
	})
	if left := len(r.list) - maxRestrictions; left > 0 {
		r.list = r.list[:maxRestrictions]
		setExtension(response, leftOutExtension, left)
	}
	setExtension(response, restrictionsExtension, r.list)
}

func setExtension(response *graphql.Response, name string, value any) {
	if response.Extensions == nil {
		response.Extensions = map[string]any{}
	}
	response.Extensions[name] = value
}

func comparePathElements(a, b ast.PathElement) int {
	x, isIndex := a.(ast.PathIndex)
	y, alsoIndex := b.(ast.PathIndex)
	if isIndex && alsoIndex {
		return cmp.Compare(x, y)
	}
	m, _ := a.(ast.PathName)
	n, _ := b.(ast.PathName)
	return cmp.Compare(m, n)
}
