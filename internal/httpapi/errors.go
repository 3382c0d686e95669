package httpapi

import (
	"cmp"
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"strconv"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"gamedata/graph"
)

// statuses maps error codes to HTTP status and name. GraphQL-only codes have names for completeness; /graphql sends
// only their statuses.
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

	// Clients of persisted queries expect 200 and then send the document.
	graph.PersistedQueryNotFound: {http.StatusOK, "PersistedQueryNotFound"},
	graph.ParseFailed:            {http.StatusBadRequest, "MalformedPayload"},
	graph.ValidationFailed:       {http.StatusBadRequest, "MalformedPayload"},
	graph.LimitExceeded:          {http.StatusBadRequest, "MalformedPayload"},
	graph.BadVariables:           {http.StatusBadRequest, "InvalidQueryParamsError"},
	graph.NotAcceptable:          {http.StatusNotAcceptable, "NotAcceptable"},
	graph.SessionRequired:        {http.StatusForbidden, "Forbidden"},
	graph.TooSlow:                {http.StatusOK, "TooSlow"}, // at the end of a stream
}

// Status returns the HTTP status of a code and its name in an error body. An unknown code is an internal error.
func Status(code graph.Code) (status int, name string) {
	row, ok := statuses[code]
	if !ok {
		row = statuses[graph.Internal]
	}
	return row.status, row.name
}

// unavailableWait is the Retry-After of 503 in seconds: the service notices the end of an outage of the store within a
// few seconds.
const unavailableWait = "5"

// GraphQLPath is the endpoint whose errors have the form {errors}, including errors from the middleware.
const GraphQLPath = "/graphql"

// graphQLType is the media type whose status says whether an operation ran ("GraphQL over HTTP", section 6.4).
var graphQLType = []string{mediaGraphQLResponse + "; charset=utf-8"}

// SetGraphQLType sets Content-Type for callers who prefer graphQLType.
func SetGraphQLType(h http.Header, r *http.Request) {
	if PrefersGraphQLResponse(r.Header) {
		h["Content-Type"] = graphQLType
	}
}

// GraphQLErrors formats errors as a GraphQL body.
func GraphQLErrors(errs gqlerror.List) []byte {
	body, _ := json.Marshal(struct { // texts, numbers and records
		Errors gqlerror.List `json:"errors"`
	}{errs})
	return body
}

// ErrorWriter writes errors as {error, detail, code}, a 300 as its candidates by uuid, and errors of /graphql as
// {errors}. It forbids caching.
type ErrorWriter struct{ log *slog.Logger }

// Write writes an error; a nil error is an internal one.
func (e *ErrorWriter) Write(w http.ResponseWriter, r *http.Request, err *graph.Error) {
	err = cmp.Or(err, graph.ErrInternal)
	resp := e.responseTo(r, err, w.Header(), stateFrom(r.Context()).oauthErrors)
	resp.write(w, r)
}

// responseTo returns the response of an error to a request, and sets its media type in h.
func (e *ErrorWriter) responseTo(r *http.Request, err *graph.Error, h http.Header, described bool) Response {
	resp := e.response(err, described)
	if r.URL.Path == GraphQLPath {
		SetGraphQLType(h, r)
		resp.Body = GraphQLErrors(gqlerror.List{{Message: err.Detail, Extensions: err.Extensions()}})
	}
	return resp
}

// Response returns the response that Write sends.
func (e *ErrorWriter) Response(err *graph.Error) Response { return e.response(err, false) }

// WriteOAuth writes an error of RFC 6749. The status is 401 for an unknown client and 400 otherwise;
// basic says that the client authenticated with HTTP Basic.
func (e *ErrorWriter) WriteOAuth(w http.ResponseWriter, r *http.Request, name, text string, basic bool) {
	resp := Response{Status: http.StatusBadRequest}
	if name == "invalid_client" {
		resp.Status = http.StatusUnauthorized
		if basic {
			w.Header()[authenticateHeader] = []string{`Basic realm="applications", charset="UTF-8"`}
		}
	}
	resp.Body = errorBody{Error: name, Description: text, Detail: text, Code: resp.Status}.encode()
	resp.write(w, r)
}

// response returns the response of an error; described adds error_description.
func (e *ErrorWriter) response(err *graph.Error, described bool) Response {
	status, name := Status(err.Code)
	body := errorBody{Error: name, Detail: err.Detail, Code: status}
	if described {
		body.Description = err.Detail
	}
	if err.Code == graph.MultipleObjectsReturned {
		objects, failure := byUUID(err.Objects)
		if failure != nil {
			e.log.Error("encoding the candidates of a 300 failed", "error", failure)
			return e.response(graph.ErrInternal, described)
		}
		body.Objects = objects
	}
	return ErrorResponse(err, body.encode())
}

type errorBody struct {
	Error       string          `json:"error"`
	Description string          `json:"error_description,omitempty"`
	Detail      string          `json:"detail"`
	Code        int             `json:"code"`
	Objects     json.RawMessage `json:"objects,omitempty"`
}

func (b errorBody) encode() []byte {
	text, _ := json.Marshal(b) // texts, a number and valid JSON
	return text
}

// authenticateHeader keeps its documented spelling, which Header.Set would change: some clients compare the case.
const authenticateHeader = "WWW-Authenticate"

// SetUnauthorized sets the header of a 401.
func SetUnauthorized(h http.Header) { h[authenticateHeader] = []string{`Bearer error="invalid_token"`} }

// ErrorResponse returns an error body of any format with the status and the headers of its error.
func ErrorResponse(err *graph.Error, body []byte) Response {
	resp := Response{Body: body, Header: http.Header{}}
	resp.Status, _ = Status(err.Code)
	switch {
	case err.RetryAfter > 0:
		resp.Header.Set("Retry-After", strconv.Itoa(err.RetryAfter))
	case resp.Status == http.StatusServiceUnavailable:
		resp.Header.Set("Retry-After", unavailableWait)
	case resp.Status == http.StatusUnauthorized:
		SetUnauthorized(resp.Header)
	}
	return resp
}

// WriteErrorResponse writes an error body of any format, whatever the credential.
func WriteErrorResponse(w http.ResponseWriter, r *http.Request, resp Response) { resp.write(w, r) }

// Unavailable responds to every request with a 503 error body, before the API has started.
func Unavailable(detail func() string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Type", mediaJSON)
		h.Set("Cache-Control", "no-store")
		h.Set("X-Content-Type-Options", "nosniff")
		err := &graph.Error{Code: graph.ServiceUnavailable, Detail: detail()}
		resp := new(ErrorWriter).responseTo(r, err, h, false)
		maps.Copy(h, resp.Header)
		w.WriteHeader(resp.Status)
		_, _ = w.Write(resp.Body)
	})
}

// byUUID encodes candidates as one object keyed and sorted by their member uuid.
func byUUID(candidates []any) (json.RawMessage, error) {
	out := make(map[string]json.RawMessage, len(candidates))
	for _, candidate := range candidates {
		text, err := json.Marshal(candidate)
		if err != nil {
			return nil, err
		}
		var id struct{ UUID string }
		if err := json.Unmarshal(text, &id); err != nil {
			return nil, err
		}
		out[id.UUID] = text
	}
	return json.Marshal(out)
}
