package apidocs

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gamedata/graph/generated"
	"gamedata/rest"
)

// Every value of every golden response is in the field map of its endpoint.
func TestFieldMapCoversGoldens(t *testing.T) {
	ops := rest.Load(generated.NewExecutableSchema(generated.Config{}).Schema())
	values := 0
	for _, c := range rest.Cases() {
		row, _, ok := c.Row()
		op := ops[row.Operation]
		if !ok || op == nil || c.Want.Status != 200 || len(c.Want.Body) == 0 {
			continue
		}
		vars, bad := op.Bind(map[string]any{}, c.Query(), nil)
		if bad != nil {
			t.Fatal(bad)
		}
		known := map[string]bool{}
		for _, f := range fieldMap(op.Plan(), vars) {
			known[f.Key] = true
		}
		var body any
		if err := json.Unmarshal(c.Want.Body, &body); err != nil {
			t.Fatal(err)
		}
		leaves(body, []string{""}, known, func(at []string) {
			values++
			for _, key := range at {
				if known[key] {
					return
				}
			}
			t.Errorf("%s: got no entry for %q in the field map", c.Name, at)
		})
	}
	if values < 10000 {
		t.Errorf("got %d values in all cases, want at least 10,000", values)
	}
}

// leaves calls found with the possible places of every scalar in the map: a key that names an entry
// is in braces there.
func leaves(v any, at []string, known map[string]bool, found func([]string)) {
	switch v := v.(type) {
	case map[string]any:
		for name, child := range v {
			leaves(child, below(at, known, name), known, found)
		}
	case []any:
		for i, child := range v {
			next := at // a list of scalars is one value of the map
			switch child.(type) {
			case map[string]any, []any:
				next = nil
			}
			for _, key := range at {
				next = append(slices.Clip(next), key+"[]", key+"["+strconv.Itoa(i)+"]")
			}
			leaves(child, next, known, found)
		}
	default:
		found(at)
	}
}

func below(at []string, known map[string]bool, name string) []string {
	var next []string
	for _, key := range at {
		begin := key + "."
		if key == "" {
			begin = ""
		}
		next = append(next, begin+name)
		for k := range known {
			if rest, ok := strings.CutPrefix(k, begin+"{"); ok {
				variable, _, _ := strings.Cut(rest, "}")
				if named := begin + "{" + variable + "}"; !slices.Contains(next, named) {
					next = append(next, named)
				}
			}
		}
	}
	return next
}
