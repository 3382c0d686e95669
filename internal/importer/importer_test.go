package importer_test

import (
	"encoding/json"
	"strings"
	"testing"

	"gamedata/graph/model"
	"gamedata/internal/importer"
	"gamedata/mongo/mongotest"
)

// checkRejected reads data that must be rejected with an error that contains want.
func checkRejected(t *testing.T, field, data, want string) {
	t.Helper()
	if _, err := importer.Read(field, json.RawMessage(data), nil); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got error %v, want one that says %q", err, want)
	}
}

func TestReadRejects(t *testing.T) {
	for name, c := range map[string]struct{ field, data, want string }{
		"summaries":         {"classes", `[]`, "/v3/classes/{class_name}"},
		"presence":          {"onlinePlayers", `{}`, "at the time"},
		"duplicate key":     {"guildSeasons", `{"nodes":[{"number":1},{"number":1}]}`, "entry 2"},
		"empty key":         {"worldEvents", `{"nodes":[{"internalName":""}]}`, "entry 1"},
		"null entry":        {"worldEvents", `{"nodes":[null]}`, "entry 1"},
		"no class":          {"aspects", `{}`, "tree="},
		"no class of a map": {"abilityMap", `[]`, "tree="},
		"two numbers":       {"itemMetadata", `{"static":[{"key":"a","number":1},{"key":"a","number":2}]}`, "two numbers"},
		"shared number":     {"itemMetadata", `{"static":[{"key":"a","number":1},{"key":"b","number":1}]}`, "share"},
		"not a uuid":        {"player", `{"uuid":"Salted","restrictions":[]}`, "uuid"},
		"finer than milliseconds": {
			"player", `{"uuid":"` + mongotest.UUID(1) + `","restrictions":[],"lastJoinedAt":"2026-03-19T23:45:48.667123Z"}`,
			"millisecond",
		},
		"whose character":  {"player", `{"character":{}}`, "--var username="},
		"characters alone": {"player", `{"characters":{"nodes":[{"uuid":"x"}]}}`, "?fullResult"},
		"heads alone":      {"articles", `{}`, "/v3/publisher/articles/fetch"},
		"hits alone":       {"search", `{}`, "search hits"},
		"finer article":    {"article", `{"number":1,"publishedAt":"2026-03-19T23:45:48.667123Z"}`, "published_at is finer"},
		"no position":      {"videos", `{"nodes":[{"position":0,"uri":"https://videos.example/0"}]}`, "position 0"},
	} {
		t.Run(name, func(t *testing.T) { checkRejected(t, c.field, c.data, c.want) })
	}
}

// Fields that an access rule hid in a recording keep their stored values.
func TestImportKeepsHiddenFields(t *testing.T) {
	store, _ := mongotest.Open(t)
	ctx := t.Context()
	hours := 7.5
	mongotest.Must(t, store.Players.Insert(ctx, []*model.Player{{
		UUID: mongotest.UUID(1), Username: "Salted", Playtime: &hours,
		Online: true,
	}}))
	readAndApply(t, store, "player", `{"uuid":"`+mongotest.UUID(1)+
		`","username":"Salty","playtime":null,"restrictions":[{"key":"MAIN_ACCESS","restricted":true}]}`, nil)
	p := storedPlayer(t, store, 1)
	if p.Username != "Salty" || p.Playtime == nil || *p.Playtime != hours || p.Rules[model.MainAccess] != model.Private ||
		p.Online || !p.Flagged {
		t.Errorf("got player %+v", p)
	}
}
