package site

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/gorilla/mux"

	"gamedata/graph"
	"gamedata/internal/httpapi"
	"gamedata/internal/web"
	"gamedata/internal/web/card"
)

// cardSuffix follows the path of a page in that of its picture for shared links.
const cardSuffix = "/card.png"

// serveCard serves GET and HEAD of the picture of a page. It is made for a guest and costs what the page costs; errors
// have the body of all endpoints.
func (s *Site) serveCard(w http.ResponseWriter, r *http.Request, p *page) {
	httpapi.SetRoute(r.Context(), httpapi.APIOther, p.path+cardSuffix, p.op.Name)
	httpapi.NoCORS(w.Header())
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		s.api.MethodNotAllowed(w, r, "GET, HEAD")
		return
	}
	bad := web.Admit(s.api, w, r, p.costs)
	var req request
	if bad == nil {
		req, bad = p.bind(s.o.Now(), pathVariables(mux.Vars(r)), "")
	}
	if bad != nil {
		s.send(w, r, s.api.Errors.Response(bad))
		return
	}
	q := s.cacheRequest(p, req)
	q.Key, q.Scope, q.ErrorResponse = "card "+q.Key, graph.Shared, nil // a shared response is made for a guest
	s.api.Cache.Serve(w, r, q, s.run(p, req, q.Scope, s.respondCard))
}

// respondCard makes the picture of a page. Of several subjects none has a picture.
func (s *Site) respondCard(c *renderContext, bad *graph.Error) httpapi.Response {
	if bad == nil && c.instead != nil {
		bad = graph.ErrNotFound
		if c.instead.Status == http.StatusMultipleChoices {
			bad = graph.ErrMultiple(nil)
		}
	}
	switch {
	case bad != nil:
		return s.api.Errors.Response(bad)
	case c.location != "":
		return httpapi.Response{Status: http.StatusSeeOther, Header: http.Header{"Location": {c.location + cardSuffix}}}
	}
	body, err := c.page.card(c).PNG()
	if err != nil {
		s.o.Log.Error("encoding picture failed", "operation", c.page.operation, "error", err)
		return s.api.Errors.Response(graph.ErrInternal)
	}
	return httpapi.Response{Status: http.StatusOK, Body: body, Header: http.Header{"Content-Type": {"image/png"}}}
}

// Colours of subjects that have none of their own.
const (
	accentColour  = "#5cd6a8"
	neutralColour = "#a6b5ae"
)

// Colours of the map, those of page.css in the dark.
const (
	seaColour  = "#0b1a22"
	landColour = "#1d2925"
)

// tierColours are those of page.css in the dark.
var tierColours = map[string]string{
	"normal": "#c3cec8", "unique": "#ffd75e", "rare": "#ff8df0", "legendary": "#58e0fa", "fabled": "#ff8a80",
	"mythic": "#d59bff", "set": "#6fe3b4", "crafted": "#4fd8eb",
}

func playerCard(c *renderContext) card.Card {
	data, _ := c.Body.(*playerBody)
	p := data.Player
	out := card.Card{
		Kind: "Player", Title: p.Username, Subtitle: p.RankText, Drawing: web.Identicon(p.UUID), Colour: web.Colour(p.UUID),
	}
	if b := p.Badge(); b != nil {
		out.Subtitle = b.Text
	}
	if g := p.GuildMembership; g != nil {
		out.Subtitle = fmt.Sprintf("%s of %s [%s]", web.Label(textOf(g.Rank)), g.GuildName, g.GuildPrefix)
	}
	if t := p.GlobalData; t != nil {
		out.Figures = append(out.Figures, card.Figure{Name: "Total level", Value: web.Number(t.TotalLevel)})
	}
	if p.Playtime != nil {
		out.Figures = append(out.Figures, card.Figure{Name: "Playtime", Value: web.Number(int64(*p.Playtime)) + " h"})
	}
	if t := p.GlobalData; t != nil {
		out.Figures = append(out.Figures, card.Figure{Name: "Content completed", Value: web.Number(t.ContentCompletion)},
			card.Figure{Name: "Raids", Value: web.Number(t.Raids.Total)})
	}
	if p.Restrictions.MainAccess && len(out.Figures) == 0 {
		out.Note = "This player keeps their statistics private."
	}
	return out
}

