package feed

import (
	"slices"
	"time"

	"gamedata/graph/model"
)

// RaidRun is a raid that a party completed.
type RaidRun struct {
	// Raid is its name.
	Raid string
	// Guild is the guild of all raiders in a guild raid, else nil.
	Guild   *model.Guild
	Raiders []Raider
}

// Raider is a member of the party and what the player did in the run.
type Raider struct {
	Player    *model.Player
	Character *model.Character
	Gambits   model.GambitCounts
	// Stats are added to the player's raidStats; GambitsUsed follows from Gambits.
	Stats model.RaidStats
}

// RaidCompleted counts a completion for each raider: in the raids of the character and the player, in
// raidStats, gambits and content completion, and for a guild raid also in guildRaids and guildHistory. The
// guild counts the run once, however many members took part, and the gambits of all raiders.
func (b *Batch) RaidCompleted(run RaidRun) {
	raiders := make([]string, len(run.Raiders))
	for i, r := range run.Raiders {
		raiders[i] = r.Player.UUID
	}
	b.record(time.Time{}, &model.RaidFinished{Raid: run.Raid, Guild: eventGuildUUID(run.Guild), Players: raiders})
	for _, r := range run.Raiders {
		own, all := b.character(r.Character), b.player(r.Player)
		own.complete("raids", &r.Character.Raids, run.Raid)
		own.tally("contentCompletion", &r.Character.ContentCompletion, 1)
		all.countGambits(r.Player, run, r.Gambits)
		data := r.Player.GlobalData
		if data == nil {
			continue
		}
		data.ContentCompletion++
		all.inc("globalData.contentCompletion", 1)
		all.complete("globalData.raids", &data.Raids, run.Raid)
		all.addRaidStats(data, r)
		if run.Guild != nil {
			all.countGuildRaid(r.Player, run)
		}
	}
	if run.Guild != nil {
		b.tallyRaid(run)
	}
}

// addRaidStats adds a run to the player's raidStats, which are null before the first run.
func (c *change) addRaidStats(data *model.PlayerGlobalData, r Raider) {
	if data.RaidStats == nil {
		data.RaidStats = &model.RaidStats{}
	}
	to, by := data.RaidStats, r.Stats
	to.DamageTaken += by.DamageTaken
	to.DamageDealt += by.DamageDealt
	to.HealthHealed += by.HealthHealed
	to.Deaths += by.Deaths
	to.BuffsTaken += by.BuffsTaken
	to.GambitsUsed += r.Gambits.Ten + r.Gambits.Twenty + r.Gambits.Thirty
	c.set("globalData.raidStats", to)
}

func (c *change) countGambits(p *model.Player, run RaidRun, used model.GambitCounts) {
	if used == (model.GambitCounts{}) {
		return
	}
	at := slices.IndexFunc(p.Gambits, func(g *model.RaidGambits) bool { return g.Raid == run.Raid })
	if at < 0 {
		at, p.Gambits = len(p.Gambits), append(p.Gambits, &model.RaidGambits{Raid: run.Raid})
	}
	addGambits(&p.Gambits[at].All, used)
	if run.Guild != nil {
		addGambits(&p.Gambits[at].Guild, used)
	}
	c.set("gambits", p.Gambits)
}

func addGambits(to *model.GambitCounts, by model.GambitCounts) {
	to.Ten += by.Ten
	to.Twenty += by.Twenty
	to.Thirty += by.Thirty
}

// countGuildRaid counts a guild raid of a player in guildRaids and in the history, newest guild first.
func (c *change) countGuildRaid(p *model.Player, run RaidRun) {
	if p.GlobalData.GuildRaids == nil {
		p.GlobalData.GuildRaids = zeroRaids()
	}
	c.complete("globalData.guildRaids", &p.GlobalData.GuildRaids, run.Raid)
	at := slices.IndexFunc(p.GuildHistory, func(e *model.GuildHistoryEntry) bool { return e.UUID == run.Guild.UUID })
	if at < 0 {
		at = 0
		p.GuildHistory = slices.Insert(p.GuildHistory, 0, &model.GuildHistoryEntry{
			UUID:       run.Guild.UUID,
			GuildRaids: zeroRaids(),
		})
	}
	e := p.GuildHistory[at]
	e.Name, e.Prefix = run.Guild.Name, run.Guild.Prefix
	countUp(e.GuildRaids, run.Raid)
	c.set("guildHistory", p.GuildHistory)
}

// zeroRaids returns a list of all raids with count 0, as guildRaids has them.
func zeroRaids() *model.CountList {
	out := &model.CountList{List: make([]*model.NamedCount, len(model.Raids))}
	for i, name := range model.Raids {
		out.List[i] = &model.NamedCount{Name: name}
	}
	return out
}

func (b *Batch) tallyRaid(run RaidRun) {
	g := run.Guild
	at := slices.IndexFunc(g.RaidTallies, func(t *model.RaidTally) bool { return t.Raid == run.Raid })
	if at < 0 {
		at, g.RaidTallies = len(g.RaidTallies), append(g.RaidTallies, &model.RaidTally{Raid: run.Raid})
	}
	tally := g.RaidTallies[at]
	tally.Completions++
	for _, r := range run.Raiders {
		addGambits(&tally.Gambits, r.Gambits)
	}
	g.TotalGuildRaids++
	c := b.guild(g.UUID)
	c.set("raidTallies", g.RaidTallies)
	c.inc("totalGuildRaids", 1)
	b.flag(g)
}

// flag flags a guild for the next refresh of the leaderboards.
func (b *Batch) flag(g *model.Guild) {
	g.Flagged = true
	b.guild(g.UUID).set("flagged", true)
}
