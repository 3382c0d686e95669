package seed

import (
	"slices"
	"strings"

	"gamedata/graph/model"
)

// board is a leaderboard of players or characters (WIRE-CONTENT §12.2) and what counts on
// it; a score of 0 is not on it.
type board struct {
	name  string
	score func(*model.Player, []*figures) int64
}

// best is the highest score of a single character.
func best(of func(*figures) int64) func(*model.Player, []*figures) int64 {
	return func(_ *model.Player, all []*figures) (top int64) {
		for _, f := range all {
			top = max(top, of(f))
		}
		return top
	}
}

// withModes is the best content completion of a character that has all the gamemodes.
func withModes(modes ...string) func(*model.Player, []*figures) int64 {
	return best(func(f *figures) int64 {
		for _, m := range modes {
			if !slices.Contains(f.Gamemode, m) {
				return 0
			}
		}
		return f.content
	})
}

// boards of one player: those that rank players and those that rank characters. A player
// has a position on each that counts something of hers.
var boards = func() []board {
	var list []board
	for i, name := range strings.Fields(`fishing woodcutting mining farming scribing jeweling alchemism cooking weaponsmithing
		tailoring woodworking armouring`) {
		list = append(list, board{name + "Level", best(func(f *figures) int64 { return int64(f.progress[i].Level) })})
	}
	list = append(list, []board{
		{"professionsSoloLevel", best(func(f *figures) int64 { return int64(f.professionLevels) })},
		{"combatSoloLevel", best(func(f *figures) int64 { return int64(f.Level) })},
		{"totalSoloLevel", best(func(f *figures) int64 { return int64(f.TotalLevel) })},
		{"professionsGlobalLevel", global},
		{"combatGlobalLevel", global},
		{"totalGlobalLevel", global},
		{"playerContent", best(func(f *figures) int64 { return f.content })},
		{"globalPlayerContent", func(p *model.Player, _ []*figures) int64 { return p.GlobalData.ContentCompletion }},
		{"craftsmanContent", withModes(craft)},
		{"ironmanContent", withModes(ironman)},
		{"ultimateIronmanContent", withModes(ultimate)},
		{"hardcoreContent", withModes(hardcore)},
		{"huntedContent", withModes(hunted)},
		{"huicContent", withModes(hardcore, ultimate, craft)},
		{"huichContent", withModes(hardcore, ultimate, craft, hunted)},
		{"hicContent", withModes(hardcore, ironman, craft)},
		{"hichContent", withModes(hardcore, ironman, craft, hunted)},
		{"hardcoreLegacyLevel", best(func(f *figures) int64 {
			if slices.Contains(f.Gamemode, hardcore) {
				return int64(f.TotalLevel)
			}
			return 0
		})},
		{"warsCompletion", func(p *model.Player, _ []*figures) int64 { return p.GlobalData.Wars }},
	}...)
	for _, suffix := range []string{"Completion", "SrPlayers"} {
		for i, raid := range raids {
			list = append(list, board{raid.board + suffix, func(_ *model.Player, all []*figures) (n int64) {
				for _, f := range all {
					n += f.raidCounts[i]
				}
				return n
			}})
		}
	}
	for i, raid := range raids {
		list = append(list, board{raid.board + "SrGPlayers", func(p *model.Player, _ []*figures) int64 {
			if p.GlobalData.GuildRaids == nil {
				return 0
			}
			return p.GlobalData.GuildRaids.List[i].Count
		}})
	}
	return list
}()

func global(p *model.Player, _ []*figures) int64 { return p.GlobalData.TotalLevel }

// block is how many players share out as many positions of a board among them: no
// position is given twice, and none lies far beyond the number of players.
const block = 1024

// place writes positions on the boards that count something of the player. They are
// plausible, not computed: that is the work of a refresh of the leaderboards.
func (p *plan) place(out *model.Player, all []*figures) {
	first, in := p.index/block*block, uint64(p.index%block)
	shuffle := source(p.seed, forRanking, uint64(p.index/block))
	positions := make([]model.RankPosition, 0, 2*len(boards))
	add := func(to *[]*model.RankPosition, name string, position uint64) {
		positions = append(positions, model.RankPosition{Type: name, Position: first + int(position) + 1})
		*to = append(*to, &positions[len(positions)-1])
	}
	for _, b := range boards {
		// An odd factor and a bitwise xor keep the numbers of a block distinct.
		factor, offset, moved := shuffle.Uint64()|1, shuffle.Uint64N(block), shuffle.Uint64N(4)*shuffle.Uint64N(4)
		if b.score(out, all) > 0 {
			position := (in*factor + offset) % block
			add(&out.Ranking, b.name, position)
			add(&out.PreviousRanking, b.name, position^moved)
		}
	}
}
