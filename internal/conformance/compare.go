package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"gamedata/rest"
)

// compareExact compares the status, the headers and the whole body of a case.
func compareExact(c rest.Case, got *response) []string {
	if got.Status != c.Want.Status {
		return []string{fmt.Sprintf("status %d, want %d", got.Status, c.Want.Status)}
	}
	out := compareHeaders(c, got)
	if len(c.Want.Body) == 0 {
		return out
	}
	want, have := decode(c.Want.Body), decode(schedule.ReplaceAll(got.Body, schedulePlaceholder))
	if have == nil {
		return append(out, "the body is not JSON")
	}
	return append(out, diff("", want, have)...)
}

// schedule matches a member that depends on the time of the request; cases contain a placeholder instead.
var (
	schedule            = regexp.MustCompile(`"schedule": ?("[^"]*"|null)`)
	schedulePlaceholder = []byte(`"schedule": "(depends on the clock)"`)
)

// compareHeaders compares the headers with fixed values in the contract.
func compareHeaders(c rest.Case, got *response) (out []string) {
	for _, name := range slices.Sorted(maps.Keys(c.Want.Header)) {
		if want, have := c.Want.Header.Get(name), got.Header.Get(name); have != want {
			out = append(out, fmt.Sprintf("header %s: %q, want %q", name, have, want))
		}
	}
	return out
}

// compareCommon checks the headers that every response has.
func compareCommon(got *response) (out []string) {
	if v := got.Header.Get("Version"); !strings.HasPrefix(v, "v3") {
		out = append(out, fmt.Sprintf("header Version: %q, want one of major 3", v))
	}
	for _, name := range []string{"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"} {
		if n, err := strconv.Atoi(got.Header.Get(name)); err != nil || n < 0 {
			out = append(out, fmt.Sprintf("header %s: %q, want a number", name, got.Header.Get(name)))
		}
	}
	if !strings.HasPrefix(got.Header.Get("Cache-Control"), "max-age=") {
		out = append(out, fmt.Sprintf("header Cache-Control: %q, want max-age= first", got.Header.Get("Cache-Control")))
	}
	if kind := got.Header.Get("Content-Type"); len(got.Body) > 0 && kind != "application/json" {
		out = append(out, fmt.Sprintf("header Content-Type: %q, want application/json", kind))
	}
	return out
}

// decode decodes JSON, with numbers as written; nil if it is invalid.
func decode(text []byte) any {
	v, _ := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	return v
}

// maxDifferences bounds the reported differences of one body.
const maxDifferences = 10

// diff reports where two values differ. The order of keys does not matter.
func diff(at string, want, have any) (out []string) {
	switch want := want.(type) {
	case map[string]any:
		object, ok := have.(map[string]any)
		if !ok {
			return []string{fmt.Sprintf("%s: %s, want an object", place(at), short(have))}
		}
		keys := maps.Clone(want)
		maps.Copy(keys, object)
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			w, wanted := want[key]
			h, there := object[key]
			switch {
			case !there:
				out = append(out, fmt.Sprintf("%s: missing", place(at+"."+key)))
			case !wanted:
				out = append(out, fmt.Sprintf("%s: not in the contract", place(at+"."+key)))
			default:
				out = append(out, diff(at+"."+key, w, h)...)
			}
		}
	case []any:
		list, ok := have.([]any)
		if !ok || len(list) != len(want) {
			return []string{fmt.Sprintf("%s: %s, want a list of %d", place(at), short(have), len(want))}
		}
		for i := range want {
			out = append(out, diff(at+"."+strconv.Itoa(i), want[i], list[i])...)
		}
	default:
		if want != have {
			return []string{fmt.Sprintf("%s: %s, want %s", place(at), short(have), short(want))}
		}
	}
	if len(out) > maxDifferences {
		out = append(out[:maxDifferences], "…")
	}
	return out
}

func place(at string) string { return "body" + at }

// short returns the beginning of a value.
func short(v any) string {
	text, _ := json.Marshal(v)
	if len(text) > 60 {
		return string(text[:60]) + "…"
	}
	return string(text)
}
