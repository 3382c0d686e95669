package mongo

import (
	"context"
	"crypto/rand"
	"slices"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// What is kept outside the store must not outlive a change of what may be seen. Writes that
// replace records therefore tell which tags are purged: this process at once, the others by an
// announcement that they follow.

// announced is how long an announcement is there to be read. Who did not look for half as long
// may have missed some.
const announcementTTL = 10 * time.Minute

// mostTags is how many tags of a kind are announced one by one.
const maxTags = 100

type announcement struct {
	ID      bson.ObjectID `bson:"_id"`
	By      string        `bson:"by"`
	Tags    []string      `bson:"tags"`
	Expires time.Time     `bson:"expires"`
}

// process names this store among those that are open.
type process struct {
	name  string
	purge func(tags ...string) // nil when nothing is kept here
}

// OnPurge has a function told of what is purged. It is called before anybody else asks the store.
func (s *Store) OnPurge(purge func(tags ...string)) { s.self.purge = purge }

// Purge purges tags here at once, and announces them to all other processes on the store. It
// fails when they cannot be told.
func (s *Store) Purge(ctx context.Context, tags ...string) error {
	if len(tags) == 0 {
		return nil
	}
	if s.self.purge != nil {
		s.self.purge(tags...)
	}
	a := announcement{ID: bson.NewObjectID(), By: s.self.name, Tags: tags, Expires: time.Now().Add(announcementTTL)}
	_, err := s.db.Collection(Purges).InsertOne(ctx, a)
	return translateError(err)
}

// purgeRecords purges the records of a kind that were written.
func purgeRecords[T any](ctx context.Context, s *Store, kind string, records []*T, key func(*T) string) error {
	var tags []string
	for _, r := range records {
		tags = append(tags, kind+":"+key(r))
	}
	slices.Sort(tags)
	if tags = slices.Compact(tags); len(tags) > maxTags {
		tags = []string{kind + ":*"}
	}
	return s.Purge(ctx, tags...)
}

// PurgeReader reads the tags that other processes purge.
type PurgeReader struct {
	store *Store
	read  time.Time // when it was last read
	seen  map[bson.ObjectID]bool
}

// FollowPurges begins to follow: what was announced before does not count.
func (s *Store) FollowPurges(ctx context.Context, now time.Time) (*PurgeReader, error) {
	p := &PurgeReader{store: s, read: now}
	_, err := p.Next(ctx, now)
	return p, err
}

// Next gives the tags that were announced since it was last called, or the tag of everything
// when some may have been missed.
func (p *PurgeReader) Next(ctx context.Context, now time.Time) ([]string, error) {
	found, err := find[announcement](ctx, p.store.db.Collection(Purges),
		bson.D{{Key: "expires", Value: bson.D{{Key: "$gt", Value: now}}}})
	if err != nil {
		return nil, err
	}
	var tags []string
	seen := make(map[bson.ObjectID]bool, len(found))
	for _, a := range found {
		if !p.seen[a.ID] && a.By != p.store.self.name {
			tags = append(tags, a.Tags...)
		}
		seen[a.ID] = true
	}
	if now.Sub(p.read) > announcementTTL/2 {
		tags = []string{"*"}
	}
	p.seen, p.read = seen, now
	return tags, nil
}

func newProcess() process { return process{name: rand.Text()} }
