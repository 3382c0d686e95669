package seed

import (
	"math/rand/v2"
	"slices"
	"strings"

	"gamedata/graph/model"
)

// identificationKeys lists the stats that items change.
var identificationKeys = strings.Fields(
	`airDamage airDefence combatExperience damage earthDamage earthDefence elementalDamage
	elementalDefence elementalSpellDamage exploding fireDamage fireDefence fireSpellDamage healingEfficiency healthRegen
	healthRegenRaw jumpHeight knockback lifeSteal lootBonus mainAttackDamage mainAttackRange manaRegen manaSteal poison
	rawAgility rawAirDamage rawAttackSpeed rawDamage rawDefence rawDexterity rawFireDamage rawHealth rawIntelligence
	rawMainAttackDamage rawMaxMana rawSpellDamage rawStrength rawThunderDamage reflection slowEnemy spellDamage sprint
	sprintRegen stealing thorns thunderDamage thunderDefence walkSpeed waterDamage waterDefence weakenEnemy 1stSpellCost
	2ndSpellCost 3rdSpellCost 4thSpellCost raw1stSpellCost raw2ndSpellCost raw3rdSpellCost raw4thSpellCost`,
)

// fixed returns a stat with one value.
func fixed(key string, value int64) *model.Identification {
	return &model.Identification{Key: key, Raw: value}
}

// rolled returns a stat with a roll from 30 % to 130 % of its base value; both ends have the same sign, and
// the first is nearer to zero.
func rolled(key string, raw int64) *model.Identification {
	low, high := raw*3/10, raw*13/10
	if low == 0 {
		low = raw / max(raw, -raw)
	}
	return spread(key, low, raw, high)
}

// spread returns a rolled stat with all three values given.
func spread(key string, low, raw, high int64) *model.Identification {
	return &model.Identification{Key: key, Min: &low, Raw: raw, Max: &high}
}

// stats draws n different stats that suit a level: all fixed, or all rolled except skills.
func stats(r *rand.Rand, n, level int, allFixed bool) []*model.Identification {
	var list []*model.Identification
	for len(list) < n {
		key := pick(r, identificationKeys)
		if slices.ContainsFunc(list, func(i *model.Identification) bool { return i.Key == key }) {
			continue
		}
		value := int64(between(r, 2, 6+level/4))
		switch {
		case strings.HasPrefix(key, "raw") && !strings.Contains(key, "Spell"):
			value *= 1 + int64(level)/15
		case key == "rawHealth" || key == "poison":
			value *= 1 + int64(level)/3
		}
		if chance(r, 0.25) || strings.HasSuffix(key, "Cost") {
			value = -value
		}
		if allFixed || slices.Contains(skillKeys, key) {
			list = append(list, fixed(key, value))
		} else {
			list = append(list, rolled(key, value))
		}
	}
	return list
}

// skillKeys lists the stats that are never rolled.
var skillKeys = []string{"rawStrength", "rawDexterity", "rawIntelligence", "rawDefence", "rawAgility"}
