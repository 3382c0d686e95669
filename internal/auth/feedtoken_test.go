package auth

import (
	"errors"
	"strings"
	"testing"
	"time"

	"gamedata/graph"
)

// A feed token names its sender until it is deleted. It is no credential of the API, and theirs are none of the feed.
func TestFeedTokens(t *testing.T) {
	d := newFixture(t)
	value, err := d.FeedTokens.Create(t.Context(), "eu-1")
	d.must(err)
	if !strings.HasPrefix(value, "gdf_") {
		t.Errorf("got %s", value)
	}
	if _, err := d.FeedTokens.Create(t.Context(), "eu-1"); !errors.Is(err, ErrFeedTokenTaken) {
		t.Errorf("a second token of a name: got %v", err)
	}
	if _, err := d.FeedTokens.Create(t.Context(), " "); !errors.Is(err, ErrInvalidName) {
		t.Errorf("no name: got %v", err)
	}
	own, _ := d.createToken("laptop", false)
	for header, want := range map[string]string{
		"Bearer " + value: "eu-1", "bearer  " + value: "eu-1", "Basic " + value: "", value: "", "": "", "Bearer" + " ": "",
		"Bearer " + own: "", "Bearer " + newSecret(feedToken): "", "Bearer " + value[:len(value)-1] + "_": "",
	} {
		name, bad := d.FeedTokens.Sender(t.Context(), header)
		if name != want || (bad == nil) != (want != "") || bad != nil && bad.Code != graph.InvalidToken {
			t.Errorf("%s: got %q, %v, want %q", header, name, bad, want)
		}
	}
	if _, code := d.bearer("Bearer " + value); code != graph.InvalidToken {
		t.Errorf("the API accepts a feed token: %q", code)
	}
	list, err := d.FeedTokens.All(t.Context())
	d.must(err)
	if len(list) != 1 || list[0].Used == nil || !list[0].Used.Equal(d.clock().Truncate(time.Minute)) ||
		!strings.HasPrefix(value, list[0].Prefix) || strings.Contains(list[0].Digest, value) {
		t.Errorf("got %+v", list)
	}
	d.must(d.FeedTokens.Delete(t.Context(), "eu-1"))
	if err := d.FeedTokens.Delete(t.Context(), "eu-1"); !errors.Is(err, ErrNoFeedToken) {
		t.Errorf("a deleted token: got %v", err)
	}
	if _, bad := d.FeedTokens.Sender(t.Context(), "Bearer "+value); bad == nil || bad.Code != graph.InvalidToken {
		t.Errorf("a deleted token: got %v", bad)
	}
}
