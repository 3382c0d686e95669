package seed

import (
	"encoding/json"
	"math"
	"strings"
	"sync"

	"gamedata/graph/model"
	"gamedata/internal/demo/content"
	"gamedata/internal/demo/dice"
	"gamedata/internal/feed"
)

// Classes lists the classes of characters, with their reskins.
var (
	Classes = strings.Fields("ARCHER WARRIOR ASSASSIN MAGE SHAMAN")
	reskins = strings.Fields("HUNTER KNIGHT NINJA DARKWIZARD SKYSEER")
)

// Hardcore is the gamemode in which characters die for good.
const Hardcore = "hardcore"

// Dungeons lists the dungeons with their required levels, in the order of the API.
var Dungeons = content.Records[struct {
	Name  string
	Level int
}]("dungeons.json")

var (
	// combinations are lists of gamemodes.
	combinations = content.Records[[]string]("gamemodes.json")
	// quests by rising level.
	quests = content.Names("quests.txt")
)

// Gains returns the gains of a character of a level in some hours.
func Gains(d dice.Dice, level int, hours float64) model.Gains {
	g := model.Gains{
		MobsKilled: d.About(340 * hours), ChestsFound: d.About(7 * hours), BlocksWalked: d.About(15_000 * hours),
		ItemsIdentified: d.About(1.1 * hours), Discoveries: d.About(0.9 * hours), Deaths: d.About(0.3 * hours),
	}
	if level >= 40 {
		g.WorldEvents, g.Lootruns, g.Caves = d.About(0.3*hours), d.About(0.2*hours), d.About(0.3*hours)
	}
	return g
}

// makeCharacters creates the characters of the ith player, whose last join was some hours after the first.
func makeCharacters(d dice.Dice, m *Member, i int, hours float64) (out []*model.Character) {
	for n, text := range m.Characters {
		c := feed.NewCharacter(CharacterUUID(i, n+1), dice.Pick(d, Classes))
		c.Owner = m.UUID
		c.Level = d.Between(20, 60)
		if n == 0 {
			c.Level += 44
		}
		share := overlay(text, c)
		grow(d, c, hours, share)
		overlay(text, c)
		out = append(out, c)
	}
	if m.Shows != "" {
		return out
	}
	for range min(d.Times(1.8), 6) {
		c := m.drawCharacter(d)
		grow(d, c, hours, min(1, 1.3*d.Float64()))
		out = append(out, c)
	}
	return out
}

// overlay applies the cast's file to a character. It returns the share of ability points that the character has spent.
func overlay(text json.RawMessage, c *model.Character) float64 {
	said := struct {
		*model.Character
		Unlocked float64
	}{c, 1}
	content.Decode(string(text), &said)
	return said.Unlocked
}

// drawCharacter draws a character for a player outside the cast.
func (m *Member) drawCharacter(d dice.Dice) *model.Character {
	class := d.IntN(len(Classes))
	c := feed.NewCharacter(d.UUID(), Classes[class])
	c.Owner = m.UUID
	if !d.Chance(0.08) {
		c.Level = min(106, 1+int(106*(1-d.Float64()*d.Float64())))
	}
	if m.Support != "" && d.Chance(0.5) {
		c.Reskin = &reskins[class]
	}
	if d.Chance(0.1) {
		c.Nickname = &nicknames[d.IntN(len(nicknames))]
	}
	if d.Chance(0.15) {
		c.Gamemodes = dice.Pick(d, combinations)
		c.Meta.Died = c.Gamemodes[0] == Hardcore && d.Chance(0.5)
	}
	return c
}

