package leaderboard

import (
	"bytes"
	"encoding/binary"
	"strings"

	"github.com/google/uuid"
)

// KeySize is the size of a Key in bytes.
const KeySize = 40

// Key is an entry of a stored board: metaScore, uuid of the player or guild, and uuid of the character or
// zeros. The order of the bytes is the order of the board: highest metaScore first, then by uuid, then
// by character.
type Key [KeySize]byte

// NewKey packs an entry. The character may be empty; ok is false unless the uuids are in lower case with dashes.
func NewKey(metaScore int64, subject, character string) (k Key, ok bool) {
	id, ok := ParseUUID(subject)
	var characterID uuid.UUID
	if ok && character != "" {
		characterID, ok = ParseUUID(character)
	}
	return PackKey(metaScore, id, characterID), ok
}

// PackKey is NewKey for binary uuids; zeros mean no character.
func PackKey(metaScore int64, subject, character [16]byte) (k Key) {
	binary.BigEndian.PutUint64(k[:8], ^uint64(metaScore))
	copy(k[8:], subject[:])
	copy(k[24:], character[:])
	return k
}

// MetaScore returns the entry's metaScore.
func (k Key) MetaScore() int64 { return int64(^binary.BigEndian.Uint64(k[:8])) }

// UUID returns the uuid of the player or guild.
func (k Key) UUID() string { return uuid.UUID(k[8:24]).String() }

// Character returns the uuid of the character, or "".
func (k Key) Character() string {
	id := uuid.UUID(k[24:])
	if id == uuid.Nil {
		return ""
	}
	return id.String()
}

// Compare orders keys as the board does.
func (k Key) Compare(other Key) int { return bytes.Compare(k[:], other[:]) }

// ParseUUID parses a uuid in lower case with dashes, the only stored form.
func ParseUUID(s string) (id uuid.UUID, ok bool) {
	if len(s) != 36 || strings.ToLower(s) != s {
		return id, false
	}
	id, err := uuid.Parse(s)
	return id, err == nil
}
