package mongo

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
	"gamedata/mongo/conn"
)

// Players are sharded by uuid, so an index on another field is read on every shard. PlayerLookups has small records
// whose ids say which players have a value: "kind", the value and the uuid, with tabs between. A name has two values,
// the folded one and the one that is shown, so that the ids are in the order of a search. A range of ids is on one
// shard, or on two, and leads to the uuids.
//
// Apply writes players and their lookups in one transaction. A reader verifies a lookup against the player's record,
// so a stale one is harmless; one that is missing hides a player.

// lookupKind is a kind of value that players are looked up by.
type lookupKind struct {
	name  string
	field string // of players
}

// The kinds of lookups.
var (
	lookupName    = lookupKind{"name", "nameFold"}
	lookupGuild   = lookupKind{"guild", "guild.uuid"}
	lookupParty   = lookupKind{"party", "party"}
	lookupAddress = lookupKind{"address", "address"}
)

// lookupFields are the fields of a player that its lookups follow from.
var lookupFields = []string{"username", "nameFold", "guild.uuid", "party", "address"}

const (
	// lookupSeparator is between the parts of an id. It sorts before everything that a part contains.
	lookupSeparator = "\t"
	// lookupEscape begins the escape of a character that sorts no later than itself. It sorts right behind the separator.
	lookupEscape = '\n'
	// maxLookupText is the number of bytes of a value in an id; the rest is cut off. Readers compare the whole value.
	maxLookupText = 128
	// maxLookupRanges bounds the values of one command.
	maxLookupRanges = 1000
)

// lookupText encodes a part of an id: no part contains a separator, and the order of parts is that of the texts.
func lookupText(text string) string {
	if len(text) > maxLookupText {
		end := maxLookupText
		for !utf8.RuneStart(text[end]) && end > maxLookupText-utf8.UTFMax {
			end--
		}
		text = text[:end]
	}
	if strings.IndexFunc(text, escapedInLookup) < 0 {
		return text
	}
	var b strings.Builder
	for _, c := range text {
		if escapedInLookup(c) {
			b.WriteRune(lookupEscape)
			c += '0'
		}
		b.WriteRune(c)
	}
	return b.String()
}

func escapedInLookup(c rune) bool { return c <= lookupEscape }

// prefix is what the ids of a value begin with.
func (k lookupKind) prefix(value string) string {
	return k.name + lookupSeparator + lookupText(value) + lookupSeparator
}

// lookupsOf matches the lookups of a value.
func (k lookupKind) lookupsOf(value string) bson.D { return hasPrefix("_id", k.prefix(value)) }

// lookupUUID returns the uuid of the player that a lookup leads to.
func lookupUUID(id string) string { return id[strings.LastIndex(id, lookupSeparator)+1:] }

// lookupValues are the values by which a player is looked up; those that are empty are not.
type lookupValues struct{ fold, username, guild, party, address string }

// ids returns the ids of the lookups of a player; "" for a value that is empty.
func (v lookupValues) ids(uuid string) []string {
	of := func(kind lookupKind, value string) string {
		if value == "" {
			return ""
		}
		return kind.prefix(value) + uuid
	}
	return []string{
		nameLookup(v.fold, v.username, uuid), of(lookupGuild, v.guild), of(lookupParty, v.party),
		of(lookupAddress, v.address),
	}
}

// nameLookup returns the id of the lookup of a name; "" when the name is empty.
func nameLookup(fold, username, uuid string) string {
	if fold == "" {
		return ""
	}
	return lookupName.prefix(fold) + lookupText(username) + lookupSeparator + uuid
}

// lookupValuesOf returns the values of an encoded player, which may be malformed.
func lookupValuesOf(player bson.Raw) lookupValues {
	text := func(path ...string) string { v, _ := player.Lookup(path...).StringValueOK(); return v }
	return lookupValues{text("nameFold"), text("username"), text("guild", "uuid"), text("party"), text("address")}
}

// findLookups reads the ids of lookups.
func findLookups(ctx context.Context, c *conn.Collection, filter bson.D, o *options.FindOptionsBuilder) (
	[]string, error,
) {
	return conn.Find(ctx, c, filter, func(ctx context.Context, cursor *driver.Cursor) (ids []string, err error) {
		for cursor.Next(ctx) {
			id, _ := cursor.Current.Lookup("_id").StringValueOK()
			ids = append(ids, id)
		}
		return ids, cursor.Err()
	}, o.SetProjection(projection("_id")))
}

// find returns the uuids of the players that may have one of some values, each once.
func (s *LookupStore) find(ctx context.Context, kind lookupKind, values []string) ([]string, error) {
	var uuids []string
	for part := range slices.Chunk(values, maxLookupRanges) {
		filter := kind.lookupsOf(part[0])
		if len(part) > 1 {
			filter = bson.D{{Key: "$or", Value: each(part, kind.lookupsOf)}}
		}
		ids, err := findLookups(ctx, s.db.Collection(PlayerLookups), filter, options.Find())
		if err != nil {
			return nil, err
		}
		uuids = append(uuids, each(ids, lookupUUID)...)
	}
	slices.Sort(uuids)
	return slices.Compact(uuids), nil
}

// byLookup reads the players that have one of some values, and perhaps others. Those of a value are in the order of
// name and uuid.
func (s *PlayerStore) byLookup(ctx context.Context, kind lookupKind, values []string) (
	found []*model.Player, bad []malformed, err error,
) {
	if len(values) == 0 {
		return nil, nil, nil
	}
	uuids, err := s.store.Lookups.find(ctx, kind, values)
	if err != nil || len(uuids) == 0 {
		return nil, nil, err
	}
	if found, bad, err = findAll[model.Player](ctx, s.db.Collection(Players), withID(in(uuids))); err != nil {
		return nil, nil, err
	}
	slices.SortFunc(found, func(a, b *model.Player) int {
		if kind != lookupName {
			return strings.Compare(a.UUID, b.UUID)
		}
		return cmp.Or(strings.Compare(a.Username, b.Username), strings.Compare(a.UUID, b.UUID))
	})
	return found, bad, nil
}
