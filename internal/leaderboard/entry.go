package leaderboard

import (
	"slices"
	"strings"

	"gamedata/graph/model"
)

// Entry is a place somebody earned on a board.
type Entry struct {
	Board *Board
	// MetaScore is above 0.
	MetaScore int64
	// Character is the uuid of the character, empty on boards of players and guilds.
	Character string
}

// OfPlayer gives the entries of a player, board by board in the order of the catalogue: the
// best character once where a board holds characters, every character with the modes where
// it holds those, the best first.
func (c *Catalogue) OfPlayer(p *model.Player, characters []*model.Character) []Entry {
	var out []Entry
	for _, b := range c.All {
		switch b.Kind {
		case ofPlayer:
			if meta := b.metaScore(Subject{Player: p, Characters: characters}); meta > 0 {
				out = append(out, Entry{b, meta, ""})
			}
		case ofCharacter:
			if all := b.ofEach(p, characters); len(all) > 0 {
				out = append(out, slices.MinFunc(all, better))
			}
		case ofGamemode:
			all := b.ofEach(p, characters)
			slices.SortFunc(all, better)
			out = append(out, all...)
		}
	}
	return out
}

func (b *Board) ofEach(p *model.Player, characters []*model.Character) []Entry {
	var out []Entry
	for _, c := range characters {
		if !b.takes(c) {
			continue
		}
		if meta := b.metaScore(Subject{Player: p, Character: c}); meta > 0 {
			out = append(out, Entry{b, meta, c.UUID})
		}
	}
	return out
}

// better orders the characters of one player as the board does.
func better(a, b Entry) int {
	switch {
	case a.MetaScore > b.MetaScore:
		return -1
	case a.MetaScore < b.MetaScore:
		return 1
	}
	return strings.Compare(a.Character, b.Character)
}

// OfGuild gives the entries of a guild in the order of the catalogue. Boards computed on
// request have none.
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
