package card

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"regexp"
	"strconv"

	"golang.org/x/image/vector"

	"gamedata/internal/web"
)

// colourOf parses #rrggbb; anything else is black.
func colourOf(text string) color.NRGBA {
	n, err := strconv.ParseUint(text[min(1, len(text)):], 16, 24)
	if err != nil {
		n = 0
	}
	return color.NRGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 255} //nolint:gosec // the bytes of the number
}

const corner = 18

func (p *canvas) rounded(r image.Rectangle, c color.Color) {
	mask := roundedMask(r.Dx(), r.Dy(), corner)
	draw.DrawMask(p.RGBA, r, image.NewUniform(c), image.Point{}, mask, image.Point{}, draw.Over)
}

func roundedMask(width, height, radius int) *image.Alpha {
	w, h, r := float64(width), float64(height), float64(radius)
	points := []point{}
	for _, c := range []struct{ x, y, from float64 }{{w - r, r, -90}, {w - r, h - r, 0}, {r, h - r, 90}, {r, r, 180}} {
		for step := range 9 {
			angle := (c.from + float64(step)*90/8) * math.Pi / 180
			points = append(points, point{c.x + r*math.Cos(angle), c.y + r*math.Sin(angle)})
		}
	}
	return fillMask(image.Rect(0, 0, width, height), [][]point{points})
}

// drawing draws the shapes of a drawing into a rectangle with rounded corners.
func (p *canvas) drawing(r image.Rectangle, d web.Drawing) {
	part := &canvas{image.NewRGBA(r)}
	for _, s := range d.Shapes {
		part.shape(r, d, s)
	}
	mask := roundedMask(r.Dx(), r.Dy(), min(corner, r.Dx()/4))
	draw.DrawMask(p.RGBA, r, part.RGBA, r.Min, mask, image.Point{}, draw.Over)
}

// shape draws a shape of a drawing inside a rectangle.
func (p *canvas) shape(r image.Rectangle, d web.Drawing, s web.Shape) {
	lines := parsePath(s.Path)
	for _, line := range lines {
		for i, at := range line {
			line[i].x = (at.x-d.X)*float64(r.Dx())/d.Width + float64(r.Min.X)
			line[i].y = (at.y-d.Y)*float64(r.Dy())/d.Height + float64(r.Min.Y)
		}
	}
	c := colourOf(s.Fill)
	if s.Opacity > 0 {
		c.A = uint8(255 * s.Opacity)
	}
	area := r.Intersect(p.Bounds())
	mask := fillMask(area, lines)
	if s.Line > 0 {
		mask = lineMask(area, lines, s.Line)
	}
	draw.DrawMask(p.RGBA, area, image.NewUniform(c), image.Point{}, mask, area.Min, draw.Over)
}

// lineMask returns the share of each pixel of a rectangle that open lines of a width cover.
func lineMask(area image.Rectangle, lines [][]point, width float64) *image.Alpha {
	raster := vector.NewRasterizer(area.Dx(), area.Dy())
	for _, line := range lines {
		for i, to := range line[1:] {
			from := line[i]
			along := width / 2 / max(0.001, math.Hypot(to.x-from.x, to.y-from.y))
			x, y := (to.x-from.x)*along, (to.y-from.y)*along // half of the width in the direction of the line
			raster.MoveTo(at(area, from.x-x-y, from.y-y+x))
			raster.LineTo(at(area, to.x+x-y, to.y+y+x))
			raster.LineTo(at(area, to.x+x+y, to.y+y-x))
			raster.LineTo(at(area, from.x-x+y, from.y-y-x))
			raster.ClosePath()
		}
	}
	mask := image.NewAlpha(area)
	raster.DrawOp = draw.Src
	raster.Draw(mask, area, image.Opaque, image.Point{})
	return mask
}

// at returns a point relative to a rectangle.
func at(area image.Rectangle, x, y float64) (float32, float32) {
	return float32(x - float64(area.Min.X)), float32(y - float64(area.Min.Y))
}

type point struct{ x, y float64 }

