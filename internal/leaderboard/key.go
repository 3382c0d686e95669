package leaderboard

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
)

// KeySize is the size of a Key in bytes.
const KeySize = 40

// Key is an entry of a stored board: metaScore, uuid of the player or guild, uuid of the
// character or zeros. The bytes are laid out so that their order is the board's: metaScore
// highest first, equal ones by uuid, then by character.
type Key [KeySize]byte

// NewKey packs an entry; false when one of the uuids is none in lower case with dashes.
// An empty character stands for none.
func NewKey(metaScore int64, uuid, character string) (k Key, ok bool) {
	binary.BigEndian.PutUint64(k[:8], ^uint64(metaScore))
	ok = packUUID(k[8:24], uuid) && (character == "" || packUUID(k[24:], character))
	return k, ok
}

// MetaScore of the entry.
func (k Key) MetaScore() int64 { return int64(^binary.BigEndian.Uint64(k[:8])) }

// UUID of the player or guild.
func (k Key) UUID() string { return unpackUUID(k[8:24]) }

// Character is the uuid of the character, empty when there is none.
func (k Key) Character() string {
	if [16]byte(k[24:]) == [16]byte{} {
		return ""
	}
	return unpackUUID(k[24:])
}

// Compare orders keys as the board does.
func (k Key) Compare(other Key) int { return bytes.Compare(k[:], other[:]) }

// dashes are the places of the dashes in a uuid's text.
var dashes = [4]int{8, 13, 18, 23}

func packUUID(dst []byte, s string) bool {
	if len(s) != 36 {
		return false
	}
	var digits [32]byte
	n := 0
	for i := range len(s) {
		switch c := s[i]; {
		case i == dashes[0] || i == dashes[1] || i == dashes[2] || i == dashes[3]:
			if c != '-' {
				return false
			}
		case '0' <= c && c <= '9' || 'a' <= c && c <= 'f':
			digits[n] = c
			n++
		default:
			return false
		}
	}
	_, err := hex.Decode(dst, digits[:])
	return err == nil
}

func unpackUUID(src []byte) string {
	var out [36]byte
	hex.Encode(out[:8], src[:4])
	hex.Encode(out[9:13], src[4:6])
	hex.Encode(out[14:18], src[6:8])
	hex.Encode(out[19:23], src[8:10])
	hex.Encode(out[24:], src[10:16])
	for _, at := range dashes {
		out[at] = '-'
	}
	return string(out[:])
}

// PackKey is NewKey for uuids that are packed already; zeros stand for no character.
func PackKey(metaScore int64, uuid, character [16]byte) (k Key) {
	binary.BigEndian.PutUint64(k[:8], ^uint64(metaScore))
	copy(k[8:], uuid[:])
	copy(k[24:], character[:])
	return k
}
