package web

import (
	"fmt"
	"html/template"
	"math"
	"strings"

	"gamedata/graph/model"
)

// GuildDot returns a square in the colour of a guild.
func GuildDot(colour string) template.HTML {
	//nolint:gosec // the colour is escaped
	return template.HTML(`<svg class="dot" viewBox="0 0 1 1" aria-hidden="true"><rect width="1" height="1" fill="` +
		template.HTMLEscapeString(colour) + `"/></svg>`)
}

// Drawing is a picture of filled shapes in its own units: an SVG on pages, pixels in pictures for shared links.
type Drawing struct {
	X, Y, Width, Height float64
	Shapes              []Shape // the bottom one first
}

// Shape is a path that is filled by the even-odd rule, or a line in a picture.
type Shape struct {
	Fill    string  // #rrggbb
	Path    string  // data of an SVG path of lines and arcs of circles
	Opacity float64 // 0 means 1
	Line    float64 // width of a line along the path in pixels of a picture; 0 fills the path
}

// svg returns the drawing as an element with a class. Its shapes are opaque.
func (d Drawing) svg(class string) template.HTML {
	var out strings.Builder
	fmt.Fprintf(&out, `<svg class="%s" viewBox="%g %g %g %g" aria-hidden="true">`, class, d.X, d.Y, d.Width, d.Height)
	for _, s := range d.Shapes {
		fmt.Fprintf(&out, `<path fill="%s" fill-rule="evenodd" d="%s"/>`, s.Fill, s.Path)
	}
	out.WriteString(`</svg>`)
	return template.HTML(out.String()) //nolint:gosec // drawings have colours and numbers alone
}

// identiconSize is how many cells an identicon has in a row and in a column.
const identiconSize = 5

// Identicon returns the avatar of a player or guild, drawn from the uuid: a symmetrical pattern in two colours.
func Identicon(uuid string) Drawing {
	h := model.MixBits(model.UUIDHash(uuid) ^ 0x9e3779b9)
	var path strings.Builder
	for y := range identiconSize {
		for x := range identiconSize {
			bit := y*3 + min(x, identiconSize-1-x)
			if h>>bit&1 == 1 {
				fmt.Fprintf(&path, "M%d %dh1v1h-1z", x, y)
			}
		}
	}
	hue := float64(model.MixBits(model.UUIDHash(uuid)) % 360)
	return Drawing{X: -1, Y: -1, Width: 7, Height: 7, Shapes: []Shape{
		{Fill: model.HSL(hue, 0.35, 0.2), Path: "M-1-1h7v7h-7z"},
		{Fill: model.HSL(math.Mod(hue+30, 360), 0.65, 0.68), Path: path.String()},
	}}
}

// Avatar returns the identicon of a player or guild as an element.
func Avatar(uuid string) template.HTML { return Identicon(uuid).svg("avatar") }

// Icon returns a drawing of icons.svg by its id, such as archer or ore. It is decorative: a text beside it says the
// same.
func Icon(name string) template.HTML {
	name = template.HTMLEscapeString(name)
	//nolint:gosec // the name is escaped
	return template.HTML(`<svg class="icon icon-` + name + `" viewBox="0 0 24 24" aria-hidden="true"><use href="` +
		iconsPath + `#` + name + `"/></svg>`)
}
