package openapi

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"gamedata/rest"
)

// told is the document as somebody reads it who knows JSON Schema alone.
type told struct {
	t        *testing.T
	doc      map[string]any
	compiler *jsonschema.Compiler
	schemas  map[string]*jsonschema.Schema
}

func read(t *testing.T) *told {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(build(t)))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("mem:///openapi.json", doc); err != nil {
		t.Fatal(err)
	}
	return &told{t, doc.(map[string]any), c, map[string]*jsonschema.Schema{}}
}

// follow goes down a path of the document; references are followed.
func (d *told) follow(steps ...string) (found map[string]any, at []string) {
	found, at = d.doc, nil
	for _, step := range steps {
		next, ok := found[step].(map[string]any)
		if !ok {
			return nil, nil
		}
		at = append(at, step)
		if to, ok := next["$ref"].(string); ok && len(next) == 1 {
			next, at = d.follow(strings.Split(to, "/")[1:]...)
		}
		found = next
	}
	return found, at
}

// schema is the compiled schema at a path.
func (d *told) schema(steps []string) *jsonschema.Schema {
	d.t.Helper()
	escape := strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D")
	where := "mem:///openapi.json#"
	for _, step := range steps {
		where += "/" + escape.Replace(step)
	}
	if d.schemas[where] == nil {
		compiled, err := d.compiler.Compile(where)
		if err != nil {
			d.t.Fatal(err)
		}
		d.schemas[where] = compiled
	}
	return d.schemas[where]
}

// response is what the document says of a case: of another method than the row's nothing is said
// but that it is refused. It is nil where nothing is said.
func (d *told) response(c rest.Case) (described map[string]any, at []string) {
	row, _, ok := c.Row()
	if !ok || c.Method != row.Method && c.Method != http.MethodHead && c.Want.Status != http.StatusMethodNotAllowed {
		return nil, nil
	}
	return d.follow("paths", row.Path, strings.ToLower(row.Method), "responses", strconv.Itoa(c.Want.Status))
}

func (d *told) answer(c rest.Case) any {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(bytes.ReplaceAll(c.Want.Body, []byte(`"`+clock+`"`), []byte("null"))))
	if err != nil {
		d.t.Fatal(c.Name, err)
	}
	return v
}

// Every golden answer is what the document says of its status, headers and all; and no answer
// stays valid when any of its values is another thing, or any of its objects has a strange key.
func TestGoldens(t *testing.T) {
	cases, err := rest.Cases()
	if err != nil || len(cases) < 300 {
		t.Fatal(len(cases), err)
	}
	d := read(t)
	valid, spoilt := 0, 0
	for _, c := range cases {
		r, at := d.response(c)
		if r == nil {
			if c.Want.Status != http.StatusNoContent && c.Want.Status != http.StatusNotFound {
				t.Errorf("%s: %d of %s %s is not described", c.Name, c.Want.Status, c.Method, c.Target)
			}
			continue
		}
		described := map[string]bool{"content-type": true, "content-encoding": true}
		for name := range r["headers"].(map[string]any) {
			described[strings.ToLower(name)] = true
		}
		for name := range c.Want.Header {
			if !described[strings.ToLower(name)] {
				t.Errorf("%s: the header %s is not described", c.Name, name)
			}
		}
		if len(c.Want.Body) == 0 {
			continue
		}
		schema := d.schema(append(at, "content", "application/json", "schema"))
		answer := d.answer(c)
		if err := schema.Validate(answer); err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		valid++
		left := 40 // of each answer so many places are spoilt
		spoil(answer, func() {
			if spoilt++; schema.Validate(answer) == nil {
				t.Errorf("%s: a spoilt answer is valid", c.Name)
			}
			left--
		}, &left)
	}
	if valid < 300 || spoilt < 5000 {
		t.Errorf("%d answers were looked at, %d spoilt ones", valid, spoilt)
	}
}

var strange = map[string]any{"strange": map[string]any{"strange": []any{[]any{}}}}

// spoil puts something strange into one place after the other, and takes it back.
func spoil(v any, look func(), left *int) {
	try := func(child any, set func(any)) {
		if *left <= 0 {
			return
		}
		switch child.(type) {
		case map[string]any, []any:
			spoil(child, look, left)
		default:
			set(strange)
			look()
			set(child)
		}
	}
	switch v := v.(type) {
	case map[string]any:
		v["strange"] = strange
		look()
		delete(v, "strange")
		for name, child := range v {
			try(child, func(x any) { v[name] = x })
		}
	case []any:
		for i, child := range v {
			try(child, func(x any) { v[i] = x })
		}
	}
}

// Keys that strict clients want may not be missing (WIRE §4.9, §6.3).
func TestWantedKeys(t *testing.T) {
	cases, err := rest.Cases()
	if err != nil {
		t.Fatal(err)
	}
	d := read(t)
	for _, c := range cases {
		row, _, _ := c.Row()
		for _, path := range map[string][]string{
			"player": {"ranking", "lastJoin", "restrictions", "guild.rankStars", "globalData.pvp.kills"},
			"guild":  {"members.recruit", "members.total", "banner", "created"}, "items-by-name-order": {
				"0.displayName",
				"0.requirements.level",
			},
			"online": {"total", "players"}, "map-raids": {"0.rewards.0.always"}, "player-multiple": {"objects", "detail"},
		}[c.Name] {
			_, at := d.response(c)
			schema := d.schema(append(at, "content", "application/json", "schema"))
			answer := d.answer(c)
			steps := strings.Split(path, ".")
			last := len(steps) - 1
			inner := answer
			for _, step := range steps[:last] {
				if list, ok := inner.([]any); ok {
					n, _ := strconv.Atoi(step)
					inner = list[n]
				} else {
					inner = inner.(map[string]any)[step]
				}
			}
			object := inner.(map[string]any)
			if _, ok := object[steps[last]]; !ok {
				t.Fatalf("%s has no %s", c.Name, path)
			}
			if delete(object, steps[last]); schema.Validate(answer) == nil {
				t.Errorf("%s: %s may be missing", row.Path, path)
			}
		}
	}
}
