package resolvers

import (
	"context"
	"math"
	"time"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/loaders"
)

// scheduleWindow is the time before a start in which it is shown.
const scheduleWindow = 15 * time.Minute

func (q queryResolver) WorldEvents(ctx context.Context) ([]*model.WorldEvent, error) {
	all, err := loaders.From(ctx).WorldEvents(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	now := q.now()
	out := make([]*model.WorldEvent, len(all))
	for i, record := range all {
		e := *record
		e.Schedule = nextRun(e.Timetable, now)
		out[i] = &e
	}
	return out, nil
}

// nextRun returns the next start s of a timetable if now ≤ s < now + 15 minutes, else nil.
func nextRun(t *model.Timetable, now time.Time) *time.Time {
	start, ok := t.Next(now)
	if !ok || !start.Before(now.Add(scheduleWindow)) {
		return nil
	}
	return &start
}

// Territory returns the territory of the first place that lies in one.
func (worldEventResolver) Territory(ctx context.Context, e *model.WorldEvent) (*model.Territory, error) {
	all, err := territories(ctx)
	if err != nil {
		return nil, err
	}
	return eventTerritory(all, e), nil
}

// eventTerritory returns the territory of the first place of an event that lies in one, nil if none does. A place is
// where the event happens, else where its creatures or its reward are.
func eventTerritory(all *loaders.Territories, e *model.WorldEvent) *model.Territory {
	for _, place := range e.Location {
		for _, at := range []*model.Position{place.Event, place.Spawn, place.Reward} {
			if at == nil {
				continue
			}
			if t := territoryAt(all.All, int(math.Floor(at.X)), int(math.Floor(at.Z))); t != nil {
				return t
			}
			break
		}
	}
	return nil
}
