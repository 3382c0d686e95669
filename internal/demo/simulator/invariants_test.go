package simulator

import (
	"fmt"
	"slices"

	"gamedata/graph/model"
	"gamedata/internal/feed"
	"gamedata/mongo"
)

// violations lists inconsistencies that a game never leaves in its records.
func violations(r Records) (out []string) {
	report := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	guilds := map[string]*model.Guild{}
	for _, g := range r.Guilds {
		guilds[g.UUID] = g
		var raids int64
		for _, t := range g.RaidTallies {
			raids += t.Completions
		}
		if g.TotalGuildRaids != raids || g.XPPercent < 0 || g.XPPercent > 100 {
			report("guild %s: %d raids, tallies %d, %d%%", g.Name, g.TotalGuildRaids, raids, g.XPPercent)
		}
	}
	owners := map[string]int{}
	for i, p := range r.Players {
		playerViolations(report, p, r.Characters[i])
		if p.Guild != nil {
			if g := guilds[p.Guild.UUID]; g != nil && (g.Name != p.Guild.Name || g.Prefix != p.Guild.Prefix) {
				report("%s has %s as %s", p.Username, g.Name, p.Guild.Name)
			}
			if p.Guild.Rank == nil || p.Guild.RankStars == nil || !slices.Contains(mongo.GuildRanks, *p.Guild.Rank) {
				report("%s has no rank in %s", p.Username, p.Guild.Name)
			} else if *p.Guild.Rank == "OWNER" {
				owners[p.Guild.UUID]++
			}
		}
		if (p.Guild == nil) != (p.Membership == nil) {
			report("%s: guild %v, membership %v", p.Username, p.Guild, p.Membership)
		}
	}
	for uuid, n := range owners {
		if n > 1 {
			report("guild %s has %d owners", uuid, n)
		}
	}
	territoryViolations(report, r.Territories, guilds)
	return out
}

func playerViolations(report func(string, ...any), p *model.Player, characters []*model.Character) {
	active := p.ActiveCharacter != nil && slices.ContainsFunc(characters,
		func(c *model.Character) bool { return c.UUID == *p.ActiveCharacter })
	switch {
	case p.World != nil && (!p.Online || !active || p.Location == nil):
		report("%s: on %s, online %v, plays %v, at %v", p.Username, *p.World, p.Online, p.ActiveCharacter, p.Location)
	case p.World == nil && (p.ActiveCharacter != nil || p.Location != nil):
		report("%s plays but is on no world", p.Username)
	case !p.Online && (p.Address != "" || p.Party != ""):
		report("%s is offline with address %q, party %q", p.Username, p.Address, p.Party)
	}
	levels, quests, content := 0, 0, int64(0)
	for _, c := range characters {
		if c.Owner != p.UUID || c.Level < 1 || c.Level > maxLevel || c.XPPercent < 0 || c.XPPercent > 100 || c.XP < 0 {
			report("%s: character of %s, level %d %d%%, xp %d", c.UUID, c.Owner, c.Level, c.XPPercent, c.XP)
		}
		total := c.Level
		for _, profession := range model.ProfessionList {
			at := profession.Of(c.ProfessionLevels)
			if at.Level < 1 || at.Level > maxProfessionLevel || at.XpPercent < 0 || at.XpPercent > 100 {
				report("%s: %s %d %d%%", c.UUID, profession.Name, at.Level, at.XpPercent)
			}
			total += at.Level
		}
		if total != c.TotalLevel {
			report("%s: totalLevel %d, levels %d", c.UUID, c.TotalLevel, total)
		}
		if distinct := slices.Clone(c.Quests); len(slices.Compact(slices.Sorted(slices.Values(distinct)))) != len(c.Quests) {
			report("%s has a duplicate quest", c.UUID)
		}
		listViolation(report, c.UUID+" dungeons", c.Dungeons)
		listViolation(report, c.UUID+" raids", c.Raids)
		levels, quests, content = levels+c.TotalLevel, quests+len(c.Quests), content+*c.ContentCompletion
	}
	g := p.Totals
	if g == nil {
		return
	}
	if g.TotalLevel != int64(levels) || g.CompletedQuests != int64(quests) || g.ContentCompletion != content {
		report("%s: totalLevel %d of %d, quests %d of %d, content %d of %d", p.Username, g.TotalLevel, levels,
			g.CompletedQuests, quests, g.ContentCompletion, content)
	}
	listViolation(report, p.Username+" dungeons", g.Dungeons)
	listViolation(report, p.Username+" raids", g.Raids)
	listViolation(report, p.Username+" guildRaids", g.GuildRaids)
	if (g.Raids.Total > 0) != (g.RaidStats != nil) {
		report("%s: %d raids, stats %v", p.Username, g.Raids.Total, g.RaidStats)
	}
	var history int64
	for _, h := range p.GuildHistory {
		listViolation(report, p.Username+" in "+h.Name, h.GuildRaids)
		if h.GuildRaids.Total < 1 {
			report("%s has a history without raids", p.Username)
		}
		history += h.GuildRaids.Total
	}
	if g.GuildRaids != nil && g.GuildRaids.Total != history {
		report("%s: %d guild raids, history %d", p.Username, g.GuildRaids.Total, history)
	}
}

