package app_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"gamedata/internal/app/apptest"
	"gamedata/internal/jobs"
	"gamedata/mongo"
	"gamedata/mongo/conn"
)

// decompressed returns the contents of a file of testdata/previous, which its make.sh makes.
func decompressed(t *testing.T, name string) []byte {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata/previous", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := zstd.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A store of the previous version opens with all indexes, serves what that version served from it, and its account
// and leaderboards continue.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	svc := &testService{t: t, dir: t.TempDir(), startTime: apptest.Now, drained: make(chan struct{})}
	if err := os.WriteFile(filepath.Join(svc.dir, "gamedata.db"), decompressed(t, "gamedata.db.zst"), 0o600); err != nil {
		t.Fatal(err)
	}
	svc.startStore()
	var malformed []string
	svc.serve(mongo.Options{Options: conn.Options{OnMalformed: func(collection, id string) {
		malformed = append(malformed, collection+" "+id)
	}}})

	if problems, err := svc.store.Indexes.Problems(t.Context()); err != nil || len(problems) > 0 {
		t.Errorf("indexes: %v, %v", problems, err)
	}
	for line := range bytes.Lines(decompressed(t, "responses.ndjson.zst")) {
		var recorded struct {
			Path string
			Body any
		}
		if err := json.Unmarshal(line, &recorded); err != nil {
			t.Fatal(err)
		}
		res := svc.request("GET", recorded.Path, "")
		var got any
		if err := json.Unmarshal(res.Body, &got); err != nil {
			t.Fatalf("%s: %v", recorded.Path, err)
		}
		if d := cmp.Diff(sinceUpgrade(recorded.Body), sinceUpgrade(got)); d != "" {
			t.Errorf("%s: %d\n%s", recorded.Path, res.Status, d)
		}
	}
	if len(malformed) > 0 {
		t.Errorf("malformed records: %v", malformed)
	}

	// Records without a time of change are in every list but those of changes.
	res := svc.request("POST", "/graphql", `{"query":"{ old: player(by: {username: \"Salted\"}) { updatedAt } `+
		`changed: players(filter: {changedSince: \"1970-01-02T00:00:00Z\"}) { totalCount } }"}`)
	if want := `{"old":{"updatedAt":null},"changed":{"totalCount":0}}`; !strings.Contains(
		string(res.Body), want) {
		t.Errorf("times of change: %d %s", res.Status, res.Body)
	}
	token, err := os.ReadFile("testdata/previous/token.txt")
	if err != nil {
		t.Fatal(err)
	}
	res = svc.request("GET", "/v3/player/whoami", "", "Authorization", "Bearer "+strings.TrimSpace(string(token)))
	if res.Status != 200 || !strings.Contains(string(res.Body), `"Salted"`) {
		t.Errorf("whoami with a token of the previous version: %d %s", res.Status, res.Body)
	}
	if _, err := jobs.Ranks(t.Context(), svc.store, apptest.Now(), jobs.Options{Holder: "test"}); err != nil {
		t.Errorf("refreshing the leaderboards: %v", err)
	}
	if bad, err := svc.store.Export.Malformed(t.Context()); err != nil || len(bad) > 0 {
		t.Errorf("malformed records after the jobs: %v, %v", bad, err)
	}
}

// sinceUpgrade changes a recorded body, in place, as later versions corrected the contract: flags of articles were
// numbers and texts, and members of guilds named by their UUID lacked it as a field. Schedules depend on the clock.
func sinceUpgrade(body any) any {
	switch v := body.(type) {
	case map[string]any:
		delete(v, "schedule")
		for key, value := range v {
			switch number, isNumber := value.(float64); {
			case key == "banner_zoom" && isNumber:
				v[key] = number != 0
			case key == "discord_recap":
				v[key] = value != nil && value != false
			default:
				sinceUpgrade(value)
			}
			if member, ok := value.(map[string]any); ok && member["username"] != nil && member["weekly"] != nil {
				member["uuid"] = key
			}
		}
	case []any:
		for _, value := range v {
			sinceUpgrade(value)
		}
	}
	return body
}
