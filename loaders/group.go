package loaders

import (
	"context"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// group is a way to find several records of a kind by one key. What is kept under the key are
// their uuids, so that a record is kept once whatever it was found by; when one of them is not
// kept, or does not belong under the key any more, the store is asked for all.
type group[T any] struct {
	name string
	of   *kind[T]
	// fold gives the form of a key in which equal keys are one; nil when they are as they are.
	fold func(string) string
	// has reports whether a record belongs under a key, in that form.
	has func(record *T, key string) bool
	// tag is the kind of tag whose name the key is; empty when it is none.
	tag string
}

var playersByName = &group[model.Player]{
	name: "players named ", of: playerKind, fold: mongo.Fold,
	has: func(p *model.Player, name string) bool { return p.NameFold == name },
}

var playersByGuild = &group[model.Player]{
	name: "players of ", of: playerKind, tag: guildTag,
	has: func(p *model.Player, guild string) bool { return p.Guild != nil && p.Guild.UUID == guild },
}

var charactersByOwner = &group[model.Character]{
	name: "characters of ", of: characterKind, tag: playerTag,
	has: func(c *model.Character, owner string) bool { return c.Owner == owner },
}

var guildsByName = &group[model.Guild]{
	name: "guild named ", of: guildKind, fold: mongo.Fold,
	has: func(g *model.Guild, name string) bool { return g.NameFold == name },
}

var guildsByPrefix = &group[model.Guild]{
	name: "guilds tagged ", of: guildKind, fold: mongo.Fold,
	has: func(g *model.Guild, prefix string) bool { return g.PrefixFold == prefix },
}

// reader turns a read by the group's keys into one that asks the store for what is not kept.
func (g *group[T]) reader(set *Set, read func(context.Context, []string) ([][]*T, error)) func(context.Context,
	[]string) ([][]*T, error) {
	return func(ctx context.Context, keys []string) ([][]*T, error) {
		out := make([][]*T, len(keys))
		var missing []string
		var places []int
		for i, key := range keys {
			if found, ok := g.find(set, g.form(key)); ok {
				out[i] = found
				continue
			}
			missing, places = append(missing, key), append(places, i)
		}
		if len(missing) == 0 {
			return out, nil
		}
		a := set.begin()
		found, err := read(ctx, missing)
		if err != nil {
			return nil, err
		}
		for n, records := range found {
			out[places[n]] = records
			g.keep(set, a, g.form(missing[n]), records)
		}
		a.end()
		return out, nil
	}
}

func (g *group[T]) form(key string) string {
	if g.fold == nil {
		return key
	}
	return g.fold(key)
}

func (g *group[T]) find(set *Set, key string) ([]*T, bool) {
	kept := set.find(g.name + key)
	if kept == nil {
		return nil, false
	}
	uuids, _ := kept.Value.value.([]string)
	found := make([]taken[T], len(uuids))
	records := make([]*T, len(uuids))
	for i, uuid := range uuids {
		got, ok := g.of.find(set, uuid)
		if !ok || got.record == nil || !g.has(got.record, key) {
			return nil, false
		}
		found[i], records[i] = got, got.record
	}
	set.read.from(kept.Made, kept.Value.source)
	g.count(set, key)
	for _, t := range found {
		g.of.use(set, t)
	}
	return records, true
}

func (g *group[T]) count(set *Set, key string) {
	if g.tag != "" {
		set.read.of(g.tag, key)
	}
}

func (g *group[T]) keep(set *Set, a *arrival, key string, records []*T) {
	g.count(set, key)
	uuids, size, age := make([]string, len(records)), 0, noneAge
	for i, record := range records {
		uuids[i], age = g.of.uuid(record), recordAge
		size += len(uuids[i]) + 16
		g.of.keep(set, a, uuids[i], record)
	}
	var tags []string
	if g.tag != "" {
		tags = []string{g.tag + ":" + key}
	}
	a.keep(g.name+key, uuids, size, age, tags...)
}

// first turns a read of groups that hold one record at most into one of records.
func first[T any](read func(context.Context, []string) ([][]*T, error)) func(context.Context, []string) ([]*T, error) {
	return func(ctx context.Context, keys []string) ([]*T, error) {
		groups, err := read(ctx, keys)
		if err != nil {
			return nil, err
		}
		out := make([]*T, len(groups))
		for i, group := range groups {
			if len(group) > 0 {
				out[i] = group[0]
			}
		}
		return out, nil
	}
}

// each turns a read of records into one of groups that hold one at most.
func each[T any](read func(context.Context, []string) ([]*T, error)) func(context.Context, []string) ([][]*T, error) {
	return func(ctx context.Context, keys []string) ([][]*T, error) {
		found, err := read(ctx, keys)
		if err != nil {
			return nil, err
		}
		out := make([][]*T, len(found))
		for i, record := range found {
			if record != nil {
				out[i] = []*T{record}
			}
		}
		return out, nil
	}
}
