package feed

import (
	"reflect"
	"strings"

	"github.com/google/uuid"
)

// The ids that events refer to records by. A uuid is accepted with or without dashes, in any case.
type (
	// PlayerID is the uuid of a player.
	PlayerID string
	// CharacterID is the uuid of a character.
	CharacterID string
	// GuildID is the uuid of a guild.
	GuildID string
	// TerritoryName is the name of a territory.
	TerritoryName string
)

// UnmarshalText checks and normalises a uuid.
func (id *PlayerID) UnmarshalText(text []byte) error { return parseUUID(id, text) }

// UnmarshalText checks and normalises a uuid.
func (id *CharacterID) UnmarshalText(text []byte) error { return parseUUID(id, text) }

// UnmarshalText checks and normalises a uuid.
func (id *GuildID) UnmarshalText(text []byte) error { return parseUUID(id, text) }

func parseUUID[T ~string](to *T, text []byte) error {
	parsed, err := uuid.ParseBytes(text)
	if err != nil || len(text) != 36 && len(text) != 32 {
		return invalid("", "%q is not a uuid", text)
	}
	*to = T(parsed.String())
	return nil
}

// reference is a reference of an event to a record.
type reference struct {
	field string // the path in JSON
	kind  reflect.Type
	id    string
	// optional: the field may be left out. added: the event adds the record. deleted: the event deletes
	// the record and may come again.
	optional, added, deleted bool
}

var (
	playerID      = reflect.TypeFor[PlayerID]()
	characterID   = reflect.TypeFor[CharacterID]()
	guildID       = reflect.TypeFor[GuildID]()
	territoryName = reflect.TypeFor[TerritoryName]()
)

// nouns name the kinds of references.
var nouns = map[reflect.Type]string{
	playerID: "player", characterID: "character", guildID: "guild", territoryName: "territory",
}

// references lists the references of an event. A field with the tag `feed:"added"` is the id of a record
// that the event adds, one with `feed:"deleted"` of one that it deletes; one with omitempty is optional.
func references(e Event) []reference {
	var out []reference
	walk(reflect.ValueOf(e).Elem(), reference{}, &out)
	return out
}

func walk(v reflect.Value, at reference, out *[]reference) {
	switch {
	case nouns[v.Type()] != "":
		at.kind, at.id = v.Type(), v.String()
		*out = append(*out, at)
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), at, out)
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if !f.IsExported() {
				continue
			}
			inner := reference{field: at.field}
			name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name != "" {
				inner.field = strings.TrimPrefix(at.field+"."+name, ".")
			}
			inner.optional = strings.Contains(options, "omitempty")
			mode := f.Tag.Get("feed")
			inner.added, inner.deleted = mode == "added", mode == "deleted"
			walk(v.Field(i), inner, out)
		}
	}
}
