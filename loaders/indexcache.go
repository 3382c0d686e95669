package loaders

import (
	"context"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// indexCache maps a key to the uuids of its records, so each record is cached once however it was found. If a record is
// no longer cached or no longer has the key, all records of the key are read from the store.
type indexCache[T any] struct {
	prefix string // of the cache key
	kind   *recordKind[T]
	// fold normalises a key, so that equal keys become identical.
	fold func(string) string
	// has reports whether a record has a folded key.
	has func(record *T, key string) bool
	// tag is the kind of the tag that invalidates an entry; tagName returns the tag's name for a key.
	tag     string
	tagName func(key string) string
}

func sameKey(key string) string { return key }

var playersByName = &indexCache[model.Player]{
	prefix: "players named ", kind: playerKind, fold: mongo.Fold, tag: playerTag, tagName: mongo.NameTag,
	has: func(p *model.Player, name string) bool { return p.NameFold == name },
}

var playersByGuild = &indexCache[model.Player]{
	prefix: "players of ", kind: playerKind, fold: sameKey, tag: guildTag, tagName: sameKey,
	has: func(p *model.Player, guild string) bool { return p.Guild != nil && p.Guild.UUID == guild },
}

var charactersByOwner = &indexCache[model.Character]{
	prefix: "characters of ", kind: characterKind, fold: sameKey, tag: playerTag, tagName: sameKey,
	has: func(c *model.Character, owner string) bool { return c.Owner == owner },
}

var guildsByName = &indexCache[model.Guild]{
	prefix: "guild named ", kind: guildKind, fold: mongo.Fold, tag: guildTag, tagName: mongo.NameTag,
	has: func(g *model.Guild, name string) bool { return g.NameFold == name },
}

var guildsByPrefix = &indexCache[model.Guild]{
	prefix: "guilds tagged ", kind: guildKind, fold: mongo.Fold, tag: guildTag, tagName: mongo.PrefixTag,
	has: func(g *model.Guild, prefix string) bool { return g.PrefixFold == prefix },
}

var itemsByTitle = &indexCache[model.Item]{
	prefix: "items titled ", kind: itemKind, fold: sameKey, tag: contentTag,
	tagName: func(string) string { return mongo.Items.Name },
	has:     func(i *model.Item, title string) bool { return i.DisplayName == title },
}

// cached returns a read by the index's keys that fetches only uncached entries.
func (x *indexCache[T]) cached(set *Set, read func(context.Context, []string) ([][]*T, error),
) func(context.Context, []string) ([][]*T, error) {
	return readMissing(set, read,
		func(key string) ([]*T, bool) { return x.get(set, x.fold(key)) },
		func(f *cacheFill, key string, records []*T) { x.put(set, f, x.fold(key), records) })
}

func (x *indexCache[T]) get(set *Set, key string) ([]*T, bool) {
	e := set.cachedValue(x.prefix + key)
	if e == nil {
		return nil, false
	}
	uuids, _ := e.Value.value.([]string)
	found := make([]cachedRecord[T], len(uuids))
	records := make([]*T, len(uuids))
	for i, uuid := range uuids {
		c, ok := x.kind.get(set, uuid)
		if !ok || c.record == nil || !x.has(c.record, key) {
			return nil, false
		}
		found[i], records[i] = c, c.record
	}
	set.log.noteAge(e.Made, e.Value.source)
	if len(found) == 0 {
		set.log.noteMissing(e.Made)
	}
	set.log.addTag(x.tag, x.tagName(key))
	for _, c := range found {
		x.kind.logCached(set, c)
	}
	return records, true
}

func (x *indexCache[T]) put(set *Set, f *cacheFill, key string, records []*T) {
	set.log.addTag(x.tag, x.tagName(key))
	uuids, size, age := make([]string, len(records)), 0, missingAge
	for i, record := range records {
		uuids[i], age = x.kind.uuid(record), recordAge
		size += len(uuids[i]) + 16
		x.kind.put(set, f, uuids[i], record)
	}
	if len(records) == 0 {
		set.log.noteMissing(f.begun)
	}
	f.put(x.prefix+key, uuids, size, age, x.tag+":"+x.tagName(key))
}

// first turns a read of lists with at most one record into a read of records.
func first[T any](read func(context.Context, []string) ([][]*T, error)) func(context.Context, []string) ([]*T, error) {
	return func(ctx context.Context, keys []string) ([]*T, error) {
		lists, err := read(ctx, keys)
		out := make([]*T, len(lists))
		for i, list := range lists {
			if len(list) > 0 {
				out[i] = list[0]
			}
		}
		return out, err
	}
}

// each turns a read of records into a read of lists with at most one record.
func each[T any](read func(context.Context, []string) ([]*T, error)) func(context.Context, []string) ([][]*T, error) {
	return func(ctx context.Context, keys []string) ([][]*T, error) {
		found, err := read(ctx, keys)
		out := make([][]*T, len(found))
		for i, record := range found {
			if record != nil {
				out[i] = []*T{record}
			}
		}
		return out, err
	}
}
