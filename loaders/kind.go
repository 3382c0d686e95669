package loaders

import (
	"context"
	"slices"
	"time"

	"gamedata/graph/model"
)

// kind is a kind of record as it is kept: under its uuid.
type kind[T any] struct {
	name string
	uuid func(*T) string
	// player is whose record it is, empty when it is nobody's.
	player func(uuid string, record *T) string
	// tag is what it is purged by: the kind and name of a tag; empty for the want of one that
	// cannot be told.
	tag  func(uuid string, record *T) (kind, name string)
	size func(*T) int
	// seen is told of every record that comes from the store; nil tells nobody.
	seen func(*Records, *T)
}

// The tags of records.
const (
	playerTag  = "player"
	guildTag   = "guild"
	contentTag = "content"
)

var playerKind = &kind[model.Player]{
	name: "player ", uuid: func(p *model.Player) string { return p.UUID },
	player: func(uuid string, _ *model.Player) string { return uuid },
	tag:    func(uuid string, _ *model.Player) (string, string) { return playerTag, uuid },
	size:   playerSize, seen: func(r *Records, p *model.Player) { r.rules.see(p, r.purges) },
}

var characterKind = &kind[model.Character]{
	name: "character ", uuid: func(c *model.Character) string { return c.UUID },
	player: func(_ string, c *model.Character) string { return ownerOf(c) },
	tag:    func(_ string, c *model.Character) (string, string) { return playerTag, ownerOf(c) },
	size:   characterSize,
}

func ownerOf(c *model.Character) string {
	if c == nil {
		return ""
	}
	return c.Owner
}

var guildKind = &kind[model.Guild]{
	name: "guild ", uuid: func(g *model.Guild) string { return g.UUID },
	player: func(string, *model.Guild) string { return "" },
	tag:    func(uuid string, _ *model.Guild) (string, string) { return guildTag, uuid },
	size:   guildSize,
}

// taken is a record that is kept: nil when it is known that there is none.
type taken[T any] struct {
	uuid   string
	record *T
	made   time.Time
	source string
}

// find gives a record that is kept, without counting it as read.
func (k *kind[T]) find(set *Set, uuid string) (got taken[T], ok bool) {
	kept := set.find(k.name + uuid)
	if kept == nil {
		return got, false
	}
	record, _ := kept.Value.value.(*T)
	if slices.Contains(set.allowed.Own, k.player(uuid, record)) {
		return got, false
	}
	return taken[T]{uuid, record, kept.Made, kept.Value.source}, true
}

// use counts a record that is kept as read.
func (k *kind[T]) use(set *Set, t taken[T]) {
	set.read.from(t.made, t.source)
	k.count(set, t.uuid, t.record)
}

// count counts a record as read.
func (k *kind[T]) count(set *Set, uuid string, record *T) {
	if kind, name := k.tag(uuid, record); name != "" {
		set.read.of(kind, name)
	}
}

// keep keeps what a read found under a uuid: nil when there is none.
func (k *kind[T]) keep(set *Set, a *arrival, uuid string, record *T) {
	k.count(set, uuid, record)
	if a.records == nil {
		return
	}
	size, age := 0, noneAge
	if record != nil {
		size, age = k.size(record), recordAge
		if k.seen != nil {
			k.seen(a.records, record)
		}
	}
	var tags []string
	if kind, name := k.tag(uuid, record); name != "" {
		tags = []string{kind + ":" + name}
	}
	a.keep(k.name+uuid, record, size, age, tags...)
}

// reader turns a read by uuids into one that asks the store for what is not kept.
func (k *kind[T]) reader(set *Set, read func(context.Context, []string) ([]*T, error)) func(context.Context,
	[]string) ([]*T, error) {
	return func(ctx context.Context, uuids []string) ([]*T, error) {
		out := make([]*T, len(uuids))
		var missing []string
		var places []int
		for i, uuid := range uuids {
			if got, ok := k.find(set, uuid); ok {
				k.use(set, got)
				out[i] = got.record
				continue
			}
			missing, places = append(missing, uuid), append(places, i)
		}
		if len(missing) == 0 {
			return out, nil
		}
		a := set.begin()
		found, err := read(ctx, missing)
		if err != nil {
			return nil, err
		}
		for n, record := range found {
			out[places[n]] = record
			k.keep(set, a, missing[n], record)
		}
		a.end()
		return out, nil
	}
}
