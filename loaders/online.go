package loaders

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/singleflight"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/conn"
)

const (
	// onlineRefresh is the age from which the online list is reread in the background. onlineAge is the age up to which
	// it is still used during that read: the max age of a response that contains it.
	onlineRefresh = 10 * time.Second
	onlineAge     = 30 * time.Second
	// onlineStale is the age up to which the list is used while it cannot be read.
	onlineStale = 10 * time.Minute
	// onlineTimeout limits one read of the list. The read continues if its callers stop waiting.
	onlineTimeout = 2 * time.Minute
	// maxPatch is the maximum number of purged players to reread; after more purges the whole list is reread.
	maxPatch = 1000
)

// OnlineList holds the online players, prepared so that no request has to scan all of them.
type OnlineList struct {
	// All is sorted by uuid.
	All []mongo.OnlineEntry
	// Visible lists the players on a world whom every viewer sees there: the last to join visibly first, then by uuid.
	Visible []Listed
	// Public lists those of them whose presence and main data are public, Restricted the players whose rules depend on
	// the viewer.
	Public     []Listed
	Restricted []*mongo.OnlineEntry
	// Worlds counts all players, by world.
	Worlds map[string]int
}

func newOnlineList(all []mongo.OnlineEntry) OnlineList {
	list := OnlineList{All: all, Worlds: map[string]int{}}
	for i := range all {
		p := &all[i]
		if p.World != nil {
			list.Worlds[*p.World]++
		}
		if p.Restricted == nil {
			if p.World != nil {
				list.Visible = append(list.Visible, Listed{p, p.LastJoin})
			}
			continue
		}
		list.Restricted = append(list.Restricted, p)
		if p.World != nil && p.Restricted.Rules[model.OnlineStatus].IsPublic() {
			list.Visible = append(list.Visible, Listed{p, nil})
		}
	}
	slices.SortFunc(list.Visible, Listed.Compare)
	list.Public = make([]Listed, 0, len(list.Visible))
	for _, p := range list.Visible {
		if p.Restricted == nil {
			list.Public = append(list.Public, p)
		}
	}
	return list
}

// Listed is a player on the online list with the time of joining, nil if hidden or unknown.
type Listed struct {
	*mongo.OnlineEntry
	Joined *time.Time
}

// Compare sorts the last to join first, then by uuid.
func (l Listed) Compare(o Listed) int {
	switch {
	case l.Joined == nil && o.Joined == nil:
		return strings.Compare(l.UUID, o.UUID)
	case l.Joined == nil:
		return 1
	case o.Joined == nil:
		return -1
	}
	return cmp.Or(o.Joined.Compare(*l.Joined), strings.Compare(l.UUID, o.UUID))
}

// onlineCache caches the online list for all operations of the process: reading it is slow with many players online.
// After a purge of players it rereads only these players.
type onlineCache struct {
	Shared[OnlineList]
	patches singleflight.Group // reread purged players
}

func newOnlineCache(s *Source) *onlineCache {
	c := &onlineCache{Shared: Shared[OnlineList]{
		Name: "online list", MaxAge: onlineAge, MaxStale: onlineStale, Read: s.readOnline, source: s,
	}}
	if s.o.Records == nil {
		c.MaxStale = -1 // never serve the same list twice
	}
	return c
}

func (s *Source) readOnline(ctx context.Context) (OnlineList, error) {
	ctx, cancel := context.WithTimeout(ctx, onlineTimeout)
	defer cancel()
	players, err := s.store.Players.Online(ctx)
	return newOnlineList(players), err
}

// list returns a list no older than maxAge unless the store fails, and never older than a purge before the call.
func (c *onlineCache) list(ctx context.Context, maxAge time.Duration) (*timedValue[OnlineList], error) {
	generation := c.source.o.Purges.Generation()
	list, err := c.current(ctx, maxAge)
	if cached, fresh := c.cached(onlineRefresh); cached != nil && !fresh {
		c.refresh(ctx, onlineRefresh) // in the background
	}
	for err == nil && list.generation < generation {
		list, err = c.wait(ctx, c.patches.DoChan("", func() (any, error) { return c.readPurged(ctx) }))
	}
	return list, err
}

// readPurged rereads the players purged since the list was read, or the whole list if there are many.
func (c *onlineCache) readPurged(ctx context.Context) (*timedValue[OnlineList], error) {
	old, _ := c.cached(0)
	generation := c.source.o.Purges.Generation()
	var purged []string
	all := old == nil
	if !all {
		purged, all = c.source.o.Purges.PurgedSince(playerTag, old.generation)
	}
	if all || len(purged) > maxPatch {
		return c.read(ctx)
	}
	players, err := c.patched(ctx, old.value.All, purged)
	if err != nil {
		return nil, err
	}
	return c.replace(old, &timedValue[OnlineList]{newOnlineList(players), old.at, generation}), nil
}

// patched returns a list with the current entries of some players.
func (c *onlineCache) patched(ctx context.Context, list []mongo.OnlineEntry, uuids []string) ([]mongo.OnlineEntry,
	error,
) {
	if len(uuids) == 0 {
		return list, nil
	}
	ctx, cancel := context.WithTimeout(conn.WithoutCallLimit(context.WithoutCancel(ctx)), onlineTimeout)
	defer cancel()
	found, err := c.source.store.Players.OnlineOf(ctx, uuids)
	if err != nil {
		return nil, err
	}
	slices.Sort(uuids)
	out := make([]mongo.OnlineEntry, 0, len(list)+len(found))
	for _, p := range list {
		if _, purged := slices.BinarySearch(uuids, p.UUID); !purged {
			out = append(out, p)
		}
	}
	out = append(out, found...)
	slices.SortFunc(out, func(a, b mongo.OnlineEntry) int { return strings.Compare(a.UUID, b.UUID) })
	return out, nil
}
