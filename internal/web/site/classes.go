package site

import (
	"cmp"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"gamedata/graph"
	"gamedata/internal/web"
)

type classBody struct {
	*ClassPage
	Drawing   *treeDrawing    // nil without a tree
	abilities map[string]link // by key in lower case
}

// Path returns the path of the class's page.
func (c ClassRow) Path() string { return web.Path("classes", strings.ToLower(c.Key)) }

// chatColour is a colour code of the game's chat.
var chatColour = regexp.MustCompile("&.")

// Title returns the name without colours.
func (a ArchetypeName) Title() string { return chatColour.ReplaceAllString(a.Name, "") }

// Dots draws a rating as full and empty dots.
func (Archetype) Dots(value, most int64) string {
	full := max(0, min(value, most, 10))
	return strings.Repeat("●", int(full)) + strings.Repeat("○", int(max(0, min(most, 10)-full)))
}

// Title returns the name as plain text.
func (a Ability) Title() string { return strings.Join(web.Paragraphs(a.Name), " ") }

// ID returns the anchor of the description.
func (a Ability) ID() string { return "ability-" + strings.ToLower(a.Key) }

// TierClass returns the CSS class of the rarity's colour.
func (a Aspect) TierClass() string { return "tier tier-" + strings.ToLower(a.Rarity) }

func showClasses(c *renderContext, data *ClassesPage) *errorPage {
	return c.show("Classes", fmt.Sprintf("The %d classes of the game, their archetypes, ability trees and aspects.",
		len(data.Classes)), data.Classes)
}

// upperCaseName converts a name in the path to upper case, like the schema's enums.
func upperCaseName(_ time.Time, given url.Values) *graph.Error {
	given.Set("name", strings.ToUpper(given.Get("name")))
	return nil
}

func showClass(c *renderContext, data *ClassPage) *errorPage {
	v := data.Class
	body := &classBody{ClassPage: data, abilities: map[string]link{}}
	if v.Tree != nil {
		for _, p := range v.Tree.Pages {
			for _, a := range p.Abilities {
				body.abilities[strings.ToLower(a.Key)] = link{Path: "#" + a.ID(), Text: a.Title()}
			}
		}
		body.Drawing = drawTree(v.Tree)
	}
	c.setCanonical(v.Path())
	return c.show(v.Name, fmt.Sprintf("%s: archetypes, the ability tree and %d aspects.", v.Name, len(v.Aspects)), body)
}

// Links returns links to the abilities with the given keys, leaving out unknown keys, which do occur.
func (b *classBody) Links(keys []string) []link {
	var out []link
	for _, key := range keys {
		if l, ok := b.abilities[strings.ToLower(key)]; ok && !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	return out
}

// Archetype returns the name of the archetype with a key.
func (b *classBody) Archetype(key string) string {
	for _, a := range b.Class.Archetypes {
		if a.Key == key {
			return cmp.Or(a.Title(), web.Label(key))
		}
	}
	return web.Label(key)
}

// Texts returns the ability tree's texts about the archetype with a key.
func (b *classBody) Texts(key string) []string {
	var out []string
	for _, a := range orEmpty(b.Class.Tree).Archetypes {
		if a.Key == key {
			out = slices.Concat(web.Paragraphs(a.ShortDescription), web.Paragraphs(a.Description))
		}
	}
	return out
}

// treeDrawing is a drawing of an ability tree: the pages of its map one below another.
type treeDrawing struct {
	Path          string // of the page with the descriptions; empty for the same page
	Width, Height int64
	Lines         string // path of all connectors
	Nodes         []treeNode
}

type treeNode struct {
	Cell          // its middle
	TextY         int64
	Title         string
	First, Second string // the title in two lines
	ID            string
	Colour        string // of the name in the game, `#` and six hex digits
	Points        int64  // ability points that it costs
	Chosen        bool   // by the character
}

// Measures of the drawing of a tree.
const (
	treeCellWidth, treeCellHeight = 88, 56
	treeRows, treeColumns         = 6, 9 // of a page
)

// nameColour is the first colour in a text with the game's markup.
var nameColour = regexp.MustCompile(`color: ?(#[0-9a-fA-F]{6})`)

func drawTree(t *Tree) *treeDrawing {
	at := func(page int64, c Cell) Cell {
		return Cell{(c.X-1)*treeCellWidth + treeCellWidth/2, ((page-1)*treeRows+c.Y-1)*treeCellHeight + treeCellHeight/2}
	}
	out := &treeDrawing{Width: treeColumns * treeCellWidth}
	out.Lines = treeLines(t, at)
	for _, p := range t.Pages {
		for _, a := range p.Abilities {
			middle := at(p.Page, a.Coordinates)
			n := treeNode{
				Cell: middle, TextY: middle.Y + treeCellHeight/2 - 1, Title: a.Title(), ID: a.ID(), Colour: "#ffffff",
				Points: a.Requirements.AbilityPoints,
			}
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

// arms maps the directions of a connector to steps of columns and rows.
var arms = map[string]Cell{"up": {0, -1}, "down": {0, 1}, "left": {-1, 0}, "right": {1, 0}}

// treeLines returns the path of all connectors: each arm goes to the edge of its cell, or to the ability beside it.
func treeLines(t *Tree, at func(int64, Cell) Cell) string {
	abilities := map[Cell]bool{}
	for _, p := range t.Pages {
		for _, a := range p.Abilities {
			abilities[at(p.Page, a.Coordinates)] = true
		}
	}
	var lines strings.Builder
	for _, p := range t.Map {
		for _, e := range p.Elements {
			if e.Meta.Connector == nil {
				continue
			}
			from := at(p.Page, e.Coordinates)
			for name := range strings.SplitSeq(*e.Meta.Connector, "_") {
				arm := arms[name] // zero for the prefix
				end := Cell{from.X + arm.X*treeCellWidth, from.Y + arm.Y*treeCellHeight}
				if !abilities[end] {
					end = Cell{(from.X + end.X) / 2, (from.Y + end.Y) / 2}
				}
				if arm != (Cell{}) {
					fmt.Fprintf(&lines, "M%d %dL%d %d", from.X, from.Y, end.X, end.Y)
				}
			}
		}
	}
	return lines.String()
}

// twoLines breaks a title at the space nearest to its middle.
func twoLines(title string) (first, second string) {
	best, nearest := -1, len(title)
	for i, r := range title {
		if off := max(2*i-len(title), len(title)-2*i); r == ' ' && off < nearest {
			best, nearest = i, off
		}
	}
	if best < 0 || len(title) <= 10 {
		return title, ""
	}
	return title[:best], title[best+1:]
}
