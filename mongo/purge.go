package mongo

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"

	"gamedata/mongo/conn"
)

// Caches outside the store must drop data once its visibility changes. Writes that replace records
// therefore purge tags: from the caches of this process directly, from other processes by an
// announcement that they poll.

// announcementTTL is how long an announcement can be read. A process that has not polled for half as
// long may have missed one.
const announcementTTL = 10 * time.Minute

// maxTags is the number of tags of one kind that are announced one by one; more become one wildcard.
const maxTags = 100

type announcement struct {
	ID      bson.ObjectID `bson:"_id"`
	By      string        `bson:"by"`
	Tags    []string      `bson:"tags"`
	Expires time.Time     `bson:"expires"`
}

// NameTag returns the tag of lookups by a folded name. It cannot be a uuid or `*`.
func NameTag(folded string) string { return "name " + folded }

// PrefixTag returns the tag of lookups by a folded prefix. It cannot be a uuid or `*`.
func PrefixTag(folded string) string { return "prefix " + folded }

// OnPurge sets the function that purges tags from the caches of this process. Call it before the store
// is shared.
func (s *Store) OnPurge(purge func(tags ...string)) { s.purge = purge }

// Purge purges tags from the caches of this process and announces them to all others. It returns an
// error when the announcement fails.
func (s *Store) Purge(ctx context.Context, tags ...string) error {
	return s.Apply(ctx, Purge(tags...))
}

// purgeHere purges tags from the caches of this process after a write that ended with err. If the store may have made
// the write, or makes it later, the process also reads its own announcements for a while.
func (s *Store) purgeHere(tags []string, err error) {
	unknown := errors.Is(err, ErrUnavailable) || errors.Is(err, context.Canceled) ||
		errors.Is(err, context.DeadlineExceeded)
	if len(tags) == 0 || err != nil && !unknown {
		return
	}
	if unknown {
		s.uncertain.Store(time.Now().UnixNano())
	}
	if s.purge != nil {
		s.purge(fewTags(tags)...)
	}
}

// announce returns the operation that announces tags to other processes, or no operation without tags.
func (s *Store) announce(tags []string) []operation {
	if len(tags) == 0 {
		return nil
	}
	return []operation{{Purges, driver.NewInsertOneModel().SetDocument(announcement{
		ID: bson.NewObjectID(), By: s.process, Tags: fewTags(tags), Expires: s.Now().Add(announcementTTL),
	})}}
}

// fewTags returns tags once each, and more than maxTags of a kind as one wildcard.
func fewTags(tags []string) []string {
	kinds := map[string][]string{}
	for _, tag := range slices.Compact(slices.Sorted(slices.Values(tags))) {
		kind, _, _ := strings.Cut(tag, ":")
		kinds[kind] = append(kinds[kind], tag)
	}
	var out []string
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		if len(kinds[kind]) > maxTags {
			kinds[kind] = []string{kind + ":*"}
		}
		out = append(out, kinds[kind]...)
	}
	return out
}

// readOverlap is how far the clocks of two processes may differ; beyond it, only the next complete read notices an
// announcement.
const readOverlap = 15 * time.Second

// completeReads is the interval of complete reads.
const completeReads = time.Minute

// PurgeReader reads the tags that other processes purge. Each read overlaps the last one. Once a minute it reads all
// announcements, to catch the announcements of processes with wrong clocks.
type PurgeReader struct {
	store    *Store
	read     time.Time                   // of the last call
	complete time.Time                   // of the last call that read all announcements
	seen     map[bson.ObjectID]time.Time // when they expire
	latest   []string                    // that the last call saw; only on shards
	again    []repeatedPurge
}

// repeatedPurge are tags that the first call after some time returns again.
type repeatedPurge struct {
	tags  []string
	after time.Time
}

// FollowPurges returns a reader of the announcements from now on.
func (s *Store) FollowPurges(ctx context.Context, now time.Time) (*PurgeReader, error) {
	p := &PurgeReader{store: s, read: now, seen: map[bson.ObjectID]time.Time{}}
	_, err := p.Next(conn.WithStartTimeout(ctx, s.options.InProcess), now)
	return p, err
}

// Next returns the tags announced since the last call, or "*" when some may have been missed.
func (p *PurgeReader) Next(ctx context.Context, now time.Time) ([]string, error) {
	now = now.Round(0) // without the monotonic clock, which stands still while the machine is suspended
	since := now
	complete := now.Sub(p.complete) >= completeReads
	if !complete {
		// Announcements made since the last call expire after this time, unless their clock is far behind.
		since = p.read.Add(announcementTTL - readOverlap)
	}
	found, err := find[announcement](ctx, p.store.db.Collection(Purges),
		bson.D{{Key: "expires", Value: bson.D{{Key: "$gt", Value: since}}}})
	if err != nil {
		return nil, err
	}
	var tags []string
	own := time.Since(time.Unix(0, p.store.uncertain.Load())) < announcementTTL // see purgeHere
	for _, a := range found {
		if _, seen := p.seen[a.ID]; !seen && (own || a.By != p.store.process) {
			tags = append(tags, a.Tags...)
		}
		p.seen[a.ID] = a.Expires
	}
	if p.store.db.Sharded() {
		// One shard may show the announcement shortly before another one shows the change; in an election, long before.
		p.latest, tags = tags, slices.Concat(tags, p.latest)
		for len(p.again) > 0 && now.After(p.again[0].after) {
			tags = append(tags, p.again[0].tags...)
			p.again = p.again[1:]
		}
		p.again = append(p.again, repeatedPurge{p.latest, now.Add(LongestTransaction)})
	}
	if now.Sub(p.read) > announcementTTL/2 {
		tags = []string{"*"}
	}
	p.read = now
	if complete {
		p.complete = now
		maps.DeleteFunc(p.seen, func(_ bson.ObjectID, expires time.Time) bool { return !expires.After(now) })
	}
	return tags, nil
}
