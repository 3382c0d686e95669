package seed

import (
	"strings"

	"gamedata/graph/model"
)

// archetype is a way to play a class, as class page and ability tree show it.
type archetype struct {
	ID, Name                                  string
	Sign                                      string // colour code of the class page
	Colour                                    string // colour of the tree
	Difficulty, Damage, Defence, Range, Speed int
	Brief                                     string
}

// classTexts holds the texts about a class; its index is that in classIDs.
type classTexts struct {
	Name, Lore string
	Difficulty int
	Archetypes [3]archetype // in display order, from left to right in the tree
	// The abilities of the first page in order, then the first ones after it.
	Opening []string
	// Names of all other abilities are combined from these.
	Firsts, Seconds []string
}

var allClassTexts = readRecords[classTexts]("classes.json")

// Classes returns all classes.
func Classes() []*model.Class {
	out := make([]*model.Class, len(allClassTexts))
	for i, c := range allClassTexts {
		out[i] = &model.Class{Key: classIDs[i], Name: c.Name, Lore: c.Lore, OverallDifficulty: c.Difficulty, OverallMax: 3}
		for _, a := range c.Archetypes {
			out[i].Archetypes = append(out[i].Archetypes, &model.ClassArchetype{
				Key: a.ID, Name: "&" + a.Sign + "&l" + a.Name, Icon: "abilityTree." + a.ID, Difficulty: a.Difficulty, Max: 3,
				Damage: a.Damage, Defence: a.Defence, Range: a.Range, Speed: a.Speed,
			})
		}
	}
	return out
}

// camel returns the id of a name: `emberRain` for `Ember Rain`.
func camel(name string) string {
	words := strings.Fields(name)
	words[0] = strings.ToLower(words[0])
	return strings.Join(words, "")
}
