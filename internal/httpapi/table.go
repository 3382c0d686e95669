package httpapi

import (
	"context"
	"net/http"
	"net/url"
	"regexp"

	"gamedata/graph"
	"gamedata/internal/tabular"
)

// varyByTable are the lines of Vary where an answer has another form for those who want a table:
// the documented one stays as it is.
var varyByTable = []string{vary, "Accept"}

// VaryByTable tells caches that a path has tables too.
func VaryByTable(h http.Header) { h["Vary"] = varyByTable }

// Table is the form of an answer for those who want a table: a list of its operation as CSV or
// NDJSON.
type Table struct {
	Format tabular.Format
	// Path is that of the list.
	Path string
	// Name is that of the file, without its ending.
	Name string
}

// Of is the question whose answer has this form.
func (t *Table) Of(q Question) Question {
	q.Key, q.common = t.Format.String()+" "+t.Path+" "+q.Key, ""
	return q
}

// Fill turns the data of an operation without errors into an answer, for as long as one in JSON
// is good.
func (t *Table) Fill(a Answer, data []byte) (Answer, error) {
	body, err := tabular.Write(t.Format, data, t.Path)
	if err != nil {
		return Answer{}, err
	}
	h := http.Header{"Content-Type": {t.Format.ContentType()}, "Content-Disposition": {`attachment; filename="` +
		fileName(t.Name, t.Format) + `"`}}
	for name, values := range a.Header {
		h[name] = values
	}
	a.Body, a.Header = body, h
	return a, nil
}

var notInNames = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

func fileName(name string, f tabular.Format) string {
	if name = notInNames.ReplaceAllString(name, "-"); name == "" {
		name = "answer"
	}
	return name + "." + f.String()
}

// tableOf is the table that a GraphQL request wants, nil when it wants JSON. The parameter list
// of the address names the list.
//
// Errors: INVALID_QUERY_PARAMS; NOT_ACCEPTABLE when it is not clear which list is meant.
func tableOf(r *http.Request, a *asked) (*Table, *graph.Error) {
	format := tabular.Wanted(r.Header["Accept"])
	if format == tabular.None {
		return nil, nil
	}
	given, err := url.ParseQuery(r.URL.RawQuery)
	switch {
	case err != nil:
		return nil, errURL
	case len(given["list"]) > 1:
		return nil, errTwice
	}
	path, err := tabular.Choose(a.op.Def, given.Get("list"))
	if err != nil {
		return nil, graph.Errorf(graph.NotAcceptable, "%v", err)
	}
	return &Table{Format: format, Path: path, Name: a.op.Name}, nil
}

// runTable answers with a table. A table cannot tell of an error, so an answer with any is JSON
// and has the status of the first.
func (d *Door) runTable(ctx context.Context, a *asked, t *Table) Answer {
	response := d.o.Exec.Run(ctx, a.op, a.variables)
	if len(response.Errors) > 0 || len(response.Data) == 0 {
		return d.graphqlRefusal(response.Errors)
	}
	out, err := t.Fill(Answer{
		MaxAge: a.question.MaxAge, Scope: a.question.Scope, Made: response.Made,
		Source: response.Source, Tags: response.Tags, Store: response.Store,
	}, response.Data)
	if err != nil {
		d.o.Log.Error("table", "operation", a.op.Name, "error", err)
		return d.graphqlRefusal(nil)
	}
	return out
}
