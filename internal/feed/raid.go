package feed

import (
	"slices"
	"time"

	"gamedata/graph/model"
)

// RaidCompletedRaider is a raider of RaidCompleted.
type RaidCompletedRaider struct {
	// Character is the one played.
	Character CharacterID `json:"character"`
	// Gambits are the numbers of gambits used by the points they give: ten, twenty, thirty.
	Gambits model.GambitCounts `json:"gambits,omitzero"`
	// Stats are what the player did in the run: damageTaken, damageDealt, healthHealed, deaths, buffsTaken.
	// gambitsUsed follows from the gambits.
	Stats model.RaidStats `json:"stats,omitzero"`
}

// RaidCompleted counts a raid for each raider, and for their guild if it was a guild raid.
type RaidCompleted struct {
	// Raid is the name of the raid.
	Raid string `json:"raid"`
	// Guild is the guild of all raiders in a guild raid; left out otherwise.
	Guild GuildID `json:"guild,omitempty"`
	// Raiders are the members of the party.
	Raiders []RaidCompletedRaider `json:"raiders"`
}

func (e *RaidCompleted) apply(g *Game) error {
	if err := e.validate(); err != nil {
		return err
	}
	event := &model.RaidFinished{Raid: e.Raid}
	guild := g.guilds.now[e.Guild]
	if guild != nil {
		event.Guild = &guild.UUID
		e.tally(guild)
	}
	for _, raider := range e.Raiders {
		c := g.characters.now[raider.Character]
		p := g.owner(c)
		event.Players = append(event.Players, p.UUID)
		raider.count(e.Raid, guild, p, c)
	}
	g.record(time.Time{}, event)
	return nil
}

func (e *RaidCompleted) validate() error {
	if len(e.Raiders) == 0 {
		return invalid("raiders", "raiders is empty")
	}
	seen := map[CharacterID]bool{}
	for _, r := range e.Raiders {
		if seen[r.Character] {
			return invalid("raiders.character", "character %s is listed twice", r.Character)
		}
		seen[r.Character] = true
	}
	return nil
}

// count counts a completion for a raider: in the raids of the character and the player, in raidStats, gambits and
// content completion, and for a guild raid also in guildRaids and guildHistory.
func (r *RaidCompletedRaider) count(raid string, guild *model.Guild, p *model.Player, c *model.Character) {
	complete(&c.Raids, raid)
	model.Add(&c.ContentCompletion, 1)
	r.countGambits(raid, guild != nil, p)
	data := p.Totals
	if data == nil {
		return
	}
	model.Raise(&data.ContentCompletion, 1)
	complete(&data.Raids, raid)
	r.addStats(data)
	if guild != nil {
		countGuildRaid(p, guild, raid)
	}
}

// addStats adds a run to the player's raidStats, which are null before the first run.
func (r *RaidCompletedRaider) addStats(data *model.PlayerTotals) {
	if data.RaidStats == nil {
		data.RaidStats = &model.RaidStats{}
	}
	to, by := data.RaidStats, r.Stats
	model.Raise(&to.DamageTaken, by.DamageTaken)
	model.Raise(&to.DamageDealt, by.DamageDealt)
	model.Raise(&to.HealthHealed, by.HealthHealed)
	model.Raise(&to.Deaths, by.Deaths)
	model.Raise(&to.BuffsTaken, by.BuffsTaken)
	for _, n := range []int64{r.Gambits.Ten, r.Gambits.Twenty, r.Gambits.Thirty} {
		model.Raise(&to.GambitsUsed, n)
	}
}

func (r *RaidCompletedRaider) countGambits(raid string, ofGuild bool, p *model.Player) {
	if r.Gambits == (model.GambitCounts{}) {
		return
	}
	at := slices.IndexFunc(p.Gambits, func(g *model.RaidGambits) bool { return g.Raid == raid })
	if at < 0 {
		at, p.Gambits = len(p.Gambits), append(p.Gambits, &model.RaidGambits{Raid: raid})
	}
	addGambits(&p.Gambits[at].All, r.Gambits)
	if ofGuild {
		addGambits(&p.Gambits[at].Guild, r.Gambits)
	}
}

func addGambits(to *model.GambitCounts, by model.GambitCounts) {
	model.Raise(&to.Ten, by.Ten)
	model.Raise(&to.Twenty, by.Twenty)
	model.Raise(&to.Thirty, by.Thirty)
}

// countGuildRaid counts a guild raid of a player in guildRaids and in the history, newest guild first.
func countGuildRaid(p *model.Player, guild *model.Guild, raid string) {
	if p.Totals.GuildRaids == nil {
		p.Totals.GuildRaids = zeroRaids()
	}
	complete(&p.Totals.GuildRaids, raid)
	at := slices.IndexFunc(p.GuildHistory, func(e *model.GuildHistoryEntry) bool { return e.UUID == guild.UUID })
	if at < 0 {
		at = 0
		p.GuildHistory = slices.Insert(p.GuildHistory, 0, &model.GuildHistoryEntry{
			UUID: guild.UUID, GuildRaids: zeroRaids(),
		})
	}
	entry := p.GuildHistory[at]
	entry.Name, entry.Prefix = guild.Name, guild.Prefix
	countUp(entry.GuildRaids, raid)
}

// zeroRaids returns initial guildRaids: every raid with count 0.
func zeroRaids() *model.CountList {
	out := &model.CountList{List: make([]*model.NamedCount, len(model.Raids))}
	for i, name := range model.Raids {
		out.List[i] = &model.NamedCount{Name: name}
	}
	return out
}

// tally counts the run once for the guild, with the gambits of all raiders.
func (e *RaidCompleted) tally(guild *model.Guild) {
	at := slices.IndexFunc(guild.RaidTallies, func(t *model.RaidTally) bool { return t.Raid == e.Raid })
	if at < 0 {
		at, guild.RaidTallies = len(guild.RaidTallies), append(guild.RaidTallies, &model.RaidTally{Raid: e.Raid})
	}
	tally := guild.RaidTallies[at]
	model.Raise(&tally.Completions, 1)
	for _, r := range e.Raiders {
		addGambits(&tally.Gambits, r.Gambits)
	}
	model.Raise(&guild.TotalGuildRaids, 1)
}
