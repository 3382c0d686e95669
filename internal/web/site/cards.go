package site

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/internal/httpapi"
	"gamedata/internal/web"
	"gamedata/internal/web/card"
)

// cardSuffix follows the path of a page in the path of its picture for shared links.
const cardSuffix = "/card.png"

// cardForms returns the files that show a page in short form. Drawing the picture takes 25 ms of a core.
func (s *Site) cardForms() []form {
	return []form{
		{cardSuffix, 4, s.respondCard(cardSuffix, pngOf)},
		{"/badge.svg", 1, s.respondCard("/badge.svg", badgeOf)},
		{"/embed", 1, s.respondCard("/embed", embedOf)},
	}
}

// respondCard returns a responder that writes a page's card to a file. It also writes one for an error, since people
// see the file on other sites.
func (s *Site) respondCard(suffix string, write func(*renderContext, card.Card) (httpapi.Response, error)) responder {
	return func(c *renderContext, problem *errorPage) httpapi.Response {
		var of card.Card
		switch {
		case problem != nil:
			of = card.Card{Title: cmp.Or(problem.Search, "gamedata"), Colour: neutralColour, Drawing: gem(neutralColour)}
			of.Subtitle = cmp.Or(problem.Title, web.ErrorTitle(problem.Status))
		case c.location != "":
			return httpapi.Response{Status: http.StatusSeeOther, Header: http.Header{"Location": {c.location + suffix}}}
		default:
			of = c.card()
		}
		out, err := write(c, of)
		if err != nil {
			s.o.Log.Error("encoding picture failed", "operation", c.page.operation, "error", err)
			return s.api.Errors.Response(graph.ErrInternal)
		}
		if problem != nil {
			out.Status = problem.Status
			maps.Copy(out.Header, problem.header)
		}
		return out
	}
}

func pngOf(_ *renderContext, of card.Card) (httpapi.Response, error) {
	body, err := of.PNG()
	return httpapi.Response{Status: http.StatusOK, Body: body, Header: web.PictureHeader("image/png")}, err
}

// pictured is implemented by pages that complete the card: subtitle, drawing, colour and figures.
type pictured interface{ draw(*card.Card) }

// card returns the short form of the page: title, picture and facts. A page about many things shows its map or the
// leaders of its chart.
func (c *renderContext) card() card.Card {
	out := card.Card{Title: c.Title, Subtitle: c.Description, Colour: accentColour}
	if body, ok := c.Body.(pictured); ok {
		if c.page.noun != "" {
			out.Kind = web.Label(c.page.noun)
		}
		body.draw(&out)
	} else if c.Chart != nil {
		var figures facts
		for i, s := range c.Chart.Series[:min(len(ordinals), len(c.Chart.Series))] {
			figures.text(ordinals[i]+", "+s.Last, s.Name)
		}
		out.Drawing, out.Figures = podium, figures
	}
	if c.Chart != nil && out.Picture.Height == 0 {
		out.Picture = c.Chart.drawing()
	}
	return out
}

// Colours of subjects without their own colour.
const (
	accentColour  = "#5cd6a8"
	neutralColour = "#a6b5ae"
)

// Colours of the map, as in the dark mode of page.css.
const (
	seaColour  = "#0b1a22"
	landColour = "#1d2925"
)

// tierColours are the dark-mode colours of page.css.
var tierColours = map[string]string{
	"normal": "#c3cec8", "unique": "#ffd75e", "rare": "#ff8df0", "legendary": "#58e0fa", "fabled": "#ff8a80",
	"mythic": "#d59bff", "set": "#6fe3b4", "crafted": "#4fd8eb",
}

func (b *frontBody) draw(out *card.Card) {
	out.Title, out.Drawing, out.Large = "Everything about the game", b.Map.square(true), true
}

func (b *mapBody) draw(out *card.Card) { out.Drawing, out.Large = b.Map.square(true), true }

func (b *PlayerPage) draw(out *card.Card) {
	p, d := b.Player, b.Player.Totals
	out.Subtitle, out.Drawing, out.Colour = p.Rank.Label, web.Identicon(p.UUID), model.UUIDColour(p.UUID)
	if badge := p.Badge(); badge != nil {
		out.Subtitle = badge.Text
	}
	if g := p.GuildMembership; g != nil {
		out.Subtitle = fmt.Sprintf("%s of %s [%s]", web.Label(textOf(g.Rank)), g.GuildName, g.GuildPrefix)
	}
	var figures facts
	if d != nil {
		figures.grown("Total level", d.TotalLevel, b.Week("LEVEL"))
	}
	if p.Playtime != nil {
		figures.text("Playtime", web.Hours(*p.Playtime))
		figures.grow(b.Week("PLAYTIME"))
	}
	if d != nil {
		figures.grown("Wars", d.Wars, b.Week("WARS"))
		figures.grown("Raids", d.Raids.Total, b.Week("RAIDS"))
	}
	if p.HidesStats && len(figures) == 0 {
		out.Note = "This player keeps their statistics private."
	}
	out.Figures = figures
}

func (b *GuildPage) draw(out *card.Card) {
	g := b.Guild
	var figures facts
	figures.grown("Level", g.Level, b.Week("LEVEL"))
	figures.grown("Members", g.Members.TotalCount, b.Week("MEMBERS"))
	if g.Territories != nil {
		figures.grown("Territories", g.Territories.TotalCount, b.Week("TERRITORIES"))
	}
	if g.Wars != nil {
		figures.grown("Wars won", *g.Wars, b.Week("WARS"))
	}
	out.Subtitle, out.Drawing, out.Colour = "Founded "+web.Day(g.CreatedAt), guildDrawing(g.UUID, g.Banner), g.Colour
	out.Figures = figures
	if g.Headquarters != nil {
		out.Subtitle += ", headquarters in " + g.Headquarters.Name
	}
	if m := b.Map(); m != nil {
		out.Picture = m.part(m.X, m.Y, m.Width, m.Height)
	}
}

