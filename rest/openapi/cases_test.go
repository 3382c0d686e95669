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

// document is the parsed document with its compiled JSON Schemas.
type document struct {
	t        *testing.T
	doc      map[string]any
	compiler *jsonschema.Compiler
	schemas  map[string]*jsonschema.Schema
}

func read(t *testing.T) *document {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(build(t)))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("mem:///openapi.json", doc); err != nil {
		t.Fatal(err)
	}
	return &document{t, doc.(map[string]any), c, map[string]*jsonschema.Schema{}}
}

// follow resolves a path in the document, following references.
func (d *document) follow(steps ...string) (found map[string]any, at []string) {
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
func (d *document) schema(steps []string) *jsonschema.Schema {
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

// response is the description of a case's response, nil if there is none: other methods than the
// row's are described as 405 only.
func (d *document) response(c rest.Case) (described map[string]any, at []string) {
	row, _, ok := c.Row()
	if !ok || c.Method != row.Method && c.Method != http.MethodHead && c.Want.Status != http.StatusMethodNotAllowed {
		return nil, nil
	}
	return d.follow("paths", row.Path, strings.ToLower(row.Method), "responses", strconv.Itoa(c.Want.Status))
}

func (d *document) body(c rest.Case) any {
	text := bytes.ReplaceAll(c.Want.Body, []byte(`"`+clock+`"`), []byte("null"))
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		d.t.Fatal(c.Name, err)
	}
	return v
}

// The document describes every case's response with its headers. No body stays valid if one of its
// values is replaced or one of its objects has an unknown key.
func TestCasesAreDescribed(t *testing.T) {
	cases, err := rest.Cases()
	if err != nil || len(cases) < 300 {
		t.Fatal(len(cases), err)
	}
	d := read(t)
	valid, invalid := 0, 0
	for _, c := range cases {
		r, at := d.response(c)
		if r == nil {
			if c.Want.Status != http.StatusNoContent && c.Want.Status != http.StatusNotFound {
				t.Errorf("%s: status %d of %s %s is not described", c.Name, c.Want.Status, c.Method, c.Target)
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
		body := d.body(c)
		if err := schema.Validate(body); err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		valid++
		left := 40 // changes per body
		mutate(body, func() {
			invalid++
			if schema.Validate(body) == nil {
				t.Errorf("%s: a changed body is still valid", c.Name)
			}
			left--
		}, &left)
	}
	if valid < 300 || invalid < 5000 {
		t.Errorf("got %d bodies and %d changed ones, want at least 300 and 5000", valid, invalid)
	}
}

var unknown = map[string]any{"unknown": map[string]any{"unknown": []any{[]any{}}}}

// mutate changes one place after the other, calls check and restores it.
func mutate(v any, check func(), left *int) {
	try := func(child any, set func(any)) {
		if *left <= 0 {
			return
		}
		switch child.(type) {
		case map[string]any, []any:
			mutate(child, check, left)
		default:
			set(unknown)
			check()
			set(child)
		}
	}
	switch v := v.(type) {
	case map[string]any:
		v["unknown"] = unknown
		check()
		delete(v, "unknown")
		for name, child := range v {
			try(child, func(x any) { v[name] = x })
		}
	case []any:
		for i, child := range v {
			try(child, func(x any) { v[i] = x })
		}
	}
}

// Keys that strict clients need are required.
func TestRequiredKeys(t *testing.T) {
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
			body := d.body(c)
			steps := strings.Split(path, ".")
			last := len(steps) - 1
			inner := body
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
			delete(object, steps[last])
			if schema.Validate(body) == nil {
				t.Errorf("%s: %s is not required", row.Path, path)
			}
		}
	}
}
