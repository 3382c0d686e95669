package seed

import (
	"fmt"
	"strings"

	"gamedata/graph/model"
)

// rarities lists the aspect rarities and the copies that each tier requires.
var rarities = []struct {
	name   string
	copies []int
}{
	{"legendary", []int{1, 5, 30, 150}}, {"fabled", []int{1, 15, 75}}, {"mythic", []int{1, 5, 15}},
}

var (
	aspectFirsts  = strings.Fields("Patient Restless Hidden Broken Singing Second Frozen Gilded Wandering")
	aspectSeconds = map[string][]string{
		"archer": {"Quiver", "String", "Arrow"}, "warrior": {"Oath", "Banner", "Shield"},
		"assassin": {"Edge", "Mask", "Shadow"}, "mage": {"Star", "Prism", "Hour"}, "shaman": {"Mask", "Totem", "Root"},
	}
	aspectEffects = []string{
		"pierces %s more foes", "costs %s less mana", "lasts %s seconds longer", "heals %s more",
		"reaches %s blocks further",
	}
)

// Aspects returns the aspects of all classes, 25 to 27 each; the first of the archer is the example in
// docs/spec/wire-content.md.
func Aspects() []*model.AspectList {
	var out []*model.AspectList
	for class, id := range classIDs {
		list := &model.AspectList{Tree: id}
		for n := range 25 + class%3 {
			list.Aspects = append(list.Aspects, aspect(class, n))
		}
		if class == archer {
			patientBow(list.Aspects[0])
		}
		out = append(out, list)
	}
	return out
}

func aspect(class, n int) *model.Aspect {
	r := source(uint64(class), forAspect, uint64(n))
	id := classIDs[class]
	rarity := rarities[[]int{0, 0, 1, 1, 2}[n%5]]
	a := &model.Aspect{
		Name:         "Aspect of the " + aspectFirsts[n%len(aspectFirsts)] + " " + aspectSeconds[id][n/len(aspectFirsts)],
		InternalName: fmt.Sprintf("%08x", r.Uint32()), Rarity: rarity.name, ClassKey: id,
		Icon: picture("potion", "abilityTree.aspect"+title(id), int64(52+class)),
	}
	g := treeBuilders()[class]
	ability := g.talents[r.IntN(len(g.talents))].Key
	effect := pick(r, aspectEffects)
	for tier, copies := range rarity.copies {
		amount := fmt.Sprintf("+%d", (tier+1)*between(r, 1, 3))
		before, after, _ := strings.Cut(effect, "%s")
		text := span(gray, underlined(spoken(ability))+" "+before) + span(white, amount) + span(gray, after)
		if n%9 == 4 {
			text = "§7§n" + spoken(ability) + "§r§7 " + before + "§f" + amount + "§7" + after
		}
		a.Tiers = append(a.Tiers, &model.AspectTier{Tier: tier + 1, Threshold: copies, Description: lines(text)})
	}
	return a
}

func patientBow(a *model.Aspect) {
	a.Name, a.InternalName, a.Rarity, a.Tiers = "Aspect of the Patient Bow", "5c0a91fe", "fabled", nil
	for n, copies := range rarities[1].copies {
		a.Tiers = append(a.Tiers, &model.AspectTier{
			Tier: n + 1, Threshold: copies,
			Description: lines(span(gray, "Firebolt pierces ") + span(white, fmt.Sprintf("+%d", n+1))),
		})
	}
}

// spoken returns the name of an id: `Ember Rain` for `emberRain`.
func spoken(id string) string {
	var b strings.Builder
	for i, c := range id {
		if i > 0 && 'A' <= c && c <= 'Z' {
			b.WriteByte(' ')
		}
		b.WriteRune(c)
	}
	return title(b.String())
}
