package site

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"gamedata/graph"
	"gamedata/internal/web"
)

// class is a class with its ability tree and aspects; a list of classes has neither.
type class struct {
	Key, Name, Lore               string
	OverallDifficulty, OverallMax int64
	Archetypes                    []archetype
	Tree                          *abilityTree
	Aspects                       []aspect
	Drawing                       *treeDrawing `json:"-"`
}

// Path is the path of the class's page.
func (c class) Path() string { return web.Path("classes", strings.ToLower(c.Key)) }

type archetype struct {
	Key, Name                                      string
	Difficulty, Max, Damage, Defence, Range, Speed int64
	Description                                    []string `json:"-"`
}

// chatColour is a colour code of the game's chat.
var chatColour = regexp.MustCompile("&.")

// Title is the name without colours.
func (a archetype) Title() string { return chatColour.ReplaceAllString(a.Name, "") }

// Ratings are the strengths of an archetype, 1 to 3.
func (a archetype) Ratings() []rating {
	return []rating{
		{"Difficulty", a.Difficulty, a.Max},
		{"Damage", a.Damage, 3},
		{"Defence", a.Defence, 3},
		{"Range", a.Range, 3},
		{"Speed", a.Speed, 3},
	}
}

type rating struct {
	Name       string
	Value, Max int64
}

// Dots is the rating as full and empty dots.
func (r rating) Dots() string {
	full := max(0, min(r.Value, r.Max, 10))
	return strings.Repeat("●", int(full)) + strings.Repeat("○", int(max(0, min(r.Max, 10)-full)))
}

type abilityTree struct {
	Archetypes []struct{ Key, ShortDescription, Description string }
	Pages      []struct {
		Page      int
		Abilities []ability
	}
	Map []struct {
		Page     int
		Elements []struct {
			Type        string
			Coordinates cell
			Meta        struct{ Connector *string }
		}
	}
}

type cell struct{ X, Y int }

type ability struct {
	Key, Name, DescriptionHTML string
	Coordinates                cell
	Requirements               struct {
		AbilityPoints int64
		AbilityKeys   []string
		Archetype     *struct {
			ArchetypeKey string
			Amount       int64
		}
		CombatLevel *int64
	}
	LockKeys []string

	Requires, Excludes []link `json:"-"`
	Archetype          string `json:"-"` // name of the archetype that it needs abilities of
}

// Title is the name as plain text.
func (a ability) Title() string { return strings.Join(web.Paragraphs(a.Name), " ") }

// ID is the anchor of the description.
func (a ability) ID() string { return "ability-" + strings.ToLower(a.Key) }

type aspect struct {
	Name, InternalName, Rarity string
	Tiers                      []struct {
		Tier, Threshold int64
		DescriptionHTML string
	}
}

// TierClass is the CSS class of the rarity's colour.
func (a aspect) TierClass() string { return "tier tier-" + strings.ToLower(a.Rarity) }

func showClasses(c *renderContext) *graph.Error {
	var data struct{ Classes []class }
	if bad := c.read(&data); bad != nil {
		return bad
	}
	return c.show("Classes", fmt.Sprintf("The %d classes of the game, their archetypes, ability trees and aspects.",
		len(data.Classes)), data.Classes)
}

// upperCaseName reads a name in the path as the schema's enums have them.
func upperCaseName(_ time.Time, given url.Values) *graph.Error {
	given.Set("name", strings.ToUpper(given.Get("name")))
	return nil
}

func showClass(c *renderContext) *graph.Error {
	var data struct{ Class *class }
	if bad := c.read(&data); bad != nil {
		return bad
	}
	v := data.Class
	if v == nil {
		return graph.ErrNotFound
	}
	if v.Tree != nil {
		v.link()
		v.Drawing = drawTree(v.Tree)
	}
	c.setCanonical(v.Path())
	c.setAPILinks("/v3/classes/" + strings.ToLower(v.Key))
	return c.show(v.Name, fmt.Sprintf("%s: archetypes, the ability tree and %d aspects.", v.Name, len(v.Aspects)), v)
}