// grow sets the fields that follow from class, level and playtime. It draws a playtime such that the playtimes of all
// characters fit into hours.
func grow(d dice.Dice, c *model.Character, hours, share float64) {
	if *c.Playtime == 0 {
		drawn := min(float64(c.Level*c.Level)/20*(0.3+d.ExpFloat64()), hours/12)
		c.Playtime = new(math.Round(drawn*100) / 100)
	}
	gains := Gains(d, c.Level, *c.Playtime)
	if len(c.Gamemodes) > 0 && c.Gamemodes[0] == Hardcore {
		gains.Deaths = 0
	}
	if c.Meta.Died {
		gains.Deaths = 1
	}
	gains.AddTo(c)
	c.Logins = new(1 + d.About(1.9**c.Playtime))
	if c.Level >= 100 && d.Chance(0.4) {
		c.Wars = new(d.About(0.8 * *c.Playtime))
	}
	c.Pvp.Kills, c.Pvp.Deaths = new(int64(d.Times(0.5))), new(int64(d.Times(0.5)))
	level := int64(c.Level)
	c.XP, c.XPPercent = level*level*level*level*26+d.Int64N(level*level*level*50), d.IntN(100)
	train(d, c)
	explore(d, c)
	spend(d, c)
	c.Unlocked = unlocked(d, c, share)
}

// train sets levels of professions, and their experience.
func train(d dice.Dice, c *model.Character) {
	reached := func(level int) int64 { l := int64(level - 1); return l*l*l*l*3 + l*l*90 }
	c.ProfessionXP, c.TotalLevel = make(map[string]int64, len(model.ProfessionList)), c.Level
	for _, profession := range model.ProfessionList {
		at := profession.Of(c.ProfessionLevels)
		at.Level = 1 + int(float64(min(c.Level, 105))*1.25*math.Pow(d.Float64(), 2))
		at.XpPercent = d.IntN(100)
		c.ProfessionXP[profession.Name] = reached(at.Level) +
			(reached(at.Level+1)-reached(at.Level))*int64(at.XpPercent)/100
		c.TotalLevel += at.Level
	}
}

// explore sets dungeons, and all quests up to the level except a few.
func explore(d dice.Dice, c *model.Character) {
	for _, q := range quests[:min(len(quests)*c.Level/106, len(quests))] {
		if d.Chance(0.75) {
			c.Quests = append(c.Quests, q)
		}
	}
	c.Dungeons = &model.CountList{List: []*model.NamedCount{}}
	for _, dungeon := range Dungeons {
		if c.Level >= dungeon.Level && d.Chance(0.3) {
			n := 1 + int64(*c.Playtime*0.1*d.ExpFloat64())
			c.Dungeons.List = append(c.Dungeons.List, &model.NamedCount{Name: dungeon.Name, Count: n})
			c.Dungeons.Total += n
		}
	}
	c.ContentCompletion = new(int64(len(c.Quests)) + *c.Caves + *c.WorldEvents + *c.Lootruns + c.Dungeons.Total)
}

// spend distributes the skill points of the level over the five skills.
func spend(d dice.Dice, c *model.Character) {
	left := min(2*(c.Level-1), 200)
	p := c.SkillPoints
	for _, skill := range []*int{&p.Dexterity, &p.Strength, &p.Intelligence, &p.Agility, &p.Defence} {
		*skill = min(d.IntN(left+1), 100)
		left -= *skill
	}
}

// build is an order of unlocking the abilities of a class. Every prefix is valid: each ability is linked to an earlier
// one. Points and Levels are the requirements of the abilities up to each one.
type build struct {
	Class          string
	Abilities      []string
	Points, Levels []int
}

// builds lists the builds of each class.
var builds = sync.OnceValue(func() map[string][]*build {
	out := map[string][]*build{}
	for _, b := range content.Read[build]("builds") {
		class := strings.ToUpper(b.Class)
		out[class] = append(out[class], b)
	}
	return out
})

// topPoints is the number of ability points at the highest level.
const topPoints = 45

// unlocked returns the abilities of a character: as many as a share of points and the level allow.
func unlocked(d dice.Dice, c *model.Character, share float64) []string {
	b := dice.Pick(d, builds()[c.ClassKey])
	points, n := int(share*float64(min(1+c.Level*topPoints/105, topPoints))), 0
	for n < len(b.Abilities) && b.Points[n] <= points && b.Levels[n] <= c.Level {
		n++
	}
	return b.Abilities[:n:n]
}