// fillMask returns the share of each pixel of a rectangle that closed lines cover, by the even-odd rule.
func fillMask(area image.Rectangle, lines [][]point) *image.Alpha {
	mask := image.NewAlpha(area)
	for _, line := range lines {
		box := bounds(line).Intersect(area)
		if box.Empty() {
			continue
		}
		raster := vector.NewRasterizer(box.Dx(), box.Dy())
		for i, p := range line {
			if i == 0 {
				raster.MoveTo(at(box, p.x, p.y))
			} else {
				raster.LineTo(at(box, p.x, p.y))
			}
		}
		raster.ClosePath()
		part := image.NewAlpha(image.Rect(0, 0, box.Dx(), box.Dy()))
		raster.DrawOp = draw.Src
		raster.Draw(part, part.Bounds(), image.Opaque, image.Point{})
		for y := range box.Dy() {
			row := mask.Pix[mask.PixOffset(box.Min.X, box.Min.Y+y):][:box.Dx()]
			for x, b := range part.Pix[y*part.Stride:][:box.Dx()] {
				a := int(row[x])
				row[x] = uint8(a + int(b) - 2*a*int(b)/255) //nolint:gosec // between 0 and 255
			}
		}
	}
	return mask
}

func bounds(line []point) image.Rectangle {
	left, top, right, bottom := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, at := range line {
		left, right = min(left, at.x), max(right, at.x)
		top, bottom = min(top, at.y), max(bottom, at.y)
	}
	if left > right {
		return image.Rectangle{}
	}
	return image.Rect(int(math.Floor(left)), int(math.Floor(top)), int(math.Ceil(right)), int(math.Ceil(bottom)))
}

var pathToken = regexp.MustCompile(`[A-Za-z]|-?(?:\d+\.?\d*|\.\d+)`)

// pathArguments maps path commands to their number of arguments.
var pathArguments = map[byte]int{'M': 2, 'L': 2, 'H': 1, 'V': 1, 'A': 7, 'Z': 0}

// parsePath parses the data of an SVG path of lines and circular arcs into closed lines. It stops at the first command
// that is not in pathArguments.
func parsePath(data string) [][]point {
	var lines [][]point
	var at, begin point
	var command byte
	tokens := pathToken.FindAllString(data, -1)
	for len(tokens) > 0 {
		if c := tokens[0][0]; c >= 'A' {
			command, tokens = c, tokens[1:]
		}
		upper, relative := command&^0x20, command >= 'a'
		count, known := pathArguments[upper]
		if !known || len(tokens) < count {
			break
		}
		numbers := make([]float64, count)
		for i := range numbers {
			numbers[i], _ = strconv.ParseFloat(tokens[i], 64) // the token is a number, or 0 in a malformed path
		}
		tokens = tokens[count:]
		origin := point{}
		if relative {
			origin = at
		}
		to := at
		switch upper {
		case 'Z':
			at = begin
			if len(tokens) > 0 && tokens[0][0] < 'A' {
				return lines // a number after the end of a line
			}
			continue
		case 'H':
			to.x = origin.x + numbers[0]
		case 'V':
			to.y = origin.y + numbers[0]
		default:
			to = point{origin.x + numbers[count-2], origin.y + numbers[count-1]}
		}
		switch {
		case upper == 'M':
			begin, lines = to, append(lines, []point{to})
			command-- // L or l: further numbers are lines
		case len(lines) == 0:
			return nil
		case upper == 'A':
			lines[len(lines)-1] = append(lines[len(lines)-1], arc(at, to, numbers[0], numbers[3] != 0, numbers[4] != 0)...)
		default:
			lines[len(lines)-1] = append(lines[len(lines)-1], to)
		}
		at = to
	}
	return lines
}

// arc returns points on the arc of a circle between two points, without the first one.
func arc(from, to point, radius float64, large, sweep bool) []point {
	dx, dy := to.x-from.x, to.y-from.y
	distance := math.Hypot(dx, dy)
	if distance == 0 {
		return nil
	}
	height := math.Sqrt(max(0, radius*radius-distance*distance/4))
	if large == sweep {
		height = -height
	}
	centre := point{(from.x+to.x)/2 - dy/distance*height, (from.y+to.y)/2 + dx/distance*height}
	radius = math.Hypot(from.x-centre.x, from.y-centre.y)
	begin := math.Atan2(from.y-centre.y, from.x-centre.x)
	turn := math.Atan2(to.y-centre.y, to.x-centre.x) - begin
	switch {
	case sweep && turn < 0:
		turn += 2 * math.Pi
	case !sweep && turn > 0:
		turn -= 2 * math.Pi
	}
	const steps = 16
	out := make([]point, steps)
	for i := range out {
		angle := begin + turn*float64(i+1)/steps
		out[i] = point{centre.x + radius*math.Cos(angle), centre.y + radius*math.Sin(angle)}
	}
	return out
}