func guildCard(c *renderContext) card.Card {
	data, _ := c.Body.(*guildBody)
	g := data.Guild
	out := card.Card{
		Kind: "Guild", Title: c.Title, Subtitle: "Founded " + g.Created.UTC().Format("2 January 2006"),
		Drawing: web.Identicon(g.UUID), Colour: web.Colour(g.UUID),
		Figures: []card.Figure{
			{Name: "Level", Value: web.Number(g.Level)}, {Name: "Members", Value: web.Number(g.Members.TotalCount)},
		},
	}
	if g.Banner != nil {
		out.Drawing = web.BannerDrawing(g.Banner)
	}
	if g.Headquarters != nil {
		out.Subtitle += ", headquarters in " + g.Headquarters.Name
	}
	if data.Territories != nil {
		out.Figures = append(out.Figures, card.Figure{Name: "Territories", Value: web.Number(int64(len(data.Held)))})
	}
	if g.Wars != nil {
		out.Figures = append(out.Figures, card.Figure{Name: "Wars won", Value: web.Number(*g.Wars)})
	}
	return out
}

// gem is the drawing of items, with its facets.
func gem(colour string) web.Drawing {
	return web.Drawing{Width: 32, Height: 32, Shapes: []web.Shape{
		{Fill: "#18221e", Path: "M0 0h32v32H0z"},
		{Fill: colour, Path: "M10 6h12l5 7-11 14L5 13z"},
		{Fill: "#ffffff", Path: "M10 6h12l-2.500 7h-7z", Opacity: 0.35},
		{Fill: "#000000", Path: "M12.500 13h7L16 27z", Opacity: 0.12},
		{Fill: "#000000", Path: "M19.500 13H27L16 27z", Opacity: 0.3},
		{Fill: "#ffffff", Path: "M5 13l5-7 2.500 7z", Opacity: 0.15},
	}}
}

func itemCard(c *renderContext) card.Card {
	data, _ := c.Body.(*ItemPage)
	i := data.Item
	colour := neutralColour
	if i.Tier != nil && tierColours[strings.ToLower(*i.Tier)] != "" {
		colour = tierColours[strings.ToLower(*i.Tier)]
	}
	out := card.Card{
		Kind: "Item", Title: i.DisplayName, Subtitle: web.Label(i.Kind()), Drawing: gem(colour), Colour: colour,
		Figures: []card.Figure{{Name: "Level", Value: web.Number(i.Requirements.Level)}},
	}
	if i.AverageDps != nil && *i.AverageDps > 0 {
		out.Figures = append(out.Figures, card.Figure{Name: "Average DPS", Value: web.Number(*i.AverageDps)})
	}
	for _, s := range slices.Concat(i.Base, i.Identifications) {
		name := web.Label(strings.TrimPrefix(s.Key, "base")) // baseEarthDefence
		out.Figures = append(out.Figures, card.Figure{Name: name, Value: s.Value()})
	}
	return out
}

// podium is the drawing of leaderboards.
var podium = web.Drawing{Width: 32, Height: 32, Shapes: []web.Shape{
	{Fill: "#18221e", Path: "M0 0h32v32H0z"},
	{Fill: "#c3cec8", Path: "M4.500 15h7v12h-7z"},
	{Fill: "#ffd75e", Path: "M12.500 7h7v20h-7z"},
	{Fill: "#d99a5b", Path: "M20.500 19h7v8h-7z"},
}}

// ordinals name the places on the picture of a leaderboard.
var ordinals = []string{"First", "Second", "Third"}

func leaderboardCard(c *renderContext) card.Card {
	data, _ := c.Body.(*leaderboardBody)
	b := data.Leaderboard
	out := card.Card{
		Kind: "Leaderboard", Title: b.Title, Subtitle: b.Description, Drawing: podium, Colour: accentColour,
		Note: "Nobody is ranked yet.",
	}
	for i, e := range b.Entries.Nodes[:min(len(ordinals), len(b.Entries.Nodes))] {
		out.Figures = append(out.Figures, card.Figure{
			Name: ordinals[i] + ", " + web.Number(e.Score), Value: cmp.Or(textOf(e.Name), "hidden"),
		})
	}
	return out
}

