package seed

import "gamedata/graph/model"

// Texts of gear, some rendered and some as source text.

var majors = []*model.MajorIdentification{
	{Name: "Still Water", Text: model.Markup(span(aqua, "Standing still restores mana"))},
	{Name: "Second Wind", Text: model.Markup(span(aqua, underlined("Sprinting")+" below half health restores "+
		span(white, "+3 health")+" a second"))},
	{Name: "Hollow Echo", Text: "§bYour third spell in a row §ncosts nothing§r§b."},
	{Name: "Thornmail", Text: model.Markup(span(aqua, "Foes that touch you are "+span(red, "poisoned")+"."))},
	{Name: "Last Ember", Text: "§bBelow §f20%§b health you burn §#ff8844everything§b near."},
	{Name: "Long Shadow", Text: model.Markup(span(aqua, bold("Vanishing")+" lasts "+span(white, "+2s")))},
	{Name: "Quicksilver", Text: model.Markup(span(aqua, "Walk speed above 40% adds to thunder damage"))},
	{Name: "Anchor", Text: model.Markup(span(aqua, "You cannot be moved while you cast"))},
	{Name: "Tithe", Text: "§bOne coin in ten becomes §cdamage§b & one in twenty §ahealth§b."},
	{Name: "Moth Light", Text: model.Markup(span(aqua, "Allies near you see "+glyph('\ue00a')+" hidden chests"))},
	{Name: "Roots of Iron", Text: model.Markup(span(aqua, "Crouching doubles earth defence"))},
	{Name: "Overgrowth", Text: model.Markup(span(aqua, "Totems grow for every foe they hit") + brk +
		indented("at most ten times"))},
}

var lores = []model.Markup{
	model.Markup(span(dark, "It hums when rain is near.")),
	model.Markup(span(dark, "Nobody who carried it came back the same."+"\n\n"+"Some came back taller.")),
	"§8Found under the third step.\n§8Do not ask about the §nothers§r§8.",
	model.Markup(span(dark, "The maker's mark is worn away, but the edge is not.")),
	model.Markup(span(dark, "A gift & a warning")),
	"§8§lFor whoever holds the bridge next.",
	model.Markup(span(dark, "Smells faintly of apples.")),
}

var origins = []string{
	"Rushford Caverns", "Kestrel Keep", "The Drowned Orchard", "Larkhollow", "Tarn Quarry", "Averne Market",
	"The Ninth Gate", "Fernmoor Marsh", "Ash Garden", "Cold Harbour",
}