// guildDrawing returns the banner of a guild, or an avatar without one.
func guildDrawing(uuid string, banner *model.Banner) web.Drawing {
	if banner == nil {
		return web.Identicon(uuid)
	}
	return web.BannerDrawing(banner)
}

// gem returns the drawing for items: a gem with facets.
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

func (p *ItemPage) draw(out *card.Card) {
	i := p.Item
	var figures facts
	figures.number("Level", i.Requirements.Level)
	if i.AverageDps != nil && *i.AverageDps > 0 {
		figures.number("Average DPS", *i.AverageDps)
	}
	for _, r := range slices.Concat(i.Base, i.Identifications) {
		figures.text(web.Label(strings.TrimPrefix(r.Key, "base")), r.Value()) // baseEarthDefence
	}
	out.Colour = cmp.Or(tierColours[strings.ToLower(i.tier())], neutralColour)
	out.Subtitle, out.Drawing, out.Figures = web.Label(i.Kind()), gem(out.Colour), figures
}

var podium = web.Drawing{Width: 32, Height: 32, Shapes: []web.Shape{
	{Fill: "#18221e", Path: "M0 0h32v32H0z"},
	{Fill: "#c3cec8", Path: "M4.500 15h7v12h-7z"},
	{Fill: "#ffd75e", Path: "M12.500 7h7v20h-7z"},
	{Fill: "#d99a5b", Path: "M20.500 19h7v8h-7z"},
}}

// ordinals name the places on the picture of a season.
var ordinals = []string{"First", "Second", "Third"}

func (b *LeaderboardPage) draw(out *card.Card) {
	entries := b.Leaderboard.Entries.Nodes
	for _, e := range entries[:min(5, len(entries))] {
		row := card.Figure{
			Name: fmt.Sprintf("%d. %s", e.Position, cmp.Or(textOf(e.Name), "hidden")), Value: web.Number(e.Score), Bar: b.Bar(e),
		}
		if b.Leaderboard.OfGuilds() {
			row.Colour = e.Colour()
		}
		out.Rows = append(out.Rows, row)
	}
	out.Subtitle, out.Drawing = b.Leaderboard.Description, podium
	out.Note = "Nobody is ranked yet."
}

func (p *RecipePage) draw(out *card.Card) {
	r := p.Recipe
	var figures facts
	figures.number("Experience", r.Xp)
	for _, m := range r.Materials {
		figures.number(m.Name(), m.Amount)
	}
	out.Subtitle, out.Drawing, out.Figures = web.Label(r.Skill), gem(accentColour), figures
}

func (b *WorldEventPage) draw(out *card.Card) {
	e := b.WorldEvent
	var figures facts
	figures.numberIf("Level", e.Level)
	figures.labelIf("Difficulty", e.Difficulty)
	figures.labelIf("Length", e.Length)
	out.Subtitle, out.Drawing, out.Figures = "", b.Map().square(false), figures
	if e.Territory != nil {
		out.Subtitle = "In " + e.Territory.Name
	}
}

func (b *TerritoryPage) draw(out *card.Card) {
	t := b.Territory
	var figures facts
	figures.text("Treasury", web.Label(t.Treasury))
	figures.text("Defences", web.Label(t.Defences))
	figures.number("Connections", int64(len(t.LinkNames)))
	best, most := "", int64(0)
	for _, r := range t.Resources {
		if r.Generation > most {
			best, most = r.Type, r.Generation
		}
	}
	if most > 0 {
		figures.number(web.Label(best)+" per hour", most)
	}
	out.Subtitle, out.Colour, out.Drawing, out.Figures = "Unclaimed", neutralColour, b.Map().square(false), figures
	if t.Claimed() {
		out.Subtitle, out.Colour = fmt.Sprintf("Held by %s [%s]", *t.GuildName, *t.GuildPrefix), t.Colour()
		if t.AcquiredAt != nil {
			out.Subtitle += " since " + web.Day(*t.AcquiredAt)
		}
	}
}

// square returns the middle of the map, or all of it, as a square drawing.
func (m *territoryMap) square(whole bool) web.Drawing {
	if m == nil {
		return web.Drawing{}
	}
	side := min(m.Width, m.Height)
	if whole {
		side = max(m.Width, m.Height)
	}
	return m.part(m.X+(m.Width-side)/2, m.Y+(m.Height-side)/2, side, side)
}

// part returns a rectangle of the map as a drawing in the dark-mode colours of page.css.
func (m *territoryMap) part(x, y, width, height int64) web.Drawing {
	out := web.Drawing{
		X: float64(x), Y: float64(y), Width: float64(width), Height: float64(height),
		Shapes: []web.Shape{
			{Fill: seaColour, Path: rectangle(x, y, width, height)}, {Fill: landColour, Path: m.Land},
		},
	}
	for _, a := range m.Areas {
		if a.X > x+width || a.Y > y+height || a.X+a.Width < x || a.Y+a.Height < y {
			continue
		}
		s := web.Shape{Fill: a.Fill, Path: rectangle(a.X, a.Y, a.Width, a.Height), Opacity: 0.9}
		s.Fill = cmp.Or(s.Fill, "#6b7871")
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

func rectangle(x, y, width, height int64) string {
	return fmt.Sprintf("M%d %dh%dv%dh-%dz", x, y, width, height, width)
}
