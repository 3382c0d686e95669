package demo

import (
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// boards holds the leaderboards of the past.
type boards struct {
	places map[string][]leaderboard.Place // of players by uuid, as of their last session
	tops   []mongo.BoardTop
}

// catalogue returns the leaderboards at a time.
func (p *past) catalogue(now time.Time) *leaderboard.Catalogue {
	return leaderboard.NewCatalogue(leaderboard.Fixed(model.KnownRaids), p.setting.Seasons, now)
}

// update recomputes the places of players.
func (b *boards) update(p *past, now time.Time, players ...*model.Player) {
	catalogue := p.catalogue(now)
	for _, player := range players {
		b.places[player.UUID], _ = leaderboard.Places(player.UUID, catalogue.OfPlayer(player, p.characters[player.UUID]))
	}
}

// each calls do with each place on each leaderboard.
func (b *boards) each(p *past, now time.Time, do func(board string, key leaderboard.Key)) {
	catalogue := p.catalogue(now)
	for _, player := range p.order {
		for _, place := range b.places[player.UUID] {
			do(place.Board, place.Key)
		}
	}
	for _, g := range p.setting.Guilds {
		places, _ := leaderboard.Places(g.UUID, catalogue.OfGuild(g))
		for _, place := range places {
			do(place.Board, place.Key)
		}
	}
}

// record records the first entries of the leaderboards that still change.
func (b *boards) record(p *past, now time.Time) {
	tops := map[string][]leaderboard.Key{}
	b.each(p, now, func(board string, key leaderboard.Key) {
		top := tops[board]
		if len(top) == leaderboard.TopSize && top[len(top)-1].Compare(key) <= 0 {
			return
		}
		at, _ := slices.BinarySearchFunc(top, key, leaderboard.Key.Compare)
		top = slices.Insert(top, at, key)
		tops[board] = top[:min(len(top), leaderboard.TopSize)]
	})
	for _, board := range p.catalogue(now).All {
		if top := tops[board.Name]; top != nil && board.Changes(now) {
			b.tops = append(b.tops, mongo.BoardTop{
				BoardDay: mongo.BoardDay{Board: board.Name, Day: now.Truncate(day)}, Entries: leaderboard.PackTop(top),
			})
		}
	}
}

// rank gives players and guilds their positions at the beginning of the present day.
func (b *boards) rank(p *past, now time.Time) {
	keys := map[string][]leaderboard.Key{}
	b.each(p, now, func(board string, key leaderboard.Key) { keys[board] = append(keys[board], key) })
	ranking := map[string][]*model.RankPosition{}
	for _, board := range p.catalogue(now).All {
		slices.SortFunc(keys[board.Name], leaderboard.Key.Compare)
		for i, key := range keys[board.Name] {
			uuid := key.UUID()
			list := ranking[uuid]
			if n := len(list); n == 0 || list[n-1].Type != board.Name { // the best character counts
				ranking[uuid] = append(list, &model.RankPosition{Type: board.Name, Position: i + 1})
			}
		}
	}
	for _, player := range p.order {
		player.PreviousRanking = append(player.PreviousRanking[:0], ranking[player.UUID]...)
		player.PreviousRankingAt = &now
	}
	for _, g := range p.setting.Guilds {
		g.PreviousRanking = append(g.PreviousRanking[:0], ranking[g.UUID]...)
		g.PreviousRankingAt = &now
	}
}
