package mongotest

import (
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// Events returns the event log of a store.
func Events(t testing.TB, store *mongo.Store) (out []*model.Event) {
	t.Helper()
	for after, more := "", true; more; {
		page, err := store.Events.After(t.Context(), mongo.EventQuery{After: after, Limit: 10_000})
		if err != nil {
			t.Fatal(err)
		}
		out, after, more = append(out, page.Events...), page.Last, page.More
	}
	return out
}

// EventData returns the data of the events in the log of a store.
func EventData(t testing.TB, store *mongo.Store) (data []model.EventData) {
	t.Helper()
	for _, e := range Events(t, store) {
		data = append(data, Recorded(e))
	}
	return data
}

// Recorded returns the data of an event as recorded: without the fields that are set on reading.
func Recorded(e *model.Event) model.EventData { return model.NewEvent("", time.Time{}, e.Data).Data }
