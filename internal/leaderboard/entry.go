package leaderboard

import (
	"cmp"
	"slices"

	"gamedata/graph/model"
)

// Entry is a player's, character's or guild's entry on a board.
type Entry struct {
	Board     *Board
	MetaScore int64  // above 0
	Character string // uuid, empty on boards of players and guilds
}

// OfPlayer returns the entries of a player in the order of the catalogue: the best character on each
// character board, and on each gamemode board every character that has the modes, best first. A banned
// player has none.
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

// better orders the characters of one player as the board does.
func better(a, b Entry) int {
	return cmp.Or(cmp.Compare(b.MetaScore, a.MetaScore), cmp.Compare(a.Character, b.Character))
}

// OfGuild returns the entries of a guild in the order of the catalogue, without boards that are
// computed on request.
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
