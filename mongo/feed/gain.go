package feed

import (
	"math"
	"time"

	"gamedata/graph/model"
)

// Gain is what a player gained by playing a character.
type Gain struct {
	// Hours is the playtime in hours. It is counted in hundredths.
	Hours float64 `json:"hours,omitzero"`
	// XP is the combat experience gained.
	XP int64 `json:"xp,omitzero"`
	// Level is the combat level afterwards; in JSON it may be left out when unchanged.
	Level int `json:"level,omitzero"`
	// XPPercent is the progress to the next level afterwards, 0 to 100.
	XPPercent int `json:"xpPercent,omitzero"`
	// Practised is the progress in professions.
	Practised []Practice `json:"practised,omitempty"`
	// Content is the increase of the content completion.
	Content int64 `json:"content,omitzero"`
	// MobsKilled is the increase of a counter, as are the following.
	MobsKilled      int64 `json:"mobsKilled,omitzero"`
	ChestsFound     int64 `json:"chestsFound,omitzero"`
	ItemsIdentified int64 `json:"itemsIdentified,omitzero"`
	BlocksWalked    int64 `json:"blocksWalked,omitzero"`
	Deaths          int64 `json:"deaths,omitzero"`
	Discoveries     int64 `json:"discoveries,omitzero"`
	WorldEvents     int64 `json:"worldEvents,omitzero"`
	Lootruns        int64 `json:"lootruns,omitzero"`
	Caves           int64 `json:"caves,omitzero"`
	PvpKills        int64 `json:"pvpKills,omitzero"`
	PvpDeaths       int64 `json:"pvpDeaths,omitzero"`
	// Dungeons has the name of a dungeon for each completion.
	Dungeons []string `json:"dungeons,omitempty"`
	// Quests are the names of quests completed for the first time.
	Quests []string `json:"quests,omitempty"`
}

// Practice is progress in a profession.
type Practice struct {
	// Profession is woodcutting, mining, fishing, farming, alchemism, armouring, cooking, jeweling, scribing, tailoring,
	// weaponsmithing or woodworking.
	Profession string `json:"profession"`
	// XP is the experience gained.
	XP int64 `json:"xp,omitzero"`
	// Level is the level of the profession afterwards, at least 1.
	Level int `json:"level"`
	// XPPercent is the progress to the next level afterwards, 0 to 100.
	XPPercent int `json:"xpPercent,omitzero"`
}

