package transform_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gamedata/graph/generated"
	"gamedata/rest"
	"gamedata/rest/transform"
)

// load returns the service's own operations.
func load() map[string]*rest.Operation {
	return rest.Load(generated.NewExecutableSchema(generated.Config{}).Schema())
}

// Random data of every operation is the same after Transform and Reverse.
func TestTransformThenReverse(t *testing.T) {
	for name, op := range load() {
		if name == "OnlinePlayers" {
			continue // its body has usernames or uuids, not both
		}
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) { transform.CheckRoundTrip(t, rt, op.Operation) })
		})
	}
}

// Reverse either rejects a file or returns valid JSON.
func FuzzReverse(f *testing.F) {
	ops := load()
	f.Add("ItemSets", `{"A":{"internalName":"a","bonuses":{"2":{"major":[],"minor":{"x":1}}},"parts":["p"]}}`)
	f.Add("ItemDatabase", `[{"displayName":"a","droppedBy":[{"name":"b","coords":[[1,2,3,4]]},{"name":"c",`+
		`"coords":false}]}]`)
	f.Add("AbilityMap", `{"1":[{"type":"connector","meta":{"page":1,"icon":"connector_up_down"}}]}`)
	f.Add("Player", `{"featuredStats":{"a":1,"b":"x"}}`)
	f.Add("ItemMetadata", `{"attackSpeed":{"fast":1}}`)
	f.Fuzz(func(t *testing.T, operation, body string) {
		op := ops[operation]
		if op == nil {
			return
		}
		data, err := op.Reverse([]byte(body), map[string]any{})
		if err == nil && !json.Valid(data) {
			t.Fatalf("%s reverses to invalid JSON: %s", body, data)
		}
	})
}

// recordedBody is a body with the request that it was the response to.
type recordedBody struct {
	name string
	op   *transform.Operation
	vars map[string]any
	body []byte
}

// leftOut are operations whose reversed data Transform does not read: requests choose the keys of their maps, and
// guilds write a field under two keys. The token endpoint has no operation.
var leftOut = map[string]bool{
	"OnlinePlayers": true, "Guilds": true, "Guild": true, "GuildByPrefix": true, "GuildByUUID": true, "": true,
}

// recordedBodies returns the bodies that Reverse can read, of the contract cases and of the folder RECORDINGS.
func recordedBodies(t testing.TB) (out []recordedBody) {
	t.Helper()
	ops := load()
	for _, c := range rest.Cases() {
		target, err := url.ParseRequestURI(c.Target)
		if err != nil || c.Want.Status != 200 || len(c.Want.Body) == 0 {
			continue
		}
		row, path, ok := rest.Lookup(target)
		if !ok || leftOut[row.Operation] || bytes.Contains(c.Want.Body, []byte("(depends on the clock)")) {
			continue
		}
		op := ops[row.Operation]
		if !transform.Reversible(op.Operation) {
			continue
		}
		vars, invalid := op.Bind(path, target.RawQuery, []byte(c.Body))
		if invalid != nil {
			t.Fatal(c.Name, invalid)
		}
		out = append(out, recordedBody{c.Name, op.Operation, vars, c.Want.Body})
	}
	folder := os.Getenv("RECORDINGS")
	if folder == "" {
		return out
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name, vars, err := rest.OperationForFile(filepath.Base(file))
		if err != nil {
			t.Fatal(err)
		}
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, recordedBody{filepath.Base(file), ops[name].Operation, vars, body})
	}
	return out
}

// A recorded body that is reversed and transformed again is equal as JSON, and its maps have
// their entries in the same order, which carries meaning in ability trees.
func TestRecordedBodiesRoundTrip(t *testing.T) {
	for _, r := range recordedBodies(t) {
		t.Run(r.name, func(t *testing.T) {
			op, vars, body := r.op, r.vars, r.body
			value, err := op.Reverse(body, vars)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			if _, err := op.Transform(&out, transform.DataOf(op, value), vars); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(transform.Decoded(t, body), transform.Decoded(t, out.Bytes())); d != "" {
				t.Error(d[:min(len(d), 2000)])
			}
			want, err := transform.EntryNames(op, body)
			if err != nil {
				t.Fatal(err)
			}
			got, err := transform.EntryNames(op, out.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			least := map[string]int{"AbilityTree": 90, "RecipeDatabase": 1000, "Aspects": 50, "ItemSets": 100}[op.Name]
			if strings.HasSuffix(r.name, ".json") && len(want) < least {
				t.Errorf("got %d map entries to compare, want at least %d", len(want), least)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("map entries are in another order: %s", d[:min(len(d), 2000)])
			}
		})
	}
}

// ReverseEach reads the same records as Reverse.
func TestReverseEachEqualsReverse(t *testing.T) {
	lists := map[string]bool{}
	equal := func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }
	for _, r := range recordedBodies(t) {
		op, vars, body := r.op, r.vars, r.body
		if !transform.HasRecords(op) {
			continue
		}
		whole, err := op.Reverse(body, vars)
		if err != nil {
			t.Fatal(err)
		}
		var page struct{ Nodes []json.RawMessage }
		var want []json.RawMessage
		if json.Unmarshal(whole, &want) != nil {
			if err := json.Unmarshal(whole, &page); err != nil {
				t.Fatal(err)
			}
			want = page.Nodes
		}
		var got []json.RawMessage
		err = op.ReverseEach(bytes.NewReader(body), vars, func(data json.RawMessage) error {
			var record []json.RawMessage
			err := json.Unmarshal(data, &record)
			got = append(got, record...)
			return err
		})
		if len(got) > 0 {
			lists[op.Name] = true
		}
		if err != nil || !slices.EqualFunc(want, got, equal) { // cmp needs seconds for large bodies
			d := cmp.Diff(want, got)
			t.Errorf("%s: %d records, %v: %s", r.name, len(got), err, d[:min(len(d), 2000)])
		}
	}
	if len(lists) < 5 {
		t.Errorf("only %v have bodies with records", lists)
	}
}

// A recorded body with a value that an enum lacks is rejected, unless the enum is open: a record with it could not be
// read.
func TestReverseRejectsUnknownValues(t *testing.T) {
	op := load()["ItemsByName"].Operation
	const body = `[{"displayName":"a","internalName":"a","type":"%s","icon":{"format":"skin","value":"x"},` +
		`"emblem":"square","requirements":{"level":1},"restriction":"%s"}]`
	for _, c := range []struct{ typ, restriction, want string }{
		{"weapon", "quest item", ""},
		{"gadget", "none", ""},
		{
			"weapon", "quest_item",
			`line 1, column 152 ($[0].restriction): want a value of ItemRestriction: none, quest item, untradable`,
		},
	} {
		_, err := op.Reverse(fmt.Appendf(nil, body, c.typ, c.restriction), nil)
		if c.want == "" && err != nil || c.want != "" && (err == nil || err.Error() != c.want) {
			t.Errorf("%s, %s: got error %v, want %q", c.typ, c.restriction, err, c.want)
		}
	}
	_, err := load()["RecipeDatabase"].Reverse([]byte(`[{"internalName":"a","type":"boots",`+
		`"skill":"tailoring","level":{"minimum":1,"maximum":3},"materials":[],"healthOrDamage":{},`+
		`"sprites":{"mud":{"format":"skin","value":"x"}},"xp":0}]`), nil)
	if err == nil || !strings.Contains(err.Error(), `sprites.mud): the key is not one of air, default`) {
		t.Errorf("an unknown key: got error %v", err)
	}
}
