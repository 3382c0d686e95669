package loaders

import (
	"context"
	"errors"
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// The kinds of tags of records and content.
const (
	playerTag  = "player"
	guildTag   = "guild"
	contentTag = "content"
)

// recordKind caches one kind of record by uuid.
type recordKind[T any] struct {
	prefix string // of the cache key, before the uuid
	uuid   func(*T) string
	// partOf is the cache-key prefix of the enclosing record, if any. An entry older than that record is reloaded.
	partOf string
	// tag is the kind of the tag that invalidates a record.
	tag string
	// owner returns the name of the tag, or "" if unknown. It is nil if the tag's name is the uuid.
	owner func(record *T) string
	size  func(*T) int // in bytes
}

var playerKind = &recordKind[model.Player]{
	prefix: "player ", uuid: func(p *model.Player) string { return p.UUID }, tag: playerTag, size: playerSize,
}

var characterKind = &recordKind[model.Character]{
	prefix: "character ", uuid: func(c *model.Character) string { return c.UUID }, tag: playerTag, owner: ownerOf,
	size: characterSize,
}

func ownerOf(c *model.Character) string {
	if c == nil {
		return ""
	}
	return c.Owner
}

var guildKind = &recordKind[model.Guild]{
	prefix: "guild ", uuid: func(g *model.Guild) string { return g.UUID }, tag: guildTag, size: guildSize,
}

// itemKind caches single items. An import of items invalidates all of them.
var itemKind = &recordKind[model.Item]{
	prefix: "item ", uuid: func(i *model.Item) string { return i.InternalName }, tag: contentTag,
	owner: func(*model.Item) string { return mongo.Items.Name }, size: itemSize,
}

// taggedBy returns the name of the tag that invalidates a record.
func (k *recordKind[T]) taggedBy(uuid string, record *T) string {
	if k.owner != nil {
		return k.owner(record)
	}
	return uuid
}

// cachedRecord is a cache hit; record is nil if the record is known to be missing.
type cachedRecord[T any] struct {
	uuid   string
	record *T
	made   time.Time
	source string
}

// get returns a cached record without logging the read.
func (k *recordKind[T]) get(set *Set, uuid string) (found cachedRecord[T], ok bool) {
	e := set.cachedValue(k.prefix + uuid)
	if e == nil {
		return found, false
	}
	record, _ := e.Value.value.(*T)
	if k.tag == playerTag && slices.Contains(set.own, k.taggedBy(uuid, record)) {
		return found, false
	}
	if k.partOf != "" {
		if whole := set.cachedValue(k.partOf + uuid); whole != nil && e.Made.Before(whole.Made) {
			return found, false
		}
	}
	return cachedRecord[T]{uuid, record, e.Made, e.Value.source}, true
}

func (k *recordKind[T]) logCached(set *Set, c cachedRecord[T]) {
	set.log.noteAge(c.made, c.source)
	if c.record == nil {
		set.log.noteMissing(c.made)
	}
	k.logRead(set, c.uuid, c.record)
}

func (k *recordKind[T]) logRead(set *Set, uuid string, record *T) {
	if name := k.taggedBy(uuid, record); name != "" {
		set.log.addTag(k.tag, name)
	}
}

// put logs and caches the result of a read by uuid; nil means the record is missing.
func (k *recordKind[T]) put(set *Set, f *cacheFill, uuid string, record *T) {
	k.logRead(set, uuid, record)
	if f.records == nil {
		return
	}
	size, age := 0, missingAge
	if record != nil {
		size, age = k.size(record), recordAge
	} else {
		set.log.noteMissing(f.begun)
	}
	var tags []string
	if name := k.taggedBy(uuid, record); name != "" {
		tags = []string{k.tag + ":" + name}
	}
	f.put(k.prefix+uuid, record, size, age, tags...)
}

// cached returns a read by uuids that fetches only uncached records.
func (k *recordKind[T]) cached(set *Set, read func(context.Context, []string) ([]*T, error),
) func(context.Context, []string) ([]*T, error) {
	return readMissing(set, read,
		func(uuid string) (*T, bool) {
			found, ok := k.get(set, uuid)
			if ok {
				k.logCached(set, found)
			}
			return found.record, ok
		},
		func(f *cacheFill, uuid string, record *T) { k.put(set, f, uuid, record) })
}

// charactersByKey reads characters of known players. It caches them by uuid, like all others. A miss is not cached,
// since another player may have the character.
func (set *Set) charactersByKey(ctx context.Context, keys []mongo.CharacterKey) ([]*model.Character, error) {
	return readMissing(set, set.source.store.Characters.ByKey,
		func(key mongo.CharacterKey) (*model.Character, bool) {
			found, ok := characterKind.get(set, key.UUID)
			if !ok || ownerOf(found.record) != key.Owner {
				return nil, false
			}
			characterKind.logCached(set, found)
			return found.record, true
		},
		func(f *cacheFill, key mongo.CharacterKey, c *model.Character) {
			if c != nil {
				characterKind.put(set, f, key.UUID, c)
			} else {
				set.log.addTag(playerTag, key.Owner)
			}
		})(ctx, keys)
}

// readMissing returns a read that takes cached values from get and fetches the others with one command.
func readMissing[K, V any](set *Set, read func(context.Context, []K) ([]V, error), get func(key K) (V, bool),
	put func(f *cacheFill, key K, value V),
) func(context.Context, []K) ([]V, error) {
	return func(ctx context.Context, keys []K) ([]V, error) {
		out := make([]V, len(keys))
		var missing []K
		var places []int
		for i, key := range keys {
			value, ok := get(key)
			if !ok {
				missing, places = append(missing, key), append(places, i)
			}
			out[i] = value
		}
		if len(missing) == 0 {
			return out, nil
		}
		s := set.source
		f := &cacheFill{records: s.o.Records, source: set.api, begun: s.o.Now(), generation: s.o.Purges.Generation()}
		found, err := read(ctx, missing)
		var malformed *mongo.MalformedError
		if err != nil && !errors.As(err, &malformed) {
			return nil, err
		}
		failures := map[int]error{} // by index in keys
		for n, value := range found {
			if malformed != nil && malformed.Failures[n] != nil {
				failures[places[n]] = malformed.Failures[n]
				continue
			}
			out[places[n]] = value
			put(f, missing[n], value)
		}
		if f.records != nil {
			f.records.cache.Wait() // until the next operation can find the values
		}
		if len(failures) > 0 {
			return out, &mongo.MalformedError{Failures: failures}
		}
		return out, nil
	}
}

// Estimated sizes of records in memory, in bytes. A test compares their sums with the heap.

func playerSize(p *model.Player) int {
	size := 1200 + len(p.Friends)*52 + (len(p.Ranking)+len(p.PreviousRanking))*56 + len(p.Gambits)*112
	for _, h := range p.GuildHistory {
		size += 220 + countsSize(h.GuildRaids)
	}
	if g := p.Totals; g != nil {
		size += 420 + countsSize(g.Dungeons) + countsSize(g.Raids) + countsSize(g.GuildRaids)
	}
	return size
}

func characterSize(c *model.Character) int {
	size := 900 + (len(c.Quests)+len(c.Unlocked)+len(c.RemovedStats)+len(c.Gamemodes))*40 + len(c.ProfessionXP)*60 +
		countsSize(c.Dungeons) + countsSize(c.Raids)
	if c.ProfessionLevels != nil {
		size += 400
	}
	return size
}

func guildSize(g *model.Guild) int {
	size := 700 + (len(g.Ranking)+len(g.PreviousRanking))*56 + len(g.SeasonResults)*56 + len(g.RaidTallies)*120
	if g.Banner != nil {
		size += 64 + len(g.Banner.Layers)*64
	}
	return size
}

func itemSize(i *model.Item) int {
	return 900 + (len(i.Identifications)+len(i.Base)+len(i.MajorIds)+len(i.DroppedBy))*96
}

func countsSize(c *model.CountList) int {
	if c == nil {
		return 0
	}
	return 48 + len(c.List)*64
}
