package mongo

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// lookupPage is the number of records that one command of a repair reads.
const lookupPage = 1000

// upgradeTime is how long instances of an earlier version, which write no lookups, may run beside new ones.
const upgradeTime = time.Hour

// lookupState is the record builtLookups.
type lookupState struct {
	// Complete says that all players have their lookups. Until then they are found without.
	Complete bool `bson:"complete"`
	// Begun is when the first sweep found that the lookups are not complete.
	Begun time.Time `bson:"begun"`
	// Players and Lookups are how far the sweeps have come: the last ids examined, "" at the beginning. They are here and
	// not in a mark, because the id of a lookup can contain an address, and marks are exported.
	Players string `bson:"players"`
	Lookups string `bson:"lookups"`
}

func (s *Store) lookupState(ctx context.Context) (state lookupState, err error) {
	err = s.lookups().FindOne(ctx, bson.D{{Key: "_id", Value: builtLookups}}).Decode(&state)
	if errors.Is(err, driver.ErrNoDocuments) {
		err = nil
	}
	return state, translateError(err)
}

// setLookupState writes the record by an operator: $set, or $setOnInsert to leave alone what another process has set.
func (s *Store) setLookupState(ctx context.Context, operator string, state lookupState) error {
	return retryUpsert(func() error {
		_, err := s.lookups().UpdateOne(WithMajority(ctx), bson.D{{Key: "_id", Value: builtLookups}},
			bson.D{{Key: operator, Value: state}}, options.UpdateOne().SetUpsert(true))
		return err
	})
}

// startLookups makes an empty store one whose lookups are complete. Others become so by SweepLookups.
func (s *Store) startLookups(ctx context.Context, timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	built, err := s.LookupsBuilt(ctx)
	if built || err != nil {
		return err
	}
	err = s.players().FindOne(FromPrimary(ctx), bson.D{}).Err()
	if !errors.Is(err, driver.ErrNoDocuments) {
		return translateError(err)
	}
	err = s.setLookupState(ctx, "$set", lookupState{Complete: true})
	if errors.Is(err, ErrUnavailable) { // it may still serve reads
		return nil
	}
	s.built.Store(err == nil)
	return err
}

// BuildLookups adds the lookups that players lack; from then on players are found by them. No instance of an earlier
// version may run any longer. It returns how many it added. progress is called with the number of players examined. An
// interrupted build is repeated from the beginning, quickly where it adds nothing.
func (s *Store) BuildLookups(ctx context.Context, progress func(players int)) (added int, err error) {
	for after, players := "", 0; ; {
		r, err := s.addMissingLookups(ctx, after)
		added, players = added+r.changed, players+r.examined
		if err != nil {
			return added, err
		}
		if progress(players); r.last == "" {
			break
		}
		after = r.last
	}
	if err := s.setLookupState(ctx, "$set", lookupState{Complete: true}); err != nil {
		return added, err
	}
	s.built.Store(true)
	return added, nil
}

const (
	// sweepParts is the number of sweeps that examine all of a large store: those of a day.
	sweepParts = 24
	// leastSwept is the number of records that a sweep examines at least.
	leastSwept = 100_000
)

// SweepLookups adds the lookups that players lack and removes unused ones, and returns how many. Of a large
// store it examines a part, and goes on where the last sweep ended. A store whose lookups were never complete gets them
// all, an hour after the first sweep: until then instances of an earlier version may write players. progress is called
// with the number of records examined.
func (s *Store) SweepLookups(ctx context.Context, progress func(examined int)) (changed int, err error) {
	state, err := s.lookupState(FromPrimary(ctx))
	switch now := updateTime(); {
	case err != nil:
		return 0, err
	case !state.Complete && state.Begun.IsZero():
		return 0, s.setLookupState(ctx, "$setOnInsert", lookupState{Begun: now})
	case !state.Complete && now.Sub(state.Begun) < upgradeTime:
		return 0, nil
	case !state.Complete:
		return s.BuildLookups(ctx, progress)
	}
	examined := 0
	for _, sweep := range []struct {
		of    *collection
		after *string
		step  func(context.Context, string) (lookupRepair, error)
	}{
		{s.players(), &state.Players, s.addMissingLookups},
		{s.lookups(), &state.Lookups, s.removeStaleLookups},
	} {
		records, err := sweep.of.EstimatedDocumentCount(withLongTimeout(ctx))
		if err != nil {
			return changed, translateError(err)
		}
		for part := max(leastSwept, int(records)/sweepParts+1); part > 0; {
			r, err := sweep.step(ctx, *sweep.after)
			if err != nil {
				return changed, err
			}
			changed, examined, part = changed+r.changed, examined+r.examined, part-r.examined
			progress(examined)
			if *sweep.after = r.last; r.last == "" {
				break
			}
		}
	}
	return changed, s.setLookupState(ctx, "$set", state)
}

