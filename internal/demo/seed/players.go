package seed

import (
	"iter"
	"math"

	"gamedata/graph/model"
)

// Players generates the players of a world with their characters, in a fixed order, the cast first. Records
// may share parts, which must not be changed.
func Players(o Options) iter.Seq2[*model.Player, []*model.Character] {
	return func(yield func(*model.Player, []*model.Character) bool) {
		now := o.Timestamp()
		for i := range o.Players {
			if !yield(planOf(o, now, i).player()) {
				return
			}
		}
	}
}

func (p *plan) player() (*model.Player, []*model.Character) {
	all := make([]*figures, len(p.characters))
	characters := make([]*model.Character, len(p.characters))
	for i := range p.characters {
		all[i] = p.record(&p.characters[i])
		characters[i] = &all[i].Character
	}
	first, last := p.now.Add(-p.age), p.now.Add(-p.away)
	out := &model.Player{
		UUID: p.uuid, Username: p.username, Online: p.online, Address: p.Address, Rules: p.rules, Veteran: &p.Veteran,
		FirstJoinedAt: &first, LastJoinedAt: &last, Wallpaper: p.wallpaper, Avatar: p.avatar, Banned: p.Banned,
		Ranking: []*model.RankPosition{}, PreviousRanking: []*model.RankPosition{},
		GuildHistory: []*model.GuildHistoryEntry{},
	}
	setRank(out, p.Rank, p.Support)
	if p.NoRankDrawn {
		out.RankBadge, out.RankColours, out.ShortenedRank, out.Veteran = nil, nil, nil, nil
	}
	if p.Nickname != "" {
		out.Nickname = &p.Nickname
	}
	if p.Server != "" {
		out.World = &p.Server
	}
	if p.active >= 0 && p.active < len(characters) {
		out.ActiveCharacter = &characters[p.active].UUID
	}
	p.setCompany(out)
	done := p.total(out, all)
	if p.guild >= 0 {
		g := guild(p.seed, p.guild)
		g.Rank, g.RankStars = &guildRanks[p.guildRank], &guildStars[p.guildRank]
		out.Guild = &g
		p.setMembership(out)
	}
	p.setGuildRaids(out, done)
	p.setGambits(out, done)
	out.Featured = featuredStats(out, p.Featured)
	return out, characters
}

// total adds up the characters and returns the completions of each raid.
func (p *plan) total(out *model.Player, all []*figures) (done [raidCount]int64) {
	g := &model.PlayerTotals{Pvp: &model.PvpStats{Kills: new(int64), Deaths: new(int64)}}
	for _, counter := range model.PlayerCounters {
		for _, f := range all {
			if counter.Number != nil {
				*counter.Number(g) += counter.NumberOf(&f.Character)
			}
		}
		if counter.ListOf != nil {
			*counter.List(g) = sum(all, counter.ListOf)
		}
	}
	hours := 0.0
	for _, f := range all {
		*g.Pvp.Kills += *f.Pvp.Kills
		*g.Pvp.Deaths += *f.Pvp.Deaths
		hours += *f.Playtime
		for i, n := range f.raidCounts {
			done[i] += n
		}
	}
	g.RaidStats = raidStats(p.r, g.Raids.Total)
	out.Totals, out.Playtime = g, new(math.Round(hours*100)/100)
	return done
}
