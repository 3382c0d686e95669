// Package card renders the pictures of pages that sites and messengers show with shared links: PNG of 1200 × 630
// pixels with a title, figures and a drawing.
package card

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"sync"

	"gamedata/internal/web"
)

const (
	// Width of a picture in pixels.
	Width = 1200
	// Height of a picture in pixels.
	Height = 630
	// MaxFigures is the maximum number of figures on a picture.
	MaxFigures = 4
)

// Card is the content of a picture.
type Card struct {
	// Kind of the subject, such as Player, in the upper right corner.
	Kind string
	// Title takes up to two lines, in a smaller size if it is long. Subtitle takes up to two lines, four beside a large
	// drawing.
	Title, Subtitle string
	// Figures are values in tiles; only the first MaxFigures are shown.
	Figures []Figure
	// Rows are a list with bars at the right edge.
	Rows []Figure
	// Note is a sentence shown when there are no figures.
	Note string
	// Drawing is shown beside the title. A large one is a square at the right edge, without figures and kind.
	Drawing web.Drawing
	Large   bool
	// Picture is shown at the right edge, stretched to 16:9, if there are no rows.
	Picture web.Drawing
	// Colour of the subject as #rrggbb.
	Colour string
}

// Figure is a value with its name.
type Figure struct {
	Name, Value string
	// Note is a text below the value of a tile.
	Note string
	// Bar is the length of the bar of a row in percent, Colour its colour as #rrggbb; empty is the accent colour.
	Bar    int
	Colour string
}

const accentColour = "#5cd6a8"

// Colours of the dark design (shell.css).
var (
	ground = colourOf("#0d1311")
	paper  = colourOf("#18221e")
	line   = colourOf("#2a3631")
	ink    = colourOf("#e6eeea")
	soft   = colourOf("#a6b5ae")
	accent = colourOf(accentColour)
)

// logo is icon.svg; a test compares them.
var logo = web.Drawing{Width: 32, Height: 32, Shapes: []web.Shape{
	{Fill: "#0f6b4c", Path: "M8 0h16a8 8 0 0 1 8 8v16a8 8 0 0 1-8 8h-16a8 8 0 0 1-8-8v-16a8 8 0 0 1 8-8z"},
	{Fill: "#ffffff", Path: hexagon + "M16 6.780 23.900 11.350V20.650L16 25.220 8.100 20.650V11.350z"},
	{Fill: "#8ff0c8", Path: "M10.800 15.500a1.200 1.200 0 0 1 2.400 0v4.500a1.200 1.200 0 0 1-2.400 0z" +
		"M14.800 11.500a1.200 1.200 0 0 1 2.400 0v8.500a1.200 1.200 0 0 1-2.400 0z" +
		"M18.800 14a1.200 1.200 0 0 1 2.400 0v6a1.200 1.200 0 0 1-2.400 0z"},
}}

const hexagon = "M16 4.220 26.100 10.050V21.950L16 27.780 5.900 21.950V10.050z"

// Positions on the picture, in pixels.
const (
	margin     = 72
	brandTop   = 52
	brandSize  = 56
	middle     = 272 // of title and drawing
	drawingMax = 224
	sideTop    = 128 // of rows or a picture at the right edge
	sideWidth  = 448
	sideHeight = 252
	tilesTop   = 428
	tileHeight = 124
	tileGap    = 20
	padding    = 24 // of tiles
	stripe     = 12 // in the colour of the subject, at the bottom
)

// encoder is fast rather than thorough: the pictures are flat.
var encoder = png.Encoder{CompressionLevel: png.BestSpeed}

// PNG renders the picture.
func (c Card) PNG() ([]byte, error) {
	p := &canvas{image.NewRGBA(image.Rect(0, 0, Width, Height))}
	copy(p.Pix, background().Pix)
	kind := clean(c.Kind)
	p.text(Width-margin-textWidth(regular, 30, kind), brandTop+39, regular, 30, soft, kind)

	left, right, centre := margin, Width-margin, middle
	if c.Large && c.Drawing.Height > 0 {
		right = Width - Height
		p.drawing(image.Rect(right, 0, Width, Height), c.Drawing)
		right -= margin / 2
		centre += margin
	} else if c.Drawing.Height > 0 {
		w, h := drawingMax, drawingMax
		if ratio := c.Drawing.Width / c.Drawing.Height; ratio < 1 {
			w = int(float64(h) * ratio)
		} else {
			h = int(float64(w) / ratio)
		}
		side := image.Rect(right-sideWidth, sideTop, right, sideTop+sideHeight)
		switch {
		case len(c.Rows) > 0:
			if len(c.Figures) == 0 {
				side.Max.Y = Height - margin
				centre = (side.Min.Y + side.Max.Y) / 2
			}
			p.rows(side, c.Rows)
		case c.Picture.Height > 0:
			p.drawing(side, c.Picture)
		}
		if len(c.Rows) > 0 || c.Picture.Height > 0 {
			w, h, right = w/2, h/2, side.Min.X-margin/2
		}
		p.drawing(image.Rect(left, centre-h/2, left+w, centre+h/2), c.Drawing)
		left += w + 44
	}
	p.titles(left, right, centre, clean(c.Title), clean(c.Subtitle))
	if len(c.Figures) > 0 {
		p.figures(c.Figures[:min(MaxFigures, len(c.Figures))])
	} else if c.Note != "" && len(c.Rows) == 0 {
		p.tile(image.Rect(margin, tilesTop, Width-margin, tilesTop+tileHeight))
		note := shorten(regular, 32, Width-2*margin-2*padding, clean(c.Note))
		p.text(margin+padding, tilesTop+tileHeight/2+11, regular, 32, soft, note)
	}
	p.fill(image.Rect(0, Height-stripe, Width, Height), colourOf(c.Colour))
	var out bytes.Buffer
	err := encoder.Encode(&out, p.RGBA)
	return out.Bytes(), err
}

