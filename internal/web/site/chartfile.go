package site

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"net/url"
	"time"

	"gamedata/graph"
	"gamedata/internal/httpapi"
	"gamedata/internal/tabular"
)

// formatParameter is the format of a page that is the chart as a file.
const formatParameter = "format"

func checkFormat(given url.Values) *graph.Error {
	if format := given.Get(formatParameter); format != "" && format != "csv" {
		return graph.Errorf(graph.InvalidQueryParams, "The charts of this page are available as csv.")
	}
	return nil
}

// csv is the table of the chart as a file: a row for each time, a column for each series.
func (c *chart) csv() ([]byte, error) {
	rows := make([]json.RawMessage, len(c.Rows))
	for i, r := range c.Rows {
		var row bytes.Buffer
		row.WriteString(`{"time":"` + r.At.Format(time.RFC3339) + `"`)
		for n, s := range c.Series {
			name, err := json.Marshal(s.Name)
			if err != nil {
				return nil, err
			}
			row.WriteString("," + string(name) + ":" + cmp.Or(r.Cells[n].Value, "null"))
		}
		rows[i] = append(row.Bytes(), '}')
	}
	data, err := json.Marshal(map[string][]json.RawMessage{"rows": rows})
	if err != nil {
		return nil, err
	}
	return tabular.Write(tabular.CSV, data, "rows")
}

// csvResponse is the chart of a page as a file.
func (s *Site) csvResponse(c *renderContext) httpapi.Response {
	body, err := c.Chart.csv()
	if err != nil {
		s.o.Log.Error("encoding chart failed", "operation", c.page.op.Name, "error", err)
		return s.api.Errors.Response(graph.ErrInternal)
	}
	return httpapi.Response{Status: http.StatusOK, Body: body, Header: http.Header{
		"Content-Type":        {tabular.CSV.ContentType()},
		"Content-Disposition": {`attachment; filename="` + c.Chart.ID + `.csv"`},
	}}
}
