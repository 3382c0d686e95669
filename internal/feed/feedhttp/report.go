package feedhttp

import (
	"net/http"

	"github.com/go-json-experiment/json"

	"gamedata/graph"
	"gamedata/internal/feed"
	"gamedata/internal/httpapi"
)

// Results of a line.
const (
	applied   = "applied"
	duplicate = "duplicate" // applied before
	rejected  = "rejected"
)

type report struct {
	// Error, Detail and Code are the members of an error body; omitted when every line was decided.
	Error  string `json:"error,omitzero"`
	Detail string `json:"detail,omitzero"`
	Code   int    `json:"code,omitzero"`

	Applied    int `json:"applied"`
	Duplicates int `json:"duplicates"`
	Rejected   int `json:"rejected"`
	// Lines reports the decided lines in order. After an error it covers only the beginning of the body.
	Lines []lineReport `json:"lines"`

	counted int // of Lines
}

type lineReport struct {
	Line   int    `json:"line"` // from 1
	ID     string `json:"id,omitzero"`
	Result string `json:"result"`
	// Why it was rejected.
	Code    feed.Code `json:"code,omitzero"`
	Field   string    `json:"field,omitzero"`
	Message string    `json:"message,omitzero"`

	event string
}

func (l *lineReport) reject(err *feed.Error) {
	l.Result, l.Code, l.Field, l.Message = rejected, err.Code, err.Field, err.Message
}

// undo drops the undecided lines, from an index on.
func (r *report) undo(from int) { r.Lines = r.Lines[:from] }

// count counts the lines that were decided since the last call.
func (r *report) count(count func(event, result string)) {
	for _, l := range r.Lines[r.counted:] {
		switch l.Result {
		case applied:
			r.Applied++
		case duplicate:
			r.Duplicates++
		case rejected:
			r.Rejected++
		}
		count(l.event, l.Result)
	}
	r.counted = len(r.Lines)
}

// write writes the response; bad is why the body was not applied completely, nil when it was.
func (r *report) write(w http.ResponseWriter, req *http.Request, bad *graph.Error) {
	if bad != nil {
		w.Header().Set("Connection", "close")
		r.Code, r.Error = httpapi.Status(bad.Code)
		r.Detail = bad.Detail
	}
	body, err := json.Marshal(r)
	switch {
	case err != nil: // cannot fail: numbers and valid strings
		httpapi.WriteErrorResponse(w, req, httpapi.ErrorResponse(graph.ErrInternal, nil))
	case bad != nil:
		httpapi.WriteErrorResponse(w, req, httpapi.ErrorResponse(bad, body))
	default:
		httpapi.WriteResponse(w, req, httpapi.Response{Body: body, Scope: graph.User})
	}
}
