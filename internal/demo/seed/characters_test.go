package seed_test

import (
	"slices"
	"strings"
	"testing"

	"gamedata/graph/model"
)

func levels(p *model.Professions) (sum int) {
	for _, profession := range model.ProfessionList {
		sum += profession.Of(p).Level
	}
	return sum
}

func TestCharactersHoldTogether(t *testing.T) {
	reskins := map[string]string{
		"ARCHER": "HUNTER", "WARRIOR": "KNIGHT", "MAGE": "DARKWIZARD", "ASSASSIN": "NINJA",
		"SHAMAN": "SKYSEER",
	}
	seen := map[string]int{}
	for i, p := range sample() {
		for _, c := range p.characters {
			if c.Owner != p.UUID || c.Redaction.Done || reskins[c.ClassKey] == "" {
				t.Errorf("player %d: invalid character %+v", i, c)
			}
			if c.Level < 1 || c.Level > 106 || c.XPPercent < 0 || c.XPPercent > 100 || c.TotalLevel != c.Level+
				levels(c.ProfessionLevels) {
				t.Errorf(
					"player %d: level %d and professions of %[4]d do not add up to total %[3]d",
					i,
					c.Level,
					c.TotalLevel,
					levels(c.ProfessionLevels),
				)
			}
			if c.Reskin != nil && *c.Reskin != reskins[c.ClassKey] {
				t.Errorf("player %d: %s has the reskin %s", i, c.ClassKey, *c.Reskin)
			}
			if c.Meta.Died && !slices.Contains(c.Gamemode, "hardcore") || c.PreEconomy != nil && !*c.PreEconomy {
				t.Errorf("player %d: died %v in %v, preEconomy %v", i, c.Meta.Died, c.Gamemode, c.PreEconomy)
			}
			if c.Gamemode == nil || c.Quests == nil || c.RemovedStats == nil || c.Unlocked == nil {
				t.Errorf("player %d: a list is null", i)
			}
			s := c.SkillPoints
			if spent := s.Strength + s.Dexterity + s.Intelligence + s.Defence + s.Agility; spent > 200 || spent > 2*(c.Level-1) {
				t.Errorf("player %d: %d skill points at level %d", i, spent, c.Level)
			}
			checkList(t, c.Dungeons, false)
			checkList(t, c.Raids, false)
			note(seen, c)
		}
	}
	for _, want := range []string{
		"ARCHER", "WARRIOR", "MAGE", "ASSASSIN", "SHAMAN", "HUNTER", "KNIGHT", "DARKWIZARD",
		"NINJA", "SKYSEER",
		"hardcore", "ironman", "ultimate_ironman", "craftsman", "hunted", "hardcore+ironman", "ironman+craftsman",
		"hardcore+ultimate_ironman+craftsman+hunted",
		"died", "alive in hardcore", "nickname", "preEconomy", "removedStat", "xp beyond 32 bits", "mobs beyond 32 bits",
		"blocks beyond 32 bits", "walked back", "dungeons null", "nothing unlocked", "few unlocked", "many unlocked",
		"level 1",
	} {
		if seen[want] == 0 {
			t.Errorf("no character has the case: %s", want)
		}
	}
}

// note counts the cases that a character demonstrates.
func note(seen map[string]int, c *model.Character) {
	seen[c.ClassKey]++
	if c.Reskin != nil {
		seen[*c.Reskin]++
	}
	if len(c.Gamemode) > 0 {
		seen[strings.Join(c.Gamemode, "+")]++
	}
	for name, is := range map[string]bool{
		"died": c.Meta.Died, "alive in hardcore": slices.Contains(c.Gamemode, "hardcore") && !c.Meta.Died,
		"nickname":   c.Nickname != nil,
		"preEconomy": c.PreEconomy != nil, "removedStat": len(c.RemovedStats) > 0, "xp beyond 32 bits": c.XP > 1<<32,
		"mobs beyond 32 bits": *c.MobsKilled > 1<<32, "blocks beyond 32 bits": *c.BlocksWalked > 1<<32,
		"walked back":   *c.BlocksWalked < 0,
		"dungeons null": c.Dungeons == nil && c.Raids == nil, "nothing unlocked": len(c.Unlocked) == 0,
		"few unlocked": len(c.Unlocked) > 0 && len(c.Unlocked) < 10, "many unlocked": len(c.Unlocked) > 30,
		"level 1": c.Level == 1,
	} {
		if is {
			seen[name]++
		}
	}
}
