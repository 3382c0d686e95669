package apidocs

import (
	"fmt"
	"html/template"
	"net/url"
	"strings"

	"gamedata/rest"
)

type parameterRow struct {
	Name, In, Type string
	Flag           bool
	Text           template.HTML
	Values         []string
	Default        string
	// Value is that of the example request.
	Value string
	// On says that the example request sends the flag.
	On bool
}

// parameterRows describes the parameters, with their values in an example request.
func parameterRows(parameters []specParameter, target string) ([]parameterRow, error) {
	u, err := url.ParseRequestURI(target)
	if err != nil {
		return nil, err
	}
	_, inPath, _ := rest.Lookup(u)
	sent := u.Query()
	var out []parameterRow
	for _, p := range parameters {
		r := parameterRow{
			Name: p.Name, In: p.In, Flag: p.AllowEmptyValue, Type: "string", Value: sent.Get(p.Name), On: sent.Has(p.Name),
		}
		about := p.Description
		if p.In == "path" {
			r.Value = fmt.Sprint(inPath[p.Name])
		}
		if strings.Contains(r.Value, "{") {
			r.Value = ""
		}
		switch s := p.Schema; {
		case r.Flag:
			r.Type, about = "flag", strings.TrimSuffix(about, "A flag: send it without a value.")
		case s.Type == "integer" && s.Minimum != "":
			r.Type = "integer, " + string(s.Minimum) + " to " + string(s.Maximum)
			if n, err := s.Maximum.Int64(); err == nil && n == 1<<31-1 {
				r.Type = "integer, " + string(s.Minimum) + " or more"
			}
		case s.Type == "integer":
			r.Type = "integer"
		}
		if p.Schema.Default != nil {
			r.Default = fmt.Sprint(p.Schema.Default)
		}
		if !r.Flag {
			for _, v := range p.Schema.Enum {
				r.Values = append(r.Values, fmt.Sprint(v))
			}
		}
		if len(r.Values) > 0 {
			r.Type = "one of the values"
		}
		r.Text = inline(strings.TrimSpace(about), nil)
		out = append(out, r)
	}
	return out, nil
}
