package resolvers

import (
	"context"
	"math"
	"slices"
	"time"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/loaders"
)

// scheduleWindow is how long before its start a run is shown.
const scheduleWindow = 15 * time.Minute

func (q queryResolver) WorldEvents(ctx context.Context, page model.PageArgs, filter *model.WorldEventFilter) (
	*model.WorldEventConnection, error,
) {
	list, err := q.worldEvents(ctx)
	if err != nil {
		return nil, err
	}
	if filter != nil {
		if list, err = matchingEvents(ctx, list, filter); err != nil {
			return nil, err
		}
	}
	return connect(list, page, q.PageSize, (*model.WorldEvent).ID)
}

func matchingEvents(ctx context.Context, list []*model.WorldEvent, f *model.WorldEventFilter) (
	[]*model.WorldEvent, error,
) {
	out := []*model.WorldEvent{}
	for _, e := range list {
		if !isValue("Difficulty", f.Difficulties, e.Difficulty) || !isValue("ContentLength", f.Lengths, e.Length) ||
			f.Level != nil && (e.Level == nil || !inRange(f.Level, *e.Level)) {
			continue
		}
		if len(f.Territories) > 0 {
			t, err := worldEventResolver{}.Territory(ctx, e)
			if err != nil {
				return nil, err
			}
			if t == nil || !slices.Contains(f.Territories, t.Name) {
				continue
			}
		}
		out = append(out, e)
	}
	return out, nil
}

func (q queryResolver) WorldEvent(ctx context.Context, by model.WorldEventBy) (*model.WorldEvent, error) {
	list, err := q.worldEvents(ctx)
	if err != nil {
		return nil, err
	}
	return named(ctx, "world event", list, *by.InternalName, worldEventName)
}

func worldEventName(e *model.WorldEvent) string { return e.InternalName }

func (r *root) worldEvent(ctx context.Context, internalName string) (*model.WorldEvent, error) {
	list, err := r.worldEvents(ctx)
	return firstNamed(list, internalName, worldEventName), err
}

// worldEvents returns copies of all world events with their next starts.
func (r *root) worldEvents(ctx context.Context) ([]*model.WorldEvent, error) {
	all, err := loaders.From(ctx).WorldEvents.Load(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	now := r.Now()
	out := make([]*model.WorldEvent, len(all))
	for i, record := range all {
		e := *record
		e.StartsAt = nextRun(e.Timetable, now)
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
	return eventTerritory(all, e), err
}

// eventTerritory returns the territory of an event's first place that lies in one, or nil if none does. A place is
// where the event happens, else where its creatures or its reward are.
func eventTerritory(all *loaders.Territories, e *model.WorldEvent) *model.Territory {
	for _, place := range e.Places {
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
