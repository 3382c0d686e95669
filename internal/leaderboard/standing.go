package leaderboard

import (
	"errors"
)

// Standing is the packed list of the entries that one player or guild may have on boards:
// what a refresh has to look for to take them away again. Each is the length of the
// board's name in a byte, the name, the metaScore and the uuid of the character.
type Standing []byte

// Place is one entry of a standing.
type Place struct {
	Board string
	Key   Key
}

// Stand packs the entries of a uuid in the order given.
func Stand(places []Place) Standing {
	var out Standing
	for _, p := range places {
		out = append(out, byte(len(p.Board)))
		out = append(out, p.Board...)
		out = append(out, p.Key[:8]...)
		out = append(out, p.Key[24:]...)
	}
	return out
}

var errStanding = errors.New("a standing is cut off")

// Places unpacks the entries of a uuid.
func (s Standing) Places(uuid string) ([]Place, error) {
	var self Key
	if !packUUID(self[8:24], uuid) {
		return nil, errors.New("a standing of no uuid")
	}
	var out []Place
	for len(s) > 0 {
		name, rest := int(s[0]), s[1:]
		if len(rest) < name+24 {
			return nil, errStanding
		}
		k := self
		copy(k[:8], rest[name:])
		copy(k[24:], rest[name+8:])
		out = append(out, Place{string(rest[:name]), k})
		s = rest[name+24:]
	}
	return out, nil
}

// Places are entries as standings and pages hold them; false when a uuid is none.
func Places(uuid string, entries []Entry) ([]Place, bool) {
	out := make([]Place, len(entries))
	for i, e := range entries {
		k, ok := NewKey(e.MetaScore, uuid, e.Character)
		if !ok {
			return nil, false
		}
		out[i] = Place{e.Board.Name, k}
	}
	return out, true
}
