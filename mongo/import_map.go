package mongo

import (
	"context"
	"encoding/json"

	"gamedata/graph/model"
)

// ordered is an import of a list whose order is part of it: it replaces the stored one.
func ordered[T any](write func(*Store, context.Context, []*T) error) func(json.RawMessage, map[string]any) (*Import,
	error) {
	return func(data json.RawMessage, _ map[string]any) (*Import, error) {
		list, err := decode[[]*T](data)
		if err != nil {
			return nil, err
		}
		return &Import{Records: len(*list), apply: func(ctx context.Context, s *Store) error { return write(s, ctx, *list) }},
			nil
	}
}

func readQuestSummary(data json.RawMessage, _ map[string]any) (*Import, error) {
	q, err := decode[model.QuestSummary](data)
	if err != nil {
		return nil, err
	}
	return &Import{Records: 1, apply: func(ctx context.Context, s *Store) error { return s.PutQuestSummary(ctx, q) }}, nil
}

func readWorldEvents(data json.RawMessage, _ map[string]any) (*Import, error) {
	list, err := decode[[]*model.WorldEvent](data)
	if err != nil {
		return nil, err
	}
	for _, e := range *list {
		if e != nil {
			if err := exact("schedule of "+e.InternalName, e.Schedule); err != nil {
				return nil, err
			}
		}
	}
	return simple(*list, func(e *model.WorldEvent) string { return e.InternalName }, (*Store).importWorldEvents)
}

// importWorldEvents replaces all world events. A recording tells the next start at most: a
// timetable that is known and agrees with it is kept, else it becomes the only start.
func (s *Store) importWorldEvents(ctx context.Context, list []*model.WorldEvent) error {
	known, err := s.WorldEvents(ctx)
	if err != nil {
		return err
	}
	timetables := make(map[string]*model.Timetable, len(known))
	for _, e := range known {
		timetables[e.InternalName] = e.Timetable
	}
	for _, e := range list {
		e.Timetable = timetables[e.InternalName]
		if e.Schedule == nil {
			continue
		}
		if next, ok := e.Timetable.Next(*e.Schedule); !ok || !next.Equal(*e.Schedule) {
			e.Timetable = &model.Timetable{First: *e.Schedule}
		}
	}
	return s.PutWorldEvents(ctx, list)
}
