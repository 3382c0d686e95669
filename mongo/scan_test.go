package mongo_test

import (
	"slices"
	"testing"

	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// Pages of a collection come in order, each record once, also if the caller keeps only a part of each page.
func TestPagesThatTheCallerChanges(t *testing.T) {
	t.Parallel()
	store, _ := mongotest.Open(t)
	ctx, of := t.Context(), mongo.RankedPlayers
	var standings []*mongo.Standing
	var pages []*mongo.BoardPage
	var want []string
	var wantIDs []int64
	for i := range 7 {
		want, wantIDs = append(want, mongotest.UUID(i+1)), append(wantIDs, int64(i+1))
		standings = append(standings, &mongo.Standing{UUID: want[i]})
		pages = append(pages, &mongo.BoardPage{ID: wantIDs[i], Entries: []byte{}})
	}
	slices.Sort(want)
	check(t, store.Standings.Put(ctx, of, standings, 1), store.Boards.InsertPages(ctx, pages))
	var uuids, records []string
	for page, err := range store.Standings.UUIDs(ctx, of, 3) {
		check(t, err)
		if uuids = append(uuids, page...); len(uuids) > len(want) {
			break
		}
		clear(page)
	}
	for page, err := range store.Standings.Between(ctx, of, "", "", 3) {
		check(t, err)
		for i, s := range page {
			records, page[i] = append(records, s.UUID), nil
		}
		if len(records) > len(want) {
			break
		}
	}
	var ids []int64
	for page, err := range store.Boards.PageIDs(ctx, 100, 3) {
		check(t, err)
		if ids = append(ids, page...); len(ids) > len(wantIDs) {
			break
		}
		clear(page)
	}
	if !slices.Equal(uuids, want) || !slices.Equal(records, want) || !slices.Equal(ids, wantIDs) {
		t.Errorf("got %v, %v and %v, want %v and %v", uuids, records, ids, want, wantIDs)
	}
}
