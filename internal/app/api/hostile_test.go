package api

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gamedata/graph/generated"
	"gamedata/internal/app/apptest"
	"gamedata/rest"
)

// hostile are invalid values: too long, not UTF-8, of another language.
var hostile = []string{
	"", "0", "1.5", "%2B7", "2147483648", strings.Repeat("9", 3000), "%00", "%ff", "%0d%0aX:1", "null", "$ne",
	"%7B%22%24gt%22%3A%22%22%7D", "a%26b", "%28%28%28", "..%2F..%2Fwhoami", strings.Repeat("%C3%A9", 500), "PLAYER", "%D9%A3",
}

var (
	inPath = regexp.MustCompile(`\{[^}]*\}`)
	named  = regexp.MustCompile(`\$(\w+): `)
)

// Every value in a path or a query parameter gets data or the documented error body, which does not repeat the value,
// and never a 500.
func TestHostileRequests(t *testing.T) {
	t.Parallel()
	p := apptest.Shared(t)
	ops := rest.Load(generated.NewExecutableSchema(generated.Config{}).Schema())
	for _, row := range rest.Rows {
		if ops[row.Operation] == nil {
			continue // the token endpoint, see TestTokenExchange
		}
		whole := rest.Prefix + inPath.ReplaceAllString(row.Path, "Salted")
		paths := []string{}
		for _, value := range hostile {
			if places := inPath.FindAllString(row.Path, -1); len(places) > 0 && value != "" {
				paths = append(paths, rest.Prefix+strings.ReplaceAll(inPath.ReplaceAllString(row.Path, "\x00"), "\x00", value))
				paths = append(paths, strings.Replace(whole, "Salted", value, 1))
			}
			for _, name := range named.FindAllStringSubmatch(ops[row.Operation].Document(), -1) {
				if name[1] == "filter" {
					continue // the body
				}
				paths = append(paths, whole+"?"+name[1]+"="+value, whole+"?"+name[1]+"=1&"+name[1]+"=1")
			}
			if strings.Contains(row.Path, "/guild/") ||
				row.Path == "/player" { // a parameter of the transform, not a variable of the document
				paths = append(paths, whole+"?identifier="+value)
			}
		}
		slices.Sort(paths)
		for _, path := range slices.Compact(paths) {
			r, err := http.NewRequestWithContext(t.Context(), row.Method, p.Base, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.URL.Opaque = path
			res := apptest.Do(t, r, nil)
			if !slices.Contains([]int{200, 300, 400, 401, 403, 404}, res.Status) || !json.Valid(res.Body) {
				t.Errorf("%s %.200s: got %d %.200s", row.Method, path, res.Status, res.Body)
			}
			if res.Status == 200 || res.Status == 300 {
				continue
			}
			e := apptest.Decode[map[string]any](t, res.Body)
			if e["code"] != float64(res.Status) || len(e) != 3 || len(res.Body) > 250 {
				t.Errorf("%s %.200s: got the error body %.300s", row.Method, path, res.Body)
			}
		}
	}
}