// link resolves the keys of abilities and archetypes. Keys of no ability occur and are left out.
func (c *class) link() {
	byKey := map[string]link{}
	for _, p := range c.Tree.Pages {
		for _, a := range p.Abilities {
			byKey[strings.ToLower(a.Key)] = link{Path: "#" + a.ID(), Text: a.Title()}
		}
	}
	links := func(keys []string) []link {
		var out []link
		for _, key := range keys {
			if l, ok := byKey[strings.ToLower(key)]; ok && !slices.Contains(out, l) {
				out = append(out, l)
			}
		}
		return out
	}
	titles := map[string]string{}
	for i, a := range c.Archetypes {
		titles[a.Key] = a.Title()
		for _, t := range c.Tree.Archetypes {
			if t.Key == a.Key {
				c.Archetypes[i].Description = slices.Concat(web.Paragraphs(t.ShortDescription), web.Paragraphs(t.Description))
			}
		}
	}
	for p := range c.Tree.Pages {
		for i := range c.Tree.Pages[p].Abilities {
			a := &c.Tree.Pages[p].Abilities[i]
			a.Requires, a.Excludes = links(a.Requirements.AbilityKeys), links(a.LockKeys)
			if need := a.Requirements.Archetype; need != nil {
				if a.Archetype = titles[need.ArchetypeKey]; a.Archetype == "" {
					a.Archetype = web.Label(need.ArchetypeKey)
				}
			}
		}
	}
}

// treeDrawing is a drawing of an ability tree: the pages of its map one below another.
type treeDrawing struct {
	Width, Height int
	Lines         string // path of all connectors
	Nodes         []treeNode
}

type treeNode struct {
	X, Y          int
	Title         string
	First, Second string // the title in two lines
	ID            string
	Colour        string // of the name in the game, `#` and six hex digits
	Big           bool   // for two ability points
}

// Measures of the drawing of a tree.
const (
	treeCellWidth, treeCellHeight = 88, 56
	treeRows, treeColumns         = 6, 9 // of a page
)

// nameColour is the first colour in a text with the game's markup.
var nameColour = regexp.MustCompile(`color: ?(#[0-9a-fA-F]{6})`)

func drawTree(t *abilityTree) *treeDrawing {
	at := func(page int, c cell) (x, y int) {
		return (c.X-1)*treeCellWidth + treeCellWidth/2, ((page-1)*treeRows+c.Y-1)*treeCellHeight + treeCellHeight/2
	}
	out := &treeDrawing{Width: treeColumns * treeCellWidth}
	out.Lines = treeLines(t, at)
	for _, p := range t.Pages {
		for _, a := range p.Abilities {
			n := treeNode{Title: a.Title(), ID: a.ID(), Colour: "#ffffff", Big: a.Requirements.AbilityPoints > 1}
			n.X, n.Y = at(p.Page, a.Coordinates)
			if found := nameColour.FindStringSubmatch(a.Name); found != nil {
				n.Colour = found[1]
			}
			n.First, n.Second = twoLines(n.Title)
			out.Nodes = append(out.Nodes, n)
			out.Height = max(out.Height, n.Y+treeCellHeight)
		}
	}
	return out
}

// arms are the directions of a connector, as steps of columns and rows.
var arms = map[string]cell{"up": {0, -1}, "down": {0, 1}, "left": {-1, 0}, "right": {1, 0}}

// treeLines is the path of all connectors: each arm goes to the edge of its cell, or to the ability beside it.
func treeLines(t *abilityTree, at func(int, cell) (int, int)) string {
	abilities := map[cell]bool{}
	for _, p := range t.Pages {
		for _, a := range p.Abilities {
			x, y := at(p.Page, a.Coordinates)
			abilities[cell{x, y}] = true
		}
	}
	var lines strings.Builder
	for _, p := range t.Map {
		for _, e := range p.Elements {
			if e.Meta.Connector == nil {
				continue
			}
			x, y := at(p.Page, e.Coordinates)
			for name := range strings.SplitSeq(*e.Meta.Connector, "_") {
				arm := arms[name] // of the prefix it has no length
				end := cell{x + arm.X*treeCellWidth, y + arm.Y*treeCellHeight}
				if !abilities[end] {
					end = cell{(x + end.X) / 2, (y + end.Y) / 2}
				}
				if arm != (cell{}) {
					fmt.Fprintf(&lines, "M%d %dL%d %d", x, y, end.X, end.Y)
				}
			}
		}
	}
	return lines.String()
}

// twoLines breaks a title at the space that is nearest to its middle.
func twoLines(title string) (first, second string) {
	best := -1
	for i, r := range title {
		if r == ' ' && (best < 0 || abs(2*i-len(title)) < abs(2*best-len(title))) {
			best = i
		}
	}
	if best < 0 || len(title) <= 10 {
		return title, ""
	}
	return title[:best], title[best+1:]
}

func abs(n int) int { return max(n, -n) }
