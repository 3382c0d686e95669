package site

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"gamedata/internal/httpapi"
	"gamedata/internal/web"
	"gamedata/internal/web/card"
)

// badge is a picture in one line: a name and its first figure.
type badge struct {
	Name, Value           string
	NameWidth, ValueWidth int // in pixels, with a margin of 12
}

// badgeWidth estimates the width of a text on a badge; the picture stretches the text to it.
func badgeWidth(text string) int { return 13*utf8.RuneCountInString(text)/2 + 12 }

func badgeOf(c *renderContext, of card.Card) (httpapi.Response, error) {
	b := badge{Name: of.Title, Value: cmp.Or(of.Subtitle, of.Kind)}
	if len(of.Figures) > 0 {
		b.Value = strings.ToLower(of.Figures[0].Name) + " " + of.Figures[0].Value
	} else if len(of.Rows) > 0 {
		b.Value = of.Rows[0].Name + " " + of.Rows[0].Value
	}
	b.NameWidth, b.ValueWidth = badgeWidth(b.Name), badgeWidth(b.Value)
	return c.site.svgOf("badge", b), nil
}

// framed is the short form of a page, which other sites show in a frame. Players and guilds have their page's tiles.
type framed struct {
	card.Card
	Address string // of the page
	Player  *PlayerPage
	Guild   *GuildPage
}

// embedPolicy is web.PagePolicy for a page that has no scripts or forms and that every site may frame.
const embedPolicy = "default-src 'none'; style-src 'self'; base-uri 'none'; " + httpapi.AnyFrame

func embedOf(c *renderContext, of card.Card) (httpapi.Response, error) {
	of.Figures = slices.Concat(of.Figures, of.Rows)
	of.Figures = of.Figures[:min(len(of.Figures), card.MaxFigures)]
	short := framed{Card: of, Address: c.Address}
	short.Player, _ = c.Body.(*PlayerPage)
	short.Guild, _ = c.Body.(*GuildPage)
	out := c.site.renderTemplate(http.StatusOK, "embed", short)
	out.Header = http.Header{"Content-Type": {web.HTMLType}, "Content-Security-Policy": {embedPolicy}}
	return out, nil
}
