package site

import (
	"cmp"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/graph/model"
	"gamedata/internal/web"
)

type option struct {
	Value, Text string
	Selected    bool
}

// Value returns the value of a parameter, empty if it is missing.
func (c *renderContext) Value(parameter string) string { return c.query.Get(parameter) }

// Options returns the possible values of a parameter, from the enum in the schema.
func (c *renderContext) Options(parameter string) []option {
	def := c.page.op.Def.VariableDefinitions.ForName(parameter)
	if def == nil {
		return nil
	}
	chosen := c.query[parameter]
	if len(chosen) == 0 && def.DefaultValue != nil {
		chosen = []string{def.DefaultValue.Raw}
	}
	var out []option
	for _, v := range def.Definition.EnumValues {
		if v.Name != "OTHER" {
			out = append(out, option{v.Name, web.Label(v.Name), slices.Contains(chosen, v.Name)})
		}
	}
	return out
}

// Link returns the path of the page with changed parameters. changes alternates names and values; an empty value
// removes the parameter. Any change except to the place in the list returns to its beginning.
func (c *renderContext) Link(changes ...string) string {
	query := url.Values{}
	for name, values := range c.query {
		if len(changes) == 0 || name != afterParameter && name != beforeParameter {
			query[name] = values
		}
	}
	for i := 0; i+1 < len(changes); i += 2 {
		query.Del(changes[i])
		if changes[i+1] != "" {
			query.Set(changes[i], changes[i+1])
		}
	}
	path := fill(c.page.path, c.variables)
	if len(query) > 0 {
		path += "?" + strings.ReplaceAll(query.Encode(), "+", "%20") // HTML escapes a plus sign
	}
	return path
}

// column is a column of a table that the list can be sorted by.
type column struct {
	Title, Key string
	Path       string // of the list in the column's opposite order, empty if it cannot have it
	Sorted     string // ascending, descending or empty, as in aria-sort
	Number     bool   // whether the values are numbers
}

// orderedWords are the orders by values shown as words.
var orderedWords = []string{"TIER", "TREASURY", "DEFENCES", "GUILD", "SINCE", "JOINED_AT", "LAST_JOINED_AT", "ONLINE"}

// Column returns a column whose link sorts by it; sort alternates parameters and values. The first click sorts names
// and ranks ascending, all else descending.
func (c *renderContext) Column(title string, sort ...string) column {
	name := strings.HasSuffix(sort[1], "NAME") || sort[1] == "RANK"
	out := column{Title: title, Key: sort[1], Number: !name && !slices.Contains(orderedWords, sort[1])}
	sorted := true
	for i := 0; i+1 < len(sort); i += 2 {
		sorted = sorted && c.Value(sort[i]) == sort[i+1]
	}
	descending := c.Value("direction") == "DESC"
	switch {
	case sorted && descending:
		out.Sorted = "descending"
	case sorted:
		out.Sorted = "ascending"
	}
	direction := ""
	if sorted && !descending || !sorted && !name {
		direction = "DESC"
	}
	if !slices.Contains(c.unsortable, out.Key) {
		out.Path = c.Link(slices.Concat(sort, []string{"direction", direction})...)
	}
	return out
}

// filterNames maps parameters to their labels in forms, where these differ.
var filterNames = map[string]string{"max": "Level to", "min": "Level from", "query": "Name", "skill": "Profession"}

// ActiveFilters returns the filters in use, except some parameters, each with a link that removes the filter.
func (c *renderContext) ActiveFilters(except ...string) []link {
	var out []link
	for _, name := range c.page.parameters() {
		if slices.Contains(except, name) || name == afterParameter || name == beforeParameter {
			continue
		}
		for _, value := range c.query[name] {
			rest := slices.DeleteFunc(slices.Clone(c.query[name]), func(v string) bool { return v == value })
			text := value
			def := c.page.op.Def.VariableDefinitions.ForName(name)
			if name == identificationParameter && !strings.ContainsAny(value, "<=>≤≥") ||
				def != nil && len(def.Definition.EnumValues) > 0 {
				text = web.Label(value)
			}
			out = append(out, link{Path: c.linkWith(name, rest), Text: text, Note: cmp.Or(filterNames[name], web.Label(name))})
		}
	}
	return out
}

// linkWith returns the path of the page with other values of a parameter, at the beginning of the list.
func (c *renderContext) linkWith(parameter string, values []string) string {
	changed := *c
	changed.query = maps.Clone(c.query)
	changed.query.Del(parameter)
	if len(values) > 0 {
		changed.query[parameter] = values
	}
	return changed.Link(afterParameter, "")
}

// Filtered reports whether the page has parameters besides the place in a list.
func (c *renderContext) Filtered() bool {
	for name := range c.query {
		if name != afterParameter && name != beforeParameter {
			return true
		}
	}
	return false
}

// pager links to the previous and the next page of a list; a path is empty if the page does not exist.
type pager struct{ Previous, Next string }

// Pages returns the links to the previous and the next page of a list.
func (c *renderContext) Pages(p model.PageInfo) pager {
	var out pager
	if p.HasPreviousPage && p.StartCursor != nil {
		out.Previous = c.Link(aroundParameter, "", beforeParameter, *p.StartCursor)
	}
	if p.HasNextPage && p.EndCursor != nil {
		out.Next = c.Link(aroundParameter, "", afterParameter, *p.EndCursor)
	}
	return out
}

// choice is a form field with the values of an enum.
type choice struct {
	Name, Label, Any string
	Options          []option
}

// Choice returns the form field of a parameter, with a label and the text for no choice.
func (c *renderContext) Choice(parameter, label, any string) choice {
	return choice{parameter, label, any, c.Options(parameter)}
}

// optional reports whether the page has an optional parameter.
func (p *page) optional() bool {
	return slices.ContainsFunc(p.op.Def.VariableDefinitions, func(v *ast.VariableDefinition) bool {
		return !v.Type.NonNull || v.DefaultValue != nil
	})
}

// CSVText is the text of the link to the page's list as CSV, a file with a maximum number of entries.
func (c *renderContext) CSVText(total int64) string {
	if most := int64(c.page.list.size); total > most {
		return "CSV of the first " + web.Number(most)
	}
	return "CSV of the list"
}

var notInNames = regexp.MustCompile("[^A-Za-z0-9]+")

// CSV returns the path that exports the page's list as CSV, from its beginning. The file is named after the operation,
// whose name is built from the page's path and choices.
func (c *renderContext) CSV() string {
	variables := maps.Clone(c.variables)
	variables[firstVariable], variables[lastVariable] = c.page.list.size, nil
	if c.page.op.Def.VariableDefinitions.ForName(aroundParameter) != nil {
		variables[aroundParameter] = nil
	}
	delete(variables, afterParameter)
	delete(variables, beforeParameter)
	link := c.Link(afterParameter, "", beforeParameter, "", formatParameter, "")
	name := strings.Trim(notInNames.ReplaceAllString(link, "_"), "_")
	document := strings.Replace(c.page.op.Document, "query "+c.page.op.Name, "query "+name, 1)
	return web.CSVLink(document, c.page.list.path, variables)
}
