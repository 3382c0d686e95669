package mongo

import (
	"context"
	"maps"
	"slices"

	"gamedata/mongo/conn"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// lookupPage is the number of records that one command of a repair reads.
const lookupPage = 1000

// lookupsMark is stored while the lookups of a store that lacks them are built.
const lookupsMark = "buildingLookups"

// build adds the lookups of a store that a version without them wrote.
func (s *LookupStore) build(ctx context.Context) error {
	built, err := s.Built(ctx)
	if built || err != nil {
		return err
	}
	if err := s.store.SetMark(ctx, lookupsMark, true); err != nil {
		return err
	}
	s.store.log.Info("building the lookups of players, which an earlier version did not write")
	if _, err := s.Repair(ctx, func(int) {}); err != nil {
		return err
	}
	return s.store.DeleteMark(ctx, lookupsMark)
}

// Built reports whether the players of the store have lookups.
func (s *LookupStore) Built(ctx context.Context) (bool, error) {
	var building bool
	if _, err := s.store.ReadMark(ctx, lookupsMark, &building); err != nil || building {
		return false, err
	}
	for _, name := range []string{PlayerLookups, Players} {
		some, err := s.db.Collection(name).FindOne(ctx, bson.D{}, &bson.Raw{})
		if some || err != nil {
			return name == PlayerLookups, err
		}
	}
	return true, nil
}

// LookupRepair is what Lookups.Repair did.
type LookupRepair struct{ Added, Removed int }

// Repair adds the lookups that players lack and removes unused ones. progress is called with the number of
// records examined.
func (s *LookupStore) Repair(ctx context.Context, progress func(examined int)) (r LookupRepair, err error) {
	examined := 0
	for _, repair := range []struct {
		changed *int
		page    func(context.Context, string) (lookupPageResult, error)
	}{{&r.Added, s.addMissing}, {&r.Removed, s.removeStale}} {
		for page := (lookupPageResult{more: true}); page.more; {
			last := page.last
			// In a transaction, so that a writer who changes one of these players meanwhile makes it run again.
			err = s.store.Transact(conn.FromPrimary(conn.WithLongTimeout(ctx)), func(ctx context.Context) (err error) {
				page, err = repair.page(ctx, last)
				return err
			})
			if err != nil {
				return r, err
			}
			*repair.changed += len(page.lookups)
			examined += page.examined
			progress(examined)
		}
	}
	return r, nil
}

// lookupPageResult is a page of players or lookups that was examined.
type lookupPageResult struct {
	lookups  []string // those that are missing, or stale
	examined int
	last     string // the id of the last record
	more     bool
}

func (s *LookupStore) addMissing(ctx context.Context, after string) (lookupPageResult, error) {
	page, err := s.missing(ctx, after)
	if err != nil {
		return page, err
	}
	return page, s.store.write(ctx, each(page.lookups, addLookup))
}

// missing returns the lookups that the next players after a uuid lack.
func (s *LookupStore) missing(ctx context.Context, after string) (page lookupPageResult, err error) {
	players, err := s.readValues(ctx, idAfter(after), sortedBy("_id").SetLimit(lookupPage))
	if err != nil {
		return page, err
	}
	page.examined, page.more = len(players), len(players) == lookupPage
	for uuid, values := range players {
		page.last = max(page.last, uuid)
		page.lookups = append(page.lookups, values.ids(uuid)...)
	}
	found, err := findLookups(ctx, s.db.Collection(PlayerLookups), withID(in(page.lookups)), options.Find())
	page.lookups, _ = difference(page.lookups, found)
	return page, err
}

// removeStale removes those of the next lookups after an id that lead to no player with their value.
func (s *LookupStore) removeStale(ctx context.Context, after string) (page lookupPageResult, err error) {
	ids, err := findLookups(ctx, s.db.Collection(PlayerLookups), idAfter(after), sortedBy("_id").SetLimit(lookupPage))
	if err != nil || len(ids) == 0 {
		return page, err
	}
	page.examined, page.last, page.more = len(ids), ids[len(ids)-1], len(ids) == lookupPage
	uuids := map[string]bool{}
	for _, id := range ids {
		uuids[lookupUUID(id)] = true
	}
	players, err := s.readValues(ctx, withID(in(slices.Collect(maps.Keys(uuids)))))
	if err != nil {
		return page, err
	}
	var needed []string
	for uuid, values := range players {
		needed = append(needed, values.ids(uuid)...)
	}
	_, page.lookups = difference(needed, ids)
	return page, s.store.write(ctx, each(page.lookups, removeLookup))
}

// readValues reads what the lookups of the players that a filter matches follow from, by uuid.
func (s *LookupStore) readValues(ctx context.Context, filter bson.D, o ...findOptions) (
	map[string]lookupValues, error,
) {
	o = append(o, options.Find().SetProjection(projection(lookupFields...)))
	return conn.Find(ctx, s.db.Collection(Players), filter, func(ctx context.Context, cursor *driver.Cursor) (
		map[string]lookupValues, error,
	) {
		out := map[string]lookupValues{}
		for cursor.Next(ctx) {
			uuid, _ := cursor.Current.Lookup("_id").StringValueOK()
			out[uuid] = lookupValuesOf(cursor.Current)
		}
		return out, cursor.Err()
	}, o...)
}

// LookupCheck is the result of Lookups.Check.
type LookupCheck struct {
	// Missing is the number of lookups that players lack; an example is the uuid of one of those.
	Missing int
	Example string
}

// Check compares the lookups with the players and changes nothing.
func (s *LookupStore) Check(ctx context.Context) (c LookupCheck, err error) {
	for page := (lookupPageResult{more: true}); page.more; {
		last := page.last
		err = s.store.Transact(conn.FromPrimary(conn.WithLongTimeout(ctx)), func(ctx context.Context) (err error) {
			page, err = s.missing(ctx, last)
			return err
		})
		if err != nil {
			return c, err
		}
		if c.Missing += len(page.lookups); len(page.lookups) > 0 && c.Example == "" {
			c.Example = lookupUUID(slices.Min(page.lookups))
		}
	}
	return c, nil
}
