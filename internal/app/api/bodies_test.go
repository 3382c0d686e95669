package api

import (
	"strings"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/app/apptest"
	"gamedata/internal/conformance"
	"gamedata/internal/demo/seed"
	"gamedata/rest"
)

// Every body of the demo world is one that the OpenAPI document describes, of every player of the cast and every guild,
// of all content and every leaderboard.
func TestBodiesAreDescribed(t *testing.T) {
	t.Parallel()
	p := apptest.Shared(t)
	targets := []string{
		"/player", "/player?identifier=uuid", "/guild/list/guild", "/guild/list/guild?identifier=uuid",
		"/guild/list/territory", "/item/database?fullResult", "/item/recipe/database?full_result", "/map/world-events",
		"/map/camps?level=75", "/map/raids?level=75", "/map/loot-pools?level=75",
	}
	for _, m := range seed.Cast {
		targets = append(targets, "/player/"+m.UUID, "/player/"+m.UUID+"?fullResult")
	}
	guilds := apptest.RequestOK(t, p.Base, "GET", "/v3/guild/list/guild?identifier=uuid", "")
	for uuid := range apptest.Decode[map[string]any](t, guilds) {
		targets = append(targets, "/guild/uuid/"+uuid, "/guild/uuid/"+uuid+"?identifier=uuid")
	}
	for _, class := range model.ClassIDs {
		for _, of := range []string{"ability/tree", "ability/map", "aspects", "classes"} {
			targets = append(targets, "/"+of+"/"+strings.ToLower(class))
		}
	}
	boards := apptest.RequestOK(t, p.Base, "GET", "/v3/leaderboards/types", "")
	for _, board := range apptest.Decode[[]string](t, boards) {
		targets = append(targets, "/leaderboards/"+board)
	}
	cases := make([]rest.Case, len(targets))
	for i, target := range targets {
		cases[i] = rest.Case{
			Name: target, Method: "GET", Target: rest.Prefix + target, Want: rest.Response{Status: 200},
		}
	}
	client, err := conformance.NewClient(p.Base, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	o := conformance.Options{Client: client, Document: apptest.RequestOK(t, p.Base, "GET", rest.DocumentPath, "")}
	err = conformance.Run(t.Context(), o, cases, func(r conformance.Result) {
		if r.Other || len(r.Differences) > 0 {
			t.Errorf("%s: another status: %v, %v", r.Case.Name, r.Other, r.Differences)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}