// lookupRepair is what a step of a repair did.
type lookupRepair struct {
	// examined is the number of records read, changed that of the lookups added or removed.
	examined, changed int
	// last is the id of the last record examined; "" when it was the last of the collection.
	last string
}

// addMissingLookups examines the next players after a uuid and adds the lookups that they lack.
func (s *Store) addMissingLookups(ctx context.Context, after string) (lookupRepair, error) {
	missing, r, err := s.missingLookups(FromPrimary(withLongTimeout(ctx)), after)
	if err != nil {
		return r, err
	}
	r.changed = len(missing)
	return r, s.lookups().confirmLookups(withLongTimeout(ctx), missing)
}

// missingLookups returns the lookups that the next players after a uuid lack.
func (s *Store) missingLookups(ctx context.Context, after string) (missing []string, r lookupRepair, err error) {
	players, err := s.players().readValues(ctx, idAfter(after), sortedBy("_id").SetLimit(lookupPage))
	if err != nil {
		return nil, r, err
	}
	r.examined = len(players)
	for uuid, values := range players {
		if len(players) == lookupPage {
			r.last = max(r.last, uuid)
		}
		for _, id := range values.ids(uuid) {
			if id != "" {
				missing = append(missing, id)
			}
		}
	}
	found, err := findLookups(ctx, s.lookups(), bson.D{{Key: "_id", Value: in(missing)}}, options.Find())
	if err != nil {
		return nil, r, err
	}
	exists := make(map[string]bool, len(found))
	for _, id := range found {
		exists[id] = true
	}
	return slices.DeleteFunc(missing, func(id string) bool { return exists[id] }), r, nil
}

// removeStaleLookups examines the next lookups after an id and removes those that lead to no player with their value,
// and were confirmed some time ago.
func (s *Store) removeStaleLookups(ctx context.Context, after string) (r lookupRepair, err error) {
	ctx = FromPrimary(withLongTimeout(ctx))
	begun := time.Now()
	ids, err := findLookups(ctx, s.lookups(), idAfter(after), sortedBy("_id").SetLimit(lookupPage))
	if err != nil {
		return r, err
	}
	if r.examined = len(ids); len(ids) == lookupPage {
		r.last = ids[len(ids)-1]
	}
	uuids := map[string]bool{}
	for _, id := range ids {
		uuids[lookupUUID(id)] = true
	}
	players, err := s.players().readValues(ctx,
		bson.D{{Key: "_id", Value: in(slices.Collect(maps.Keys(uuids)))}})
	if err != nil {
		return r, err
	}
	stale := slices.DeleteFunc(ids, func(id string) bool {
		uuid := lookupUUID(id)
		needed := players[uuid].ids(uuid)
		return id == builtLookups || slices.Contains(needed[:], id)
	})
	r.changed, err = s.lookups().removeLookups(ctx, stale, begun)
	return r, err
}

// LookupCheck is the result of CheckLookups.
type LookupCheck struct {
	// Built says that players are read through their lookups.
	Built bool
	// Missing is the number of lookups that players lack; an example is the uuid of one of those.
	Missing int
	Example string
}

// CheckLookups compares the lookups with the players and changes nothing.
func (s *Store) CheckLookups(ctx context.Context) (c LookupCheck, err error) {
	ctx = FromPrimary(withLongTimeout(ctx))
	if c.Built, err = s.LookupsBuilt(ctx); err != nil || !c.Built {
		return c, err
	}
	for after := ""; ; {
		missing, r, err := s.missingLookups(ctx, after)
		if err != nil {
			return c, err
		}
		if len(missing) > 0 { // not those of players who changed between the two reads
			again, _, err := s.missingLookups(ctx, after)
			if err != nil {
				return c, err
			}
			missing = slices.DeleteFunc(missing, func(id string) bool { return !slices.Contains(again, id) })
		}
		if c.Missing += len(missing); len(missing) > 0 && c.Example == "" {
			c.Example = lookupUUID(slices.Min(missing))
		}
		if r.last == "" {
			return c, nil
		}
		after = r.last
	}
}

// clearLookups removes all lookups that were not confirmed lately, after the players are deleted.
func (s *Store) clearLookups(ctx context.Context, begun time.Time) error {
	for _, kind := range []lookupKind{lookupName, lookupGuild, lookupParty, lookupAddress} {
		filter := append(hasPrefix("_id", kind.name+lookupSeparator), notConfirmedSince(begun.Add(-lookupGrace)))
		if err := deleteAll(ctx, s.lookups(), filter); err != nil {
			return err
		}
	}
	return nil
}
