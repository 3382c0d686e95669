package site

import (
	"cmp"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"gamedata/graph"
	"gamedata/internal/httpapi"
	"gamedata/internal/tabular"
	"gamedata/internal/web"
)

// formatParameter selects the format in which a page returns its chart as a file.
const (
	formatParameter = "format"
	csvFormat       = "csv"
	svgFormat       = "svg"
)

func checkFormat(given url.Values) *graph.Error {
	if format := given.Get(formatParameter); format != "" && format != csvFormat && format != svgFormat {
		return graph.Errorf(graph.InvalidQueryParams, "The charts of this page are available as csv and svg.")
	}
	return nil
}

// csv writes the chart's table as a file: a row for each time, a column for each series.
func (c *chart) csv() []byte {
	names, rows := []string{"time"}, make([][]json.RawMessage, len(c.Rows))
	for _, s := range c.Series {
		names = append(names, s.Name)
	}
	for i, r := range c.Rows {
		rows[i] = []json.RawMessage{json.RawMessage(strconv.Quote(r.At.Format(time.RFC3339)))}
		for _, cell := range r.Cells {
			rows[i] = append(rows[i], json.RawMessage(cell.Value))
		}
	}
	return append([]byte(tabular.ByteOrderMark), tabular.WriteCSV(names, rows)...)
}

// csvResponse returns a page's chart or list as a CSV file.
func csvResponse(name string, body []byte) httpapi.Response {
	return httpapi.Response{Status: http.StatusOK, Body: body, Header: http.Header{
		"Content-Type":        {tabular.CSV.ContentType()},
		"Content-Disposition": {`attachment; filename="` + name + `.csv"`},
	}}
}

// pictureColours are the colours of lines in a picture, which other sites show on white.
var pictureColours = [maxLines]string{
	"#0f6b4c", "#b3541e", "#1c5fa8", "#a3218e", "#7d5200", "#5a4fa8", "#b3261e", "#07687f", "#4f5e57", "#5c7a00",
}

// picture is the chart as an SVG file for other sites.
type picture struct {
	*chart
	Heading string
	Names   []pictureName
}

// pictureName is the name shown at the end of a line.
type pictureName struct {
	Text, Colour string
	Y            int
}

// Measures of the names in a picture, in pixels: the top of the plot, its scale relative to chartHeight, and the
// minimum distance between two names.
const (
	plotTop    = 70
	plotScale  = 0.9
	nameHeight = 16
)

// svgResponse returns a page's chart as a picture.
func (s *Site) svgResponse(c *renderContext) httpapi.Response {
	p := &picture{chart: c.Chart, Heading: c.Title}
	for i := range p.Series {
		line := &p.Series[i]
		line.Colour = cmp.Or(line.Colour, pictureColours[i])
		name := pictureName{line.Last, line.Colour, plotTop + 4 + int(plotScale*line.EndY)}
		if len(p.Series) > 1 {
			text := []rune(line.Name)
			if len(text) > 20 {
				text = append(text[:19], '…')
			}
			name.Text = "\u2068" + string(text) + "\u2069 " + line.Last // whatever the direction of the name
		}
		p.Names = append(p.Names, name)
	}
	slices.SortStableFunc(p.Names, func(a, b pictureName) int { return cmp.Compare(a.Y, b.Y) })
	lowest := plotTop + 4 + int(plotScale*chartHeight)
	for i := len(p.Names) - 1; i >= 0; i-- { // move names up that are too close
		p.Names[i].Y, lowest = min(p.Names[i].Y, lowest), min(p.Names[i].Y, lowest)-nameHeight
	}
	return s.svgOf("picture", p)
}

// svgOf renders a template as a picture.
func (s *Site) svgOf(template string, data any) httpapi.Response {
	out := s.renderTemplate(http.StatusOK, template, data)
	if out.Status == http.StatusOK {
		out.Header = web.PictureHeader(web.SVGType)
	}
	return out
}
