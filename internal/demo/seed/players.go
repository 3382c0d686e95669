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
		now := o.timestamp()
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
		UUID: p.uuid, Username: p.username, Online: p.online, Address: p.address, Rules: p.rules, Veteran: &p.veteran,
		FirstJoin: &first, LastJoin: &last, Wallpaper: p.wallpaper, Avatar: p.avatar, Banned: p.banned,
		Ranking: []*model.RankPosition{}, PreviousRanking: []*model.RankPosition{},
		GuildHistory: []*model.GuildHistoryEntry{},
	}
	setRank(out, p.rank, p.support)
	if p.noRankDrawn {
		out.RankBadge, out.LegacyRankColour, out.ShortenedRank, out.Veteran = nil, nil, nil, nil
	}
	if p.nickname != "" {
		out.Nickname = &p.nickname
	}
	if p.server != "" {
		out.Server = &p.server
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
	out.Featured = featuredStats(out, p.featured)
	return out, characters
}

// total adds up the characters and returns the completions of each raid.
func (p *plan) total(out *model.Player, all []*figures) [raidCount]int64 {
	var done [raidCount]int64
	var pvp struct{ kills, deaths int64 }
	g := &model.PlayerGlobalData{}
	var hours float64
	for _, f := range all {
		g.ContentCompletion += f.content
		g.Wars += f.wars
		g.TotalLevel += int64(f.TotalLevel)
		g.MobsKilled += f.mobs
		g.ChestsFound += f.chests
		g.WorldEvents += f.events
		g.Lootruns += f.lootruns
		g.Caves += f.caves
		g.CompletedQuests += int64(len(f.Quests))
		pvp.kills += f.kills
		pvp.deaths += f.killed
		hours += f.playtime
		for i, n := range f.raidCounts {
			done[i] += n
		}
	}
	g.Pvp = &model.PvpStats{Kills: &pvp.kills, Deaths: &pvp.deaths}
	g.Dungeons = sum(all, func(f *figures) *model.CountList { return &f.dungeons })
	g.Raids = sum(all, func(f *figures) *model.CountList { return &f.raids })
	g.RaidStats = raidStats(p.r, g.Raids.Total)
	hours = math.Round(hours*100) / 100
	out.GlobalData, out.Playtime = g, &hours
	return done
}
