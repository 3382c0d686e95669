package seed

import (
	"fmt"
	"strings"

	"gamedata/graph/model"
)

// Node pictures by the weight of the ability; a class and an archetype have their own.
var nodes = []string{"nodeWhite", "nodeYellow", "nodePurple", "nodeBlue", "nodeRed"}

var deeds = []string{
	"Strikes up to %d foes around the target.", "Leaves a mark that lasts %d seconds.", "Quickens the next %d attacks.",
	"Heals %d%% of the damage dealt.", "Throws foes %d blocks back.", "Adds a charge every %d seconds.",
	"Slows whoever comes within %d blocks.", "Weakens armour for %d seconds.", "Gathers strength over %d hits.",
	"Shares its effect with allies within %d blocks.", "Grants %d seconds of resistance.", "Repeats after %d steps.",
}

var effects = []struct {
	colour string
	glyph  rune
	name   string
}{
	{"#00AA00", '\ue001', "Earth Damage"},
	{"#FFFF55", '\ue003', "Thunder Damage"},
	{"#55FFFF", '\ue004', "Water Damage"},
	{red, '\ue002', "Fire Damage"},
	{white, '\ue000', "Air Damage"},
	{gold, '\ue005', "Total Damage"},
}

// draw sets the name, icon and description of an ability. A few descriptions are stored as source text.
func (g *treeBuilder) draw(t *talent, name string) {
	r := g.r
	node, data, colour := nodes[0], int64(100), "#ffffff"
	switch {
	case t.Page == treePages:
		a := g.classTexts.Archetypes[t.archetype]
		node, data, colour = "ultimate"+a.Name, 130, a.Colour
	case len(g.talents) == 1 || t.Page == 1 && t.Slot == 40:
		node, data, colour = "node"+title(classIDs[g.class]), 73, "#87dd47"
	case t.Requirements.AbilityPoints == 2:
		n := 2 + r.IntN(3)
		node, data, colour = nodes[n], int64(100+3*n), red
	case t.archetype != neutral:
		node, data, colour = nodes[1], 103, gold
	}
	t.Icon = picture("potion", "abilityTree."+node, data)
	t.Name = model.Markup(span(colour, bold(name)))

	deed := fmt.Sprintf(pick(r, deeds), between(r, 2, 12))
	effect := pick(r, effects)
	amount := fmt.Sprintf("+%d%%", 5*between(r, 1, 16))
	if len(g.talents)%13 == 5 {
		t.Name = model.Markup("§" + colour + "§l" + name)
		t.Description = lines("§7"+deed, brk, "§"+effect.colour+string(effect.glyph)+" §7"+effect.name+": §f"+amount,
			"§8§nRaised & sharpened§r §7when <low> on health")
	} else {
		t.Description = lines(brk, span(gray, deed), brk,
			span(effect.colour, glyph(effect.glyph)+" "+span(gray, effect.name+": ")+span(white, amount)))
	}
	if t.archetype != neutral {
		a := g.classTexts.Archetypes[t.archetype]
		t.Description = append(t.Description, lines(brk, span(a.Colour, bold(a.Name+" Archetype")))...)
	}
	t.Description = append(t.Description, lines(brk, span(gray, "Ability Points: ")+span(white,
		fmt.Sprint(t.Requirements.AbilityPoints)))...)
}

func title(word string) string { return strings.ToUpper(word[:1]) + word[1:] }
