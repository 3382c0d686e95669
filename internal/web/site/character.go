package site

import (
	"fmt"
	"slices"
	"strings"

	"gamedata/graph"
	"gamedata/internal/web"
)

type characterBody struct {
	*CharacterPage
	Drawing *treeDrawing // nil without a tree
	Chosen  []link       // to the abilities
}

// PathOf returns the path of the character's page; player is a uuid.
func (c CharacterRow) PathOf(player string) string {
	return web.Path("players", player) + web.Path("characters", c.UUID)
}

// Modes lists the gamemodes in words, empty for none.
func (c CharacterRow) Modes() string {
	var words []string
	for _, mode := range c.Gamemodes {
		words = append(words, strings.ToLower(web.Label(mode)))
	}
	return strings.Join(words, ", ")
}

// Professions returns the levels of the professions, the highest first.
func (p *CharacterPage) Professions() (out []meter) {
	for _, l := range p.Player.Character.Professions {
		out = append(out, meter{
			Name: web.Label(l.Key), Count: int(l.Level), Note: fmt.Sprintf("%d %%", l.XpPercent),
		})
	}
	return withBars(out)
}

// Dungeons counts the completions by dungeon.
func (p *CharacterPage) Dungeons() []meter {
	return completions(orEmpty(p.Player.Character.Dungeons).List)
}

// Raids counts the completions by raid.
func (p *CharacterPage) Raids() []meter { return completions(orEmpty(p.Player.Character.Raids).List) }

func completions(list []Completions) (out []meter) {
	for _, c := range list {
		if c.Count > 0 {
			out = append(out, meter{Name: c.Name, Count: int(c.Count)})
		}
	}
	return withBars(out)
}

// Quests returns the completed quests by name.
func (p *CharacterPage) Quests() []string {
	return slices.Sorted(slices.Values(p.Player.Character.Quests))
}

// OpenQuests returns how many quests of the game the character has not completed.
func (p *CharacterPage) OpenQuests() int {
	return max(0, int(orEmpty(p.QuestSummary).Quests)-len(p.Player.Character.Quests))
}

// SkillPoints returns the points by skill.
func (p *CharacterPage) SkillPoints() []meter {
	s := orEmpty(p.Player.Character.SkillPoints)
	return withBars([]meter{
		{Name: "Strength", Count: int(s.Strength)},
		{Name: "Dexterity", Count: int(s.Dexterity)},
		{Name: "Intelligence", Count: int(s.Intelligence)},
		{Name: "Defence", Count: int(s.Defence)},
		{Name: "Agility", Count: int(s.Agility)},
	})
}

func showCharacter(c *renderContext, data *CharacterPage) *errorPage {
	p := data.Player
	// Others may not be allowed to see the character, so the title of a shared link names only the player.
	title := "Character of " + p.Username
	body := &characterBody{CharacterPage: data}
	switch {
	case p.Character != nil:
		c.setCanonical(p.Character.PathOf(p.UUID))
		body.drawTree()
	case p.HidesCharacters && p.HidesCharacterData: // hidden, even whether it exists
		c.NoIndex = true
	case len(c.errors) > 0:
		return newErrorPage(graph.ErrorOf(c.errors[0]))
	default:
		return errorWith(graph.ErrNotFound, "Character not found", p.Username+" has no character with this UUID.",
			link{Path: web.Path("players", p.UUID), Text: "All about " + p.Username})
	}
	c.Kind = "profile"
	return c.show(title, title+": levels, professions, dungeons, raids, quests and abilities.", body)
}

// drawTree draws the tree of the class with the abilities that the character chose.
func (b *characterBody) drawTree() {
	c := b.Player.Character
	if c.Class == nil || c.Class.Tree == nil {
		return
	}
	chosen := map[string]bool{}
	for _, page := range c.Abilities {
		for _, e := range page.Elements {
			if e.Meta.AbilityKey != nil {
				chosen["ability-"+strings.ToLower(*e.Meta.AbilityKey)] = true
			}
		}
	}
	b.Drawing = drawTree(c.Class.Tree)
	b.Drawing.Path = web.Path("classes", strings.ToLower(c.ClassKey))
	for i, n := range b.Drawing.Nodes {
		if chosen[n.ID] {
			b.Drawing.Nodes[i].Chosen = true
			b.Chosen = append(b.Chosen, link{Path: b.Drawing.Path + "#" + n.ID, Text: n.Title})
		}
	}
}
