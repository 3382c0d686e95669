package leaderboard

import (
	"cmp"
	"errors"
	"slices"

	"gamedata/graph/model"
)

// Entry is a player's, character's or guild's entry on a board.
type Entry struct {
	Board     *Board
	MetaScore int64  // above 0
	Character string // uuid, empty on boards of players and guilds
}

// OfPlayer returns the entries of a player in the order of the catalogue: the best character on each character board,
// and on each gamemode board every character that has the modes, best first. A banned player has no entries.
func (c *Catalogue) OfPlayer(p *model.Player, characters []*model.Character) []Entry {
	if p.Banned {
		return nil
	}
	var out []Entry
	for _, b := range c.All {
		switch b.Kind {
		case ofPlayer:
			if meta := b.metaScore(Subject{Player: p, Characters: characters}); meta > 0 {
				out = append(out, Entry{b, meta, ""})
			}
		case ofCharacter:
			if all := b.characterEntries(p, characters); len(all) > 0 {
				out = append(out, slices.MinFunc(all, better))
			}
		case ofGamemode:
			all := b.characterEntries(p, characters)
			slices.SortFunc(all, better)
			out = append(out, all...)
		}
	}
	return out
}

func (b *Board) characterEntries(p *model.Player, characters []*model.Character) []Entry {
	var out []Entry
	for _, c := range characters {
		if !b.accepts(c) {
			continue
		}
		if meta := b.metaScore(Subject{Player: p, Character: c}); meta > 0 {
			out = append(out, Entry{b, meta, c.UUID})
		}
	}
	return out
}

// better compares the entries of two characters in board order.
func better(a, b Entry) int {
	return cmp.Or(cmp.Compare(b.MetaScore, a.MetaScore), cmp.Compare(a.Character, b.Character))
}

// OfGuild returns the entries of a guild in the order of the catalogue, without computed boards.
func (c *Catalogue) OfGuild(g *model.Guild) []Entry {
	var out []Entry
	for _, b := range c.All {
		if !b.OfGuilds() || b.Computed() {
			continue
		}
		if meta := b.metaScore(Subject{Guild: g}); meta > 0 {
			out = append(out, Entry{b, meta, ""})
		}
	}
	return out
}

// Standing is the packed list of all entries of one player or guild. A refresh needs it to find the entries to remove.
// An entry is a byte with the length of the board's name, the name, the metaScore and the uuid of the character.
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
