package feed

import (
	"math"
	"slices"
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
	model.Gains
	// PvpKills and PvpDeaths are the increases of the counters of fights against players.
	PvpKills  int64 `json:"pvpKills,omitzero"`
	PvpDeaths int64 `json:"pvpDeaths,omitzero"`
	// Dungeons has the name of a dungeon for each completion.
	Dungeons []string `json:"dungeons,omitempty"`
	// Quests are the names of quests completed for the first time.
	Quests []string `json:"quests,omitempty"`
}

// Practice is progress in a profession.
type Practice struct {
	// Profession is woodcutting, mining, fishing, farming, alchemism, armouring, cooking, jeweling, scribing,
	// tailoring, weaponsmithing or woodworking.
	Profession string `json:"profession"`
	// XP is the experience gained.
	XP int64 `json:"xp,omitzero"`
	// Level is the level of the profession afterwards, at least 1.
	Level int `json:"level"`
	// XPPercent is the progress to the next level afterwards, 0 to 100.
	XPPercent int `json:"xpPercent,omitzero"`
}

// CharacterGained adds what a player gained by playing a character, to the character and to the player.
type CharacterGained struct {
	// Character is the one played.
	Character CharacterID `json:"character"`
	Gain
}

func (e *CharacterGained) apply(g *Game) error {
	c, gain := g.characters.now[e.Character], e.Gain
	if gain.Level == 0 {
		gain.Level = c.Level
		if gain.XPPercent == 0 {
			gain.XPPercent = c.XPPercent
		}
	}
	if err := gain.check(); err != nil {
		return err
	}
	p, before, level := g.owner(c), countsOf(c), c.Level
	gain.train(c)
	if c.Level != level {
		g.record(time.Time{}, &model.CharacterLevelChanged{
			Player: p.UUID, Character: c.UUID, From: level, To: c.Level,
		})
	}
	gain.count(c)
	play(&c.Playtime, gain.Hours)
	play(&p.Playtime, gain.Hours)
	if data := p.Totals; data != nil {
		addCounts(data, before, countsOf(c))
		countFights(&data.Pvp, &gain)
		complete(&data.Dungeons, gain.Dungeons...)
	}
	return nil
}

func (g *Gain) check() error {
	if err := checkLevel("", g.Level, g.XPPercent); err != nil {
		return err
	}
	for _, p := range g.Practised {
		if !isProfession(p.Profession) {
			return invalid("practised.profession", "there is no profession %q", p.Profession)
		}
		if err := checkLevel("practised.", p.Level, p.XPPercent); err != nil {
			return err
		}
	}
	if slices.Contains(g.Quests, "") || slices.Contains(g.Dungeons, "") {
		return invalid("", "a quest or dungeon has no name")
	}
	return nil
}

func isProfession(name string) bool {
	for _, p := range model.ProfessionList {
		if p.Name == name {
			return true
		}
	}
	return false
}

// checkLevel checks a level and the progress to the next one.
func checkLevel(path string, level, percent int) error {
	switch {
	case level < 1:
		return invalid(path+"level", "level is %d; it must be at least 1", level)
	case percent < 0 || percent > 100:
		return invalid(path+"xpPercent", "xpPercent is %d; it must be 0 to 100", percent)
	}
	return nil
}

// train sets the levels and computes totalLevel from them.
func (g *Gain) train(c *model.Character) {
	model.Raise(&c.TotalLevel, g.Level-c.Level)
	model.Raise(&c.XP, g.XP)
	c.Level, c.XPPercent = g.Level, g.XPPercent
	for _, practised := range g.Practised {
		at := c.ProfessionLevels.Named(practised.Profession)
		if at == nil {
			continue
		}
		model.Raise(&c.TotalLevel, practised.Level-at.Level)
		at.Level, at.XpPercent = practised.Level, practised.XPPercent
		if c.ProfessionXP == nil {
			c.ProfessionXP = map[string]int64{}
		}
		xp := c.ProfessionXP[practised.Profession]
		model.Raise(&xp, practised.XP)
		c.ProfessionXP[practised.Profession] = xp
	}
}

// count adds the gain to the counters and lists of a character.
func (g *Gain) count(c *model.Character) {
	g.AddTo(c)
	model.Add(&c.ContentCompletion, g.Content)
	countFights(&c.Pvp, g)
	for _, q := range g.Quests {
		if !slices.Contains(c.Quests, q) {
			c.Quests = append(c.Quests, q)
		}
	}
	complete(&c.Dungeons, g.Dungeons...)
}

func countFights(of **model.PvpStats, g *Gain) {
	if *of == nil {
		*of = zeroPvp()
	}
	model.Add(&(*of).Kills, g.PvpKills)
	model.Add(&(*of).Deaths, g.PvpDeaths)
}

// play adds hours of playtime, rounded to hundredths so that sums have no rounding errors.
func play(at **float64, hours float64) {
	if hours == 0 {
		return
	}
	if *at != nil {
		model.Raise(&hours, **at)
	}
	*at = new(inHundredths(hours))
}

func inHundredths(hours float64) float64 { return model.Limited(math.Round(hours*100) / 100) }

// complete counts completions in a list by name and in its total.
func complete(list **model.CountList, names ...string) {
	if *list == nil && len(names) > 0 {
		*list = emptyList()
	}
	for _, name := range names {
		countUp(*list, name)
	}
}

func countUp(l *model.CountList, name string) {
	model.Raise(&l.Total, 1)
	for _, n := range l.List {
		if n.Name == name {
			model.Raise(&n.Count, 1)
			return
		}
	}
	l.List = append(l.List, &model.NamedCount{Name: name, Count: 1})
}