// CharacterGained adds a gain to a character and to its player.
func (b *Batch) CharacterGained(p *model.Player, c *model.Character, g Gain) {
	before, level := c.TotalLevel, c.Level
	b.train(c, g)
	if c.Level != level {
		b.record(time.Time{}, &model.CharacterLevelChanged{
			Player: p.UUID, Character: c.UUID, From: level, To: c.Level,
		})
	}
	own, all := b.character(c), b.player(p)
	if c.Pvp == nil {
		c.Pvp = &model.PvpStats{Kills: new(int64), Deaths: new(int64)}
		own.set("pvp", model.PvpStats{Kills: new(int64), Deaths: new(int64)})
	}
	own.tally("contentCompletion", &c.ContentCompletion, g.Content)
	own.tally("mobsKilled", &c.MobsKilled, g.MobsKilled)
	own.tally("chestsFound", &c.ChestsFound, g.ChestsFound)
	own.tally("itemsIdentified", &c.ItemsIdentified, g.ItemsIdentified)
	own.tally("blocksWalked", &c.BlocksWalked, g.BlocksWalked)
	own.tally("deaths", &c.Deaths, g.Deaths)
	own.tally("discoveries", &c.Discoveries, g.Discoveries)
	own.tally("worldEvents", &c.WorldEvents, g.WorldEvents)
	own.tally("lootruns", &c.Lootruns, g.Lootruns)
	own.tally("caves", &c.Caves, g.Caves)
	own.tally("pvp.kills", &c.Pvp.Kills, g.PvpKills)
	own.tally("pvp.deaths", &c.Pvp.Deaths, g.PvpDeaths)
	own.play(&c.Playtime, g.Hours)
	all.play(&p.Playtime, g.Hours)
	if len(g.Quests) > 0 {
		c.Quests = append(c.Quests, g.Quests...)
		own.include("quests", g.Quests...)
	}
	own.complete("dungeons", &c.Dungeons, g.Dungeons...)

	data := p.GlobalData
	if data == nil {
		return
	}
	for _, n := range []struct {
		field string
		at    *int64
		by    int64
	}{
		{"contentCompletion", &data.ContentCompletion, g.Content},
		{"totalLevel", &data.TotalLevel, int64(c.TotalLevel - before)},
		{"mobsKilled", &data.MobsKilled, g.MobsKilled},
		{"chestsFound", &data.ChestsFound, g.ChestsFound},
		{"worldEvents", &data.WorldEvents, g.WorldEvents},
		{"lootruns", &data.Lootruns, g.Lootruns},
		{"caves", &data.Caves, g.Caves},
		{"completedQuests", &data.CompletedQuests, int64(len(g.Quests))},
	} {
		*n.at += n.by
		all.inc("globalData."+n.field, n.by)
	}
	if data.Pvp == nil {
		data.Pvp = &model.PvpStats{Kills: new(int64), Deaths: new(int64)}
		all.set("globalData.pvp", model.PvpStats{Kills: new(int64), Deaths: new(int64)})
	}
	all.tally("globalData.pvp.kills", &data.Pvp.Kills, g.PvpKills)
	all.tally("globalData.pvp.deaths", &data.Pvp.Deaths, g.PvpDeaths)
	all.complete("globalData.dungeons", &data.Dungeons, g.Dungeons...)
}

// train sets levels and the totalLevel, which follows from them.
func (b *Batch) train(c *model.Character, g Gain) {
	own := b.character(c)
	total := c.TotalLevel
	if g.XP != 0 || g.Level != c.Level || g.XPPercent != c.XPPercent {
		total += g.Level - c.Level
		c.XP, c.Level, c.XPPercent = c.XP+g.XP, g.Level, g.XPPercent
		own.inc("xp", g.XP)
		own.set("level", c.Level)
		own.set("xpPercent", c.XPPercent)
	}
	for _, practised := range g.Practised {
		at := c.Professions.Named(practised.Profession)
		if at == nil {
			continue
		}
		total += practised.Level - at.Level
		at.Level, at.XpPercent = practised.Level, practised.XPPercent
		own.set("professions."+practised.Profession, *at)
		if c.ProfessionXP == nil {
			c.ProfessionXP = map[string]int64{}
		}
		c.ProfessionXP[practised.Profession] += practised.XP
		own.inc("professionXp."+practised.Profession, practised.XP)
	}
	if total != c.TotalLevel {
		c.TotalLevel = total
		own.set("totalLevel", total)
	}
}

// play adds hours of playtime, rounded to hundredths so that sums have no rounding errors.
func (c *change) play(at **float64, hours float64) {
	if hours == 0 {
		return
	}
	if *at != nil {
		hours += **at
	}
	hours = math.Round(hours*100) / 100
	*at = &hours
	c.set("playtime", hours)
}

// complete counts completions in a list by name and in its total. The whole list is set.
func (c *change) complete(field string, list **model.CountList, names ...string) {
	if len(names) == 0 {
		return
	}
	if *list == nil {
		*list = &model.CountList{List: []*model.NamedCount{}}
	}
	for _, name := range names {
		countUp(*list, name)
	}
	c.set(field, *list)
}

func countUp(l *model.CountList, name string) {
	l.Total++
	for _, n := range l.List {
		if n.Name == name {
			n.Count++
			return
		}
	}
	l.List = append(l.List, &model.NamedCount{Name: name, Count: 1})
}
