package openapi

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"gamedata/internal/conformance"
	"gamedata/rest"
)

// bodyOf returns the body of a case with its schema.
func bodyOf(t *testing.T, k *conformance.Contract, c rest.Case) (any, *jsonschema.Schema) {
	t.Helper()
	schema, err := k.Body(c, c.Want.Status)
	if err != nil {
		t.Fatal(c.Name, err)
	}
	text := bytes.ReplaceAll(c.Want.Body, []byte(`"`+clock+`"`), []byte("null"))
	body, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(c.Name, err)
	}
	return body, schema
}

// The document describes every case's response with its headers. No body stays valid if one of its
// values is replaced or one of its objects has an unknown key.
func TestCasesAreDescribed(t *testing.T) {
	cases, k := rest.Cases(), conformance.ReadContract(build())
	if len(cases) < 300 {
		t.Fatal(len(cases))
	}
	valid, invalid := 0, 0
	for _, c := range cases {
		row, _, _ := c.Row()
		r, _ := k.Follow("paths", row.Path, strings.ToLower(row.Method), "responses", strconv.Itoa(c.Want.Status))
		if r == nil || c.Method != row.Method && c.Method != http.MethodHead && c.Want.Status != http.StatusMethodNotAllowed {
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
		body, schema := bodyOf(t, k, c)
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
	k := conformance.ReadContract(build())
	for _, c := range rest.Cases() {
		for _, path := range map[string][]string{
			"player": {"ranking", "lastJoin", "restrictions", "guild.rankStars", "globalData.pvp.kills"},
			"guild":  {"members.recruit", "members.total", "banner", "created"}, "items-by-name-order": {
				"0.displayName",
				"0.requirements.level",
			},
			"online": {"total", "players"}, "map-raids": {"0.rewards.0.always"}, "player-multiple": {"objects", "detail"},
		}[c.Name] {
			body, schema := bodyOf(t, k, c)
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
				t.Errorf("%s: %s is not required", c.Target, path)
			}
		}
	}
}
