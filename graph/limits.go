package graph

import (
	"fmt"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// Limits limits one query document. Every number counts the whole document, and each fragment wherever it is spread.
type Limits struct {
	// Tokens of the text, including punctuation and comments.
	Tokens int
	// Selections in one selection set.
	Selections int
	// Fields in total.
	Fields int
	// Depth of nested fields outside __schema and __type.
	Depth int
	// IntrospectionDepth of nested fields below __schema and __type: tools unfold wrapped types about ten levels deep.
	IntrospectionDepth int
	// Aliases: fields with an alias.
	Aliases int
	// AliasLength in letters. An alias is repeated for each entry of a list, and in the path of each error.
	AliasLength int
	// Cost of one operation: the estimated number of fields in its response, counted once per entry of a list.
	Cost int
	// ListSize is the assumed length of a list if neither arguments nor schema give it.
	ListSize int
	// PageSize is the default number of entries on a page.
	PageSize int
	// UnitFields is the number of response fields that one unit of a rate limit pays for.
	UnitFields int
}

// DefaultLimits returns the limits that apply without settings.
func DefaultLimits() Limits {
	return Limits{
		Tokens:             1000,
		Selections:         200,
		Fields:             500,
		Depth:              12,
		IntrospectionDepth: 20,
		Aliases:            30,
		AliasLength:        128,
		Cost:               750_000,
		ListSize:           20,
		PageSize:           20,
		UnitFields:         15_000,
	}
}

// size measures a selection set with its fragments expanded.
type size struct {
	fields, aliases           int
	depth, introspectionDepth int
}

// measurer walks a parsed document before validation. It visits each fragment once.
type measurer struct {
	limits Limits
	doc    *ast.QueryDocument
	known  map[string]size // of fragments
	open   map[string]bool
	// nodes counts selections, arguments, values and directives in the text.
	nodes int
	text  []rune // nil until needed
}

// checkSize rejects a document that is too large to validate, and returns its weight in nodes. It
// also rejects fragments that spread themselves, which cannot be measured.
func checkSize(doc *ast.QueryDocument, limits Limits) (nodes int, err *gqlerror.Error) {
	m := &measurer{limits: limits, doc: doc, known: map[string]size{}, open: map[string]bool{}}
	for _, f := range doc.Fragments {
		if len(f.VariableDefinition) > 0 {
			return 0, documentError(ParseFailed, f.Position, "A fragment cannot declare variables.")
		}
		if err := m.directives(f.Directives, f.Position); err != nil {
			return 0, err
		}
	}
	var total size
	for _, op := range doc.Operations {
		m.nodes++
		if err := m.directives(op.Directives, op.Position); err != nil {
			return 0, err
		}
		for _, v := range op.VariableDefinitions {
			m.nodes++
			if err := m.value(v.DefaultValue); err != nil {
				return 0, err
			}
			if err := m.directives(v.Directives, v.Position); err != nil {
				return 0, err
			}
		}
		s, err := m.set(op.SelectionSet, op.Position)
		if err != nil {
			return 0, err
		}
		total.add(s)
		if err := limits.check(total, op.Position); err != nil {
			return 0, err
		}
	}
	return m.nodes, nil
}

func (m *measurer) set(set ast.SelectionSet, at *ast.Position) (size, *gqlerror.Error) {
	var total size
	if n := len(set); n > m.limits.Selections {
		return total, limitError(at, "selections", n, m.limits.Selections,
			"A selection set has %d selections, at most %d are allowed.")
	}
	m.nodes += len(set)
	for _, selection := range set {
		s, err := m.selection(selection)
		if err != nil {
			return total, err
		}
		total.add(s)
	}
	return total, nil
}

func (m *measurer) selection(selection ast.Selection) (size, *gqlerror.Error) {
	at := selection.GetPosition()
	if err := m.directives(directivesOf(selection), at); err != nil {
		return size{}, err
	}
	switch s := selection.(type) {
	case *ast.Field:
		return m.field(s)
	case *ast.InlineFragment:
		return m.set(s.SelectionSet, at)
	case *ast.FragmentSpread:
		return m.spread(s)
	}
	return size{}, nil
}

// maxDirectives is the maximum number of directives on one element. The schema has fewer, and none is repeatable.
// Validation would report each repetition; this limit gives a document full of directives one error instead.
const maxDirectives = 4

func (m *measurer) directives(list ast.DirectiveList, at *ast.Position) *gqlerror.Error {
	if n := len(list); n > maxDirectives {
		return limitError(at, "directives", n, maxDirectives,
			"One element has %d directives, at most %d are allowed.")
	}
	for _, d := range list {
		m.nodes++
		if err := m.arguments(d.Arguments); err != nil {
			return err
		}
	}
	return nil
}

func (m *measurer) arguments(list ast.ArgumentList) *gqlerror.Error {
	for _, arg := range list {
		m.nodes++
		if err := m.value(arg.Value); err != nil {
			return err
		}
	}
	return nil
}

func (m *measurer) field(f *ast.Field) (size, *gqlerror.Error) {
	if err := m.arguments(f.Arguments); err != nil {
		return size{}, err
	}
	s, err := m.set(f.SelectionSet, f.Position)
	s.fields++
	if f.Alias != f.Name {
		s.aliases++
		if n := len(f.Alias); n > m.limits.AliasLength && err == nil {
			err = limitError(f.Position, "aliasLength", n, m.limits.AliasLength,
				"An alias has %d letters, at most %d are allowed.")
		}
	}
	if f.Name == "__schema" || f.Name == "__type" {
		s.introspectionDepth = max(s.introspectionDepth, s.depth)
		s.depth = 0
	}
	s.depth++
	return s, err
}

// spread measures a fragment once. An unknown fragment has no size; validation reports it.
func (m *measurer) spread(f *ast.FragmentSpread) (size, *gqlerror.Error) {
	if s, ok := m.known[f.Name]; ok {
		return s, nil
	}
	def := m.doc.Fragments.ForName(f.Name)
	if def == nil {
		return size{}, nil
	}
	if m.open[f.Name] {
		return size{}, documentError(ValidationFailed, f.Position,
			fmt.Sprintf("The fragment %q spreads itself.", shorten(f.Name)))
	}
	m.open[f.Name] = true
	s, err := m.set(def.SelectionSet, def.Position)
	delete(m.open, f.Name)
	m.known[f.Name] = s
	return s, err
}

// add adds s to total. Fragments that spread others repeatedly grow exponentially, so sums stop at maxSize.
func (total *size) add(s size) {
	total.fields = min(total.fields+s.fields, maxSize)
	total.aliases = min(total.aliases+s.aliases, maxSize)
	total.depth = max(total.depth, s.depth)
	total.introspectionDepth = max(total.introspectionDepth, s.introspectionDepth)
}

const maxSize = 1 << 30

func (l Limits) check(s size, at *ast.Position) *gqlerror.Error {
	switch {
	case s.fields > l.Fields:
		return limitError(at, "fields", s.fields, l.Fields,
			"The query selects %d fields with its fragments expanded, at most %d are allowed.")
	case s.aliases > l.Aliases:
		return limitError(at, "aliases", s.aliases, l.Aliases,
			"The query has %d aliases with its fragments expanded, at most %d are allowed.")
	case s.depth > l.Depth:
		return limitError(at, "depth", s.depth, l.Depth, "The query nests %d levels deep, at most %d are allowed.")
	case s.introspectionDepth > l.IntrospectionDepth:
		return limitError(at, "introspectionDepth", s.introspectionDepth, l.IntrospectionDepth,
			"The introspection nests %d levels deep, at most %d under __schema and __type are allowed.")
	}
	return nil
}

// value counts the nodes of a literal. It rejects numbers that no type can hold, and invalid strings.
func (m *measurer) value(v *ast.Value) *gqlerror.Error {
	if v == nil {
		return nil
	}
	m.nodes++
	if v.Kind == ast.IntValue || v.Kind == ast.FloatValue {
		if _, err := v.Value(nil); err != nil {
			return documentError(ValidationFailed, v.Position, "The number is out of range.")
		}
	}
	if m.hasLoneSurrogate(v) {
		return documentError(ParseFailed, v.Position, "The text has half of a surrogate pair.")
	}
	for _, child := range v.Children {
		if err := m.value(child.Value); err != nil {
			return err
		}
	}
	return nil
}

// limitError returns the error for an exceeded limit. Its extensions contain the limit's name and both numbers. The
// format takes the requested and the allowed number.
func limitError(at *ast.Position, limit string, requested, allowed int, format string) *gqlerror.Error {
	err := documentError(LimitExceeded, at, fmt.Sprintf(format, requested, allowed))
	err.Extensions["limit"], err.Extensions["requested"], err.Extensions["allowed"] = limit, requested, allowed
	return err
}

// documentError returns an error about a document, with a location if at is not nil.
func documentError(code Code, at *ast.Position, message string) *gqlerror.Error {
	err := &gqlerror.Error{Message: message, Extensions: map[string]any{"code": string(code)}}
	if at != nil {
		err.Locations = []gqlerror.Location{{Line: at.Line, Column: at.Column}}
	}
	return err
}
