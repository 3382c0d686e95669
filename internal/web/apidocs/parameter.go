package apidocs

import (
	"fmt"
	"html/template"
	"math"
	"net/url"
	"strings"

	"gamedata/rest"
	"gamedata/rest/openapi"
)

// parameterRow describes a parameter with its value in the example request.
type parameterRow struct {
	rest.Parameter
	Text  template.HTML
	Value string
	On    bool // whether the example request sends the flag
}

// Type names the type of the value.
func (p parameterRow) Type() string {
	switch {
	case p.Flag:
		return "flag"
	case len(p.Values) > 0:
		return "one of the values"
	case p.Lenient:
		return "integer"
	case p.Number && p.Max == math.MaxInt32:
		return fmt.Sprintf("integer, %d or more", p.Min)
	case p.Number:
		return fmt.Sprintf("integer, %d to %d", p.Min, p.Max)
	}
	return "string"
}

// parameterRows describes the parameters of a route, with their values in an example request.
func parameterRows(row rest.Row, op *rest.Operation, target string) []parameterRow {
	u, _ := url.ParseRequestURI(target)
	_, inPath, _ := rest.Lookup(u)
	sent := u.Query()
	var out []parameterRow
	for _, p := range row.Parameters(op) {
		r := parameterRow{
			Parameter: p, Text: inline(openapi.AboutParameter(p, op), nil), Value: sent.Get(p.Name), On: sent.Has(p.Name),
		}
		if p.InPath {
			r.Value = fmt.Sprint(inPath[p.Name])
		}
		if strings.Contains(r.Value, "{") {
			r.Value = ""
		}
		out = append(out, r)
	}
	return out
}