func recipeCard(c *renderContext) card.Card {
	data, _ := c.Body.(*RecipePage)
	r := data.Recipe
	out := card.Card{
		Kind: "Recipe", Title: r.Title(), Subtitle: web.Label(r.Skill), Drawing: gem(accentColour), Colour: accentColour,
		Figures: []card.Figure{{Name: "Experience", Value: web.Number(r.Xp)}},
	}
	for _, m := range r.Materials {
		out.Figures = append(out.Figures, card.Figure{Name: m.Name(), Value: web.Number(m.Amount)})
	}
	return out
}

func worldEventCard(c *renderContext) card.Card {
	data, _ := c.Body.(*eventBody)
	e := data.WorldEvent
	out := card.Card{Kind: "World event", Title: e.Name, Colour: accentColour, Drawing: data.Map.square()}
	if e.Territory != nil {
		out.Subtitle = "In " + e.Territory.Name
	}
	if e.Level != nil {
		out.Figures = append(out.Figures, card.Figure{Name: "Level", Value: web.Number(*e.Level)})
	}
	if e.Difficulty != nil {
		out.Figures = append(out.Figures, card.Figure{Name: "Difficulty", Value: web.Label(*e.Difficulty)})
	}
	if e.Length != nil {
		out.Figures = append(out.Figures, card.Figure{Name: "Length", Value: web.Label(*e.Length)})
	}
	return out
}

func territoryCard(c *renderContext) card.Card {
	data, _ := c.Body.(*territoryBody)
	t := data.Territory
	out := card.Card{
		Kind: "Territory", Title: t.Name, Subtitle: "Unclaimed", Colour: neutralColour, Drawing: data.Map.square(),
		Figures: []card.Figure{
			{Name: "Treasury", Value: web.Label(t.Treasury)},
			{Name: "Defences", Value: web.Label(t.Defences)},
			{Name: "Connections", Value: web.Number(int64(len(t.LinkNames)))},
		},
	}
	if t.GuildName != nil && t.GuildUUID != nil {
		out.Subtitle, out.Colour = "Held by "+*t.GuildName, web.Colour(*t.GuildUUID)
		if t.GuildPrefix != nil {
			out.Subtitle += " [" + *t.GuildPrefix + "]"
		}
		if t.Acquired != nil {
			out.Subtitle += " since " + t.Acquired.UTC().Format("2 January 2006")
		}
	}
	best, most := "", int64(0)
	for _, r := range t.Resources {
		if r.Generation > most {
			best, most = r.Type, r.Generation
		}
	}
	if most > 0 {
		out.Figures = append(out.Figures, card.Figure{Name: web.Label(best) + " per hour", Value: web.Number(most)})
	}
	return out
}

// square returns the middle of the map as a square drawing in the dark colours of maps (page.css).
func (m *territoryMap) square() web.Drawing {
	if m == nil {
		return web.Drawing{}
	}
	side := min(m.Width, m.Height)
	x, y := m.X+(m.Width-side)/2, m.Y+(m.Height-side)/2
	out := web.Drawing{
		X: float64(x), Y: float64(y), Width: float64(side), Height: float64(side),
		Shapes: []web.Shape{
			{Fill: seaColour, Path: rectangle(x, y, side, side)}, {Fill: landColour, Path: m.Land},
		},
	}
	for _, a := range m.Areas {
		if a.X > x+side || a.Y > y+side || a.X+a.Width < x || a.Y+a.Height < y {
			continue
		}
		s := web.Shape{Fill: a.Fill, Path: rectangle(a.X, a.Y, a.Width, a.Height), Opacity: 0.9}
		if s.Fill == "" {
			s.Fill = "#6b7871"
		}
		if strings.HasPrefix(a.Class, "dim") {
			s.Opacity = 0.3
		}
		out.Shapes = append(out.Shapes, s)
	}
	for _, p := range m.Spots {
		r := m.SpotSize
		out.Shapes = append(out.Shapes, web.Shape{Fill: "#ffd75e", Path: rectangle(int64(p.X)-r, int64(p.Z)-r, 2*r, 2*r)})
	}
	return out
}

// rectangle returns the data of an SVG path.
func rectangle(x, y, width, height int64) string {
	return fmt.Sprintf("M%d %dh%dv%dh-%dz", x, y, width, height, width)
}
