package seed

import (
	"slices"
	"sync"

	"gamedata/graph/model"
)

// items are generated once; they depend on no option. data/samples.json has the items of the examples in
// docs/spec/wire-content.md, value for value.
var items = sync.OnceValue(func() []*model.Item {
	return tagged(slices.Concat(readRecords[*model.Item]("samples.json"), setGear(), weapons(), armour(), accessories(),
		upgraded(), charms(), tomes(), tools(), materials(), ingredients()))
})

// Items returns all items: every type, kind, tier and form, and the examples of docs/spec/wire-content.md.
func Items() []*model.Item { return items() }

// elements in the order of items, with the base keys derived from their names.
var elements = []string{"earth", "thunder", "water", "fire", "air"}

func common(kind, internal, display string, level int, emblem string, icon *model.Icon) *model.Item {
	return &model.Item{
		Type: kind, InternalName: internal, DisplayName: display, Emblem: emblem, Icon: icon,
		Requirements: &model.ItemRequirements{Level: level},
	}
}

// emblem returns an emblem's name, some with a suffix.
func emblem(name string, n int) string {
	if n %= 7; n == 0 {
		return name
	}
	return name + "_" + string(rune('0'+n))
}

// upgraded returns better versions of gear under the name of the original: displayName is not unique.
func upgraded() []*model.Item {
	var out []*model.Item
	for n, plain := range []*model.Item{weapons()[20], armour()[30], accessories()[5]} {
		better := *plain
		better.InternalName += " Reforged"
		better.Tier, better.Identified = new("mythic"), nil
		better.Requirements = new(*plain.Requirements)
		better.Requirements.Level += 20
		better.Identifications = stats(source(3, forItem, uint64(n)), 5, better.Requirements.Level, false)
		out = append(out, &better)
	}
	return out
}
