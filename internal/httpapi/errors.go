package httpapi

import (
	"bytes"
	"encoding/json"
	"net/http"

	"gamedata/graph"
)

// statuses is THE table of WIRE §2.2: what a code is called over HTTP. The codes that
// only GraphQL knows have names for completeness; its door sends their statuses alone.
var statuses = map[graph.Code]struct {
	status int
	name   string
}{
	graph.MultipleObjectsReturned: {http.StatusMultipleChoices, "MultipleObjectsReturned"},
	graph.NoCharacterFound:        {http.StatusBadRequest, "NoCharacterFound"},
	graph.InvalidCharacterUUID:    {http.StatusBadRequest, "InvalidCharacterUUID"},
	graph.InvalidTree:             {http.StatusBadRequest, "InvalidTree"},
	graph.InvalidLeaderboardType:  {http.StatusBadRequest, "InvalidLeaderboardType"},
	graph.MalformedPrefix:         {http.StatusBadRequest, "MalformedPrefixError"},
	graph.InvalidQueryParams:      {http.StatusBadRequest, "InvalidQueryParamsError"},
	graph.MalformedPayload:        {http.StatusBadRequest, "MalformedPayload"},
	graph.InvalidForm:             {http.StatusBadRequest, "InvalidFormError"},
	graph.InvalidToken:            {http.StatusUnauthorized, "InvalidTokenError"},
	graph.Forbidden:               {http.StatusForbidden, "Forbidden"},
	graph.CrossSite:               {http.StatusForbidden, "CSRFError"},
	graph.NotFound:                {http.StatusNotFound, "NotFound"},
	graph.MethodNotAllowed:        {http.StatusMethodNotAllowed, "MethodNotAllowed"},
	graph.PayloadTooLarge:         {http.StatusRequestEntityTooLarge, "PayloadTooLarge"},
	graph.URITooLong:              {http.StatusRequestURITooLong, "URITooLong"},
	graph.Misdirected:             {http.StatusMisdirectedRequest, "MisdirectedRequest"},
	graph.UnsupportedMediaType:    {http.StatusUnsupportedMediaType, "UnsupportedMediaType"},
	graph.TooManyRequests:         {http.StatusTooManyRequests, "TooManyRequest"},
	graph.Internal:                {http.StatusInternalServerError, "InternalError"},
	graph.ServiceUnavailable:      {http.StatusServiceUnavailable, "ServiceUnavailable"},

	graph.MalformedRequest: {http.StatusBadRequest, "MalformedRequest"},
	graph.HeadersTooLarge:  {http.StatusRequestHeaderFieldsTooLarge, "HeadersTooLarge"},
	graph.TransferCoding:   {http.StatusNotImplemented, "NotImplemented"},
	graph.HTTPVersion:      {http.StatusHTTPVersionNotSupported, "HTTPVersionNotSupported"},

	// Clients take it for an answer, and send the document.
	graph.PersistedQueryNotFound: {http.StatusOK, "PersistedQueryNotFound"},
	graph.ParseFailed:            {http.StatusBadRequest, "MalformedPayload"},
	graph.ValidationFailed:       {http.StatusBadRequest, "MalformedPayload"},
	graph.LimitExceeded:          {http.StatusBadRequest, "MalformedPayload"},
	graph.BadVariables:           {http.StatusBadRequest, "InvalidQueryParamsError"},
	graph.NotAcceptable:          {http.StatusNotAcceptable, "NotAcceptable"},
	graph.SessionRequired:        {http.StatusForbidden, "Forbidden"},
	graph.Conflict:               {http.StatusConflict, "Conflict"},
	graph.LimitReached:           {http.StatusConflict, "Conflict"},
}

// Status is the HTTP status of a code and the name that stands in an error body. A code
// the table lacks is an internal error.
func Status(code graph.Code) (status int, name string) {
	row, ok := statuses[code]
	if !ok {
		row = statuses[graph.Internal]
	}
	return row.status, row.name
}

// unavailableWait is what Retry-After tells with 503, in seconds: an outage of the
// store is noticed to be over within a few seconds.
const unavailableWait = "5"

// Error answers with the body of WIRE §2.1, {error, detail, code}, and for a 300 the
// candidates by uuid (§2.3). Nothing of it may be kept. A nil error is an internal one.
func (d *Door) Error(w http.ResponseWriter, r *http.Request, e *graph.Error) {
	p := replyOf(w)
	a := d.errorAnswer(e, p != nil && p.oauth)
	d.write(w, r, &a)
}

// ErrorAnswer is what Error writes.
func (d *Door) ErrorAnswer(e *graph.Error) Answer { return d.errorAnswer(e, false) }

// errorAnswer is the answer that tells of an error, as RFC 6749 does too when it is described.
func (d *Door) errorAnswer(e *graph.Error, described bool) Answer {
	if e == nil {
		e = graph.ErrInternal
	}
	status, name := Status(e.Code)
	body := errorBody{Error: name, Detail: e.Detail, Code: status}
	if described {
		body.Description = e.Detail
	}
	if e.Code == graph.MultipleObjectsReturned {
		objects, err := byUUID(e.Objects)
		if err != nil {
			d.o.Log.Error("candidates of a 300", "error", err)
			return d.errorAnswer(graph.ErrInternal, described)
		}
		body.Objects = objects
	}
	text, err := json.Marshal(body)
	if err != nil { // strings, a number and checked JSON always marshal
		d.o.Log.Error("error body", "error", err)
		text = nil
	}
	return refusal(e.Code, text)
}

type errorBody struct {
	Error       string          `json:"error"`
	Description string          `json:"error_description,omitempty"`
	Detail      string          `json:"detail"`
	Code        int             `json:"code"`
	Objects     json.RawMessage `json:"objects,omitempty"`
}

// authenticate is the header that says how to prove who asks. It is put into headers by its name,
// since Set would give it another spelling than the documented one, and some clients compare it.
const authenticate = "WWW-Authenticate"

// Unauthorized sets what goes with the refusal of a credential, 401.
func Unauthorized(h http.Header) { h[authenticate] = []string{`Bearer error="invalid_token"`} }

// refusal is an error body with the status and the headers that go with its code, whichever
// door's form the body has.
func refusal(code graph.Code, body []byte) Answer {
	a := Answer{Body: body}
	a.Status, _ = Status(code)
	switch a.Status {
	case http.StatusUnauthorized:
		a.Header = http.Header{}
		Unauthorized(a.Header)
	case http.StatusServiceUnavailable:
		a.Header = http.Header{"Retry-After": {unavailableWait}}
	}
	return a
}

// byUUID writes candidates as one object keyed by their member uuid, in their order.
func byUUID(candidates []any) (json.RawMessage, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, candidate := range candidates {
		text, err := json.Marshal(candidate)
		if err != nil {
			return nil, err
		}
		var id struct {
			UUID string `json:"uuid"`
		}
		if err := json.Unmarshal(text, &id); err != nil {
			return nil, err
		}
		key, err := json.Marshal(id.UUID)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(text)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