// background is the common background of all pictures, drawn once.
var background = sync.OnceValue(func() *canvas {
	p := &canvas{image.NewRGBA(image.Rect(0, 0, Width, Height))}
	p.fill(p.Bounds(), ground)
	p.shape(image.Rect(760, -190, 1760, 810), logo, web.Shape{Fill: "#121c18", Path: hexagon})
	p.drawing(image.Rect(margin, brandTop, margin+brandSize, brandTop+brandSize), logo)
	p.text(margin+brandSize+18, brandTop+39, bold, 34, ink, "gamedata")
	return p
})

// canvas is a picture that is being drawn. Functions of image/draw get the RGBA itself, which they treat specially.
type canvas struct{ *image.RGBA }

func (p *canvas) fill(r image.Rectangle, c color.Color) {
	draw.Draw(p.RGBA, r, image.NewUniform(c), image.Point{}, draw.Src)
}

// titles writes title and subtitle from left to right, around a height.
func (p *canvas) titles(left, right, centre int, title, subtitle string) {
	width := right - left
	size, lines := fit(title, width)
	const subSize, gap = 32, 22
	most := 2 // lines
	if right < Width-margin {
		most = 4
	}
	sub := wrap(regular, subSize, width, most, subtitle)
	height := len(lines)*lineHeight(size) - size/4
	if len(sub) > 0 {
		height += gap + len(sub)*lineHeight(subSize)
	}
	y := centre - height/2
	for _, text := range lines {
		p.text(left, y+size*4/5, bold, size, ink, text)
		y += lineHeight(size)
	}
	y += gap - size/4
	for _, text := range sub {
		p.text(left, y+subSize, regular, subSize, soft, text)
		y += lineHeight(subSize)
	}
}

// tile draws the tile behind a figure or note.
func (p *canvas) tile(r image.Rectangle) {
	p.rounded(r, line)
	p.rounded(r.Inset(2), paper)
}

// figures writes figures into tiles of equal width. A tile takes at most a third of the row, even if there are fewer
// figures.
func (p *canvas) figures(list []Figure) {
	columns := max(3, len(list))
	width := (Width - 2*margin - (columns-1)*tileGap) / columns
	inner := width - 2*padding
	names, values := make([]string, len(list)), make([]string, len(list))
	for i, f := range list {
		names[i], values[i] = clean(f.Name), clean(f.Value)
	}
	nameSize, valueSize := sizeOf(regular, 25, 20, inner, names), sizeOf(bold, 44, 30, inner, values)
	for i := range list {
		x := margin + i*(width+tileGap)
		p.tile(image.Rect(x, tilesTop, x+width, tilesTop+tileHeight))
		valueAt := tilesTop + 98
		if note := clean(list[i].Note); note != "" {
			valueAt = tilesTop + 84
			p.text(x+padding, tilesTop+112, regular, 18, soft, shorten(regular, 18, inner, note))
		}
		p.text(x+padding, tilesTop+40, regular, nameSize, soft, shorten(regular, nameSize, inner, names[i]))
		p.text(x+padding, valueAt, bold, valueSize, accent, shorten(bold, valueSize, inner, values[i]))
	}
}

// rows writes a list with bars into a rectangle.
func (p *canvas) rows(r image.Rectangle, list []Figure) {
	height := r.Dy() / len(list)
	size := min(30, height/2)
	for i, f := range list {
		y := r.Min.Y + i*height
		value := shorten(bold, size, r.Dx()/2, clean(f.Value))
		x := r.Max.X - textWidth(bold, size, value)
		p.text(r.Min.X, y+size, regular, size, ink, shorten(regular, size, x-r.Min.X-padding, clean(f.Name)))
		p.text(x, y+size, bold, size, accent, value)
		bar := image.Rect(r.Min.X, y+size*5/4, r.Max.X, y+size*5/4+max(4, height/8))
		p.fill(bar, line)
		bar.Max.X = bar.Min.X + bar.Dx()*f.Bar/100
		p.fill(bar, colourOf(cmp.Or(f.Colour, accentColour)))
	}
}