func listViolation(report func(string, ...any), where string, l *model.CountList) {
	if l == nil {
		return
	}
	var sum int64
	for _, n := range l.List {
		sum += n.Count
	}
	if sum != l.Total {
		report("%s: total %d, list %d", where, l.Total, sum)
	}
}

func territoryViolations(report func(string, ...any), land []*model.Territory, guilds map[string]*model.Guild) {
	headquarters := map[string]string{}
	for _, t := range land {
		if t.Hq {
			if t.Guild.UUID == nil || headquarters[*t.Guild.UUID] != "" {
				report("%s is a second headquarters, or has no owner", t.Name)
			} else {
				headquarters[*t.Guild.UUID] = t.Name
			}
		}
	}
	for _, t := range land {
		if t.Guild.UUID == nil {
			if t.Guild.Name != nil || t.Guild.Hq != nil {
				report("%s has no owner but the name or headquarters of one", t.Name)
			}
			continue
		}
		g := guilds[*t.Guild.UUID]
		if g == nil || g.Name != *t.Guild.Name || g.Prefix != *t.Guild.Prefix || t.AcquiredAt == nil {
			report("%s is held by %s since %v", t.Name, *t.Guild.Name, t.AcquiredAt)
			continue
		}
		if t.Guild.Hq != nil {
			report("%s stores the headquarters of %s", t.Name, g.Name)
		}
		for _, r := range t.Resources {
			if r.Stored < 0 || r.Stored > r.Limit {
				report("%s stores %d %s of %d", t.Name, r.Stored, r.Type, r.Limit)
			}
		}
		if !slices.Contains(feed.Strengths, t.Treasury) || !slices.Contains(feed.Strengths, t.Defences) {
			report("%s has treasury %s, defences %s", t.Name, t.Treasury, t.Defences)
		}
	}
}

// owners returns the uuid of the guild that holds each territory, empty for none.
func owners(land []*model.Territory) map[string]string {
	out := map[string]string{}
	for _, t := range land {
		out[t.Name] = ""
		if t.Guild.UUID != nil {
			out[t.Name] = *t.Guild.UUID
		}
	}
	return out
}

// strayCaptures returns territories that a guild captured in a step although it holds others and none of
// them is linked to it.
func strayCaptures(land []*model.Territory, before map[string]string) (out []string) {
	after := owners(land)
	for _, t := range land {
		by := after[t.Name]
		if by == before[t.Name] || by == "" {
			continue
		}
		linked, others := false, 0
		for _, other := range land {
			if other != t && after[other.Name] == by && before[other.Name] == by {
				others++
			}
			if (before[other.Name] == by || after[other.Name] == by) && slices.Contains(other.LinkNames, t.Name) {
				linked = true
			}
		}
		if others > 0 && !linked {
			out = append(out, t.Name)
		}
	}
	return out
}
