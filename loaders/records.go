package loaders

import (
	"time"

	"gamedata/internal/cache"
)

// How long records are kept (DESIGN §7). What an operation takes may be no older than its own
// answer, so the longest is that of the endpoints which are made of players, characters and
// guilds (SPEC §4); that a key has no record is as short-lived as a 404.
const (
	recordAge = 2 * time.Minute
	noneAge   = 10 * time.Second
)

// Records are kept by the process for all operations, as the store has them: before access
// rules. They are shared, so nobody may change one. A key is the kind of a record and what it
// was asked by.
type Records struct {
	kept   *cache.Cache[stored]
	purges *cache.Invalidations
	now    func() time.Time
	rules  rulesSeen
}

// stored is a record, or the uuids that a key stands for, and the door it was read for.
type stored struct {
	value  any
	source string
}

// NewRecords returns room for records, in bytes. What the ledger tells is purged from it, and
// the ledger is told whose access rules were seen to change. The time is time.Now when nil.
func NewRecords(bytes int64, now func() time.Time, purges *cache.Invalidations) (*Records, error) {
	if now == nil {
		now = time.Now
	}
	kept, err := cache.New[stored](cache.Options{MaxBytes: bytes, Now: now, Invalidations: purges})
	if err != nil {
		return nil, err
	}
	return &Records{kept: kept, purges: purges, now: now}, nil
}

// Close ends the keeping. Nobody may ask any more.
func (r *Records) Close() { r.kept.Close() }

// State tells how full the room is.
func (r *Records) State() cache.Stats { return r.kept.Stats() }

// arrival is one read of the store whose records are to be kept.
type arrival struct {
	records *Records
	source  string
	begun   time.Time
	purges  uint64 // made before the read began
}

// begin tells that a read begins. Without records the arrival keeps nothing.
func (set *Set) begin() *arrival {
	a := &arrival{records: set.source.records, source: set.allowed.Source}
	if a.records != nil {
		a.begun, a.purges = a.records.now(), a.records.purges.Generation()
	}
	return a
}

// keep keeps a value under a key for some time at most.
func (a *arrival) keep(key string, value any, size int, age time.Duration, tags ...string) {
	if a.records != nil {
		a.records.kept.Put(key, cache.Entry[stored]{
			Value: stored{value, a.source}, Made: a.begun, MaxAge: age, Size: size,
			Tags: tags,
		}, a.purges)
	}
}

// end waits until what was kept can be found, so that the next operation finds it.
func (a *arrival) end() {
	if a.records != nil {
		a.records.kept.Wait()
	}
}
