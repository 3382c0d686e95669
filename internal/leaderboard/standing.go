package leaderboard

import "errors"

// Standing is the packed list of all entries of one player or guild, by which a refresh finds the
// entries to remove. Each is a byte with the length of the board's name, the name, the metaScore and the
// uuid of the character.
type Standing []byte

// Place is an entry of a standing.
type Place struct {
	Board string
	Key   Key
}

// PackStanding packs the places of one subject, in their order.
func PackStanding(places []Place) Standing {
	var out Standing
	for _, p := range places {
		out = append(out, byte(len(p.Board)))
		out = append(out, p.Board...)
		out = append(out, p.Key[:8]...)
		out = append(out, p.Key[24:]...)
	}
	return out
}

var errTruncatedStanding = errors.New("truncated standing")

// Places unpacks the standing of a uuid.
func (s Standing) Places(subject string) ([]Place, error) {
	id, ok := ParseUUID(subject)
	if !ok {
		return nil, errors.New("invalid uuid of a standing")
	}
	var out []Place
	for len(s) > 0 {
		name, rest := int(s[0]), s[1:]
		if len(rest) < name+24 {
			return nil, errTruncatedStanding
		}
		k := PackKey(0, id, [16]byte{})
		copy(k[:8], rest[name:])
		copy(k[24:], rest[name+8:])
		out = append(out, Place{string(rest[:name]), k})
		s = rest[name+24:]
	}
	return out, nil
}

// Places converts entries of a uuid to places; false if a uuid is invalid.
func Places(subject string, entries []Entry) ([]Place, bool) {
	out := make([]Place, len(entries))
	for i, e := range entries {
		k, ok := NewKey(e.MetaScore, subject, e.Character)
		if !ok {
			return nil, false
		}
		out[i] = Place{e.Board.Name, k}
	}
	return out, true
}
