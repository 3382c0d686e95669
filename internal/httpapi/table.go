package httpapi

import (
	"cmp"
	"maps"
	"net/http"
	"regexp"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/internal/tabular"
)

// varyByAccept holds the Vary lines of endpoints with tables; the first line stays as documented.
var varyByAccept = []string{vary, "Accept"}

// VaryByAccept sets Vary for endpoints that also serve tables.
func VaryByAccept(h http.Header) { h["Vary"] = varyByAccept }

// Table is a response as CSV or NDJSON: one list of the operation's data.
type Table struct {
	Format tabular.Format
	Path   string // of the list
	// Operation determines the columns of CSV; nil for REST, whose responses have other fields than the operation.
	Operation *ast.OperationDefinition
	Name      string // of the file, without extension
	Mark      bool   // the file begins with a byte order mark
}

// CacheRequest turns the cache request of the operation into one for its table.
func (t *Table) CacheRequest(q CacheRequest) CacheRequest {
	q.Key = t.Format.String() + strconv.FormatBool(t.Mark) + " " + t.Path + " " + q.Key
	return q
}

// Fill fills resp with the table of an operation's data. The operation must have no errors.
func (t *Table) Fill(resp Response, data []byte) (Response, error) {
	body, err := tabular.Write(t.Format, data, t.Path, t.Operation)
	if err != nil {
		return Response{}, err
	}
	h := http.Header{
		"Content-Type":        {t.Format.ContentType()},
		"Content-Disposition": {`attachment; filename="` + fileName(t.Name, t.Format) + `"`},
	}
	if t.Mark {
		body = append([]byte(tabular.ByteOrderMark), body...)
	}
	maps.Copy(h, resp.Header)
	resp.Body, resp.Header = body, h
	return resp, nil
}

var notInNames = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

func fileName(name string, f tabular.Format) string {
	name = notInNames.ReplaceAllString(name, "-")
	name = cmp.Or(name, "response")
	return name + "." + f.String()
}
