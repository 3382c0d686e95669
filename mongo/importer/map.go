package importer

import (
	"context"
	"errors"
	"fmt"

	"gamedata/graph/model"
	"gamedata/mongo"
)

func readQuestSummary(q *model.QuestSummary, _ variables) (*Import, error) {
	return records(mongo.QuestSummary, []*model.QuestSummary{q})
}

func readWorldEvents(list *[]*model.WorldEvent, _ variables) (*Import, error) {
	for _, e := range *list {
		if e == nil {
			continue
		}
		if err := exact("schedule of "+e.InternalName, e.Schedule); err != nil {
			return nil, err
		}
	}
	return keyed(*list, func(e *model.WorldEvent) any { return e.InternalName }, importWorldEvents)
}

// importWorldEvents replaces all world events. A recording shows the next start at most: the stored
// timetable stays when it agrees with that start, else the start becomes the only one.
func importWorldEvents(ctx context.Context, store *mongo.Store, list []*model.WorldEvent) error {
	known, err := mongo.WorldEvents.Read(ctx, store)
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
	return mongo.WorldEvents.Put(ctx, store, list)
}

// readTerritories reads all territories; stored ones that are not among them are deleted.
func readTerritories(body *model.TerritoryList, _ variables) (*Import, error) {
	headquarters := map[string]string{} // by guild
	for n, t := range body.List {
		if t == nil || t.Guild == nil || t.Location == nil {
			return nil, fmt.Errorf("entry %d lacks guild or location", n+1)
		}
		if t.Hq && t.Guild.UUID != nil && headquarters[*t.Guild.UUID] == "" {
			headquarters[*t.Guild.UUID] = t.Name
		}
	}
	for _, t := range body.List {
		if err := checkTerritory(t, headquarters); err != nil {
			return nil, fmt.Errorf("territory %q: %w", t.Name, err)
		}
		t.Guild.Hq = nil
	}
	return keyed(body.List, func(t *model.Territory) any { return t.Name },
		func(ctx context.Context, store *mongo.Store, list []*model.Territory) error {
			return store.ReplaceTerritories(ctx, list)
		})
}

// checkTerritory rejects what the store could not return: a guild's headquarters is derived from the
// hq flags of its territories.
func checkTerritory(t *model.Territory, headquarters map[string]string) error {
	g, hq := t.Guild, ""
	if g.UUID != nil {
		if err := checkUUID("guild.uuid", *g.UUID); err != nil {
			return err
		}
		hq = headquarters[*g.UUID]
	}
	if g.Hq == nil && hq != "" || g.Hq != nil && *g.Hq != hq {
		return errors.New("guild.hq is not the first territory of the guild with hq true")
	}
	if len(t.Location.Start) != 2 || len(t.Location.End) != 2 {
		return errors.New("a corner of location is not [x, z]")
	}
	return exact("acquired", t.Acquired)
}
