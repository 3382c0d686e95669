package graphqlhttp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"gamedata/graph"
	"gamedata/internal/httpapi"
	"gamedata/internal/ratelimit"
	"gamedata/internal/tabular"
)

// openBody encodes {errors, data, extensions} up to extensions.cache, which appendCacheInfo completes. It copies the
// executor's data unchanged.
func openBody(result *graphql.Response, resp httpapi.Response, cost map[string]int) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(len(result.Data) + 512)
	b.WriteByte('{')
	if len(result.Errors) > 0 {
		text, err := json.Marshal(result.Errors)
		if err != nil {
			return nil, err
		}
		b.WriteString(`"errors":`)
		b.Write(text)
		b.WriteByte(',')
	}
	b.WriteString(`"data":`)
	b.Write(result.Data)
	extensions := map[string]any{}
	maps.Copy(extensions, result.Extensions)
	extensions["cost"] = cost
	text, err := json.Marshal(extensions)
	if err != nil {
		return nil, err
	}
	b.WriteString(`,"extensions":`)
	b.Write(text[:len(text)-1])
	b.WriteString(`,"cache":{"maxAge":` + strconv.Itoa(int(resp.MaxAge/time.Second)) + `,"scope":"` +
		string(resp.Scope) + `"`)
	return b.Bytes(), nil
}

// appendCacheInfo completes extensions.cache with the values that change between requests. Other caches may store a
// GET, so only the headers show its age.
func appendCacheInfo(buf []byte, s httpapi.SuffixInfo) []byte {
	if s.Method == http.MethodPost {
		status := "miss"
		switch {
		case s.MaxAge <= 0: // a ttl below 0 would mean stale
			status, s.TTL = "bypass", 0
		case s.TTL < 0:
			status = "stale"
		case s.Hit:
			status = "hit"
		}
		buf = append(buf, `,"status":"`...)
		buf = append(buf, status...)
		buf = append(buf, `","age":`...)
		buf = strconv.AppendInt(buf, int64(s.Age/time.Second), 10)
		buf = append(buf, `,"ttl":`...)
		buf = strconv.AppendInt(buf, int64(s.TTL/time.Second), 10)
		buf = append(buf, `,"filledBy":"`...)
		buf = append(buf, cmp.Or(s.Source, httpapi.SourceGraphQL)...)
		buf = append(buf, '"')
	}
	return append(buf, "}}}"...)
}

// charge charges a request. If it returns false, it has written the error.
func (h *Handler) charge(w http.ResponseWriter, r *http.Request, costs map[string]int) bool {
	d, err := h.api.Limits.ChargeAll(r.Context(), costs)
	switch {
	case err != nil:
		h.reject(w, r, listOf(err))
		return false
	case !d.Allowed:
		h.tooManyRequests(w, r, d)
		return false
	}
	httpapi.SetRateHeaders(w, r, d)
	return true
}

// reject writes the errors of a request that did not run. It is charged to the bucket SHARED.
func (h *Handler) reject(w http.ResponseWriter, r *http.Request, errs gqlerror.List) {
	d := h.api.Limits.Charge(r.Context(), httpapi.Shared, 1)
	if !d.Allowed {
		h.tooManyRequests(w, r, d)
		return
	}
	httpapi.SetRateHeaders(w, r, d)
	h.writeErrors(w, r, errs)
}

// tooManyRequests writes 429 with the name of the bucket.
func (h *Handler) tooManyRequests(w http.ResponseWriter, r *http.Request, d ratelimit.Decision) {
	httpapi.SetRateHeaders(w, r, d)
	wait := httpapi.WholeSeconds(d.RetryAfter)
	h.writeErrors(w, r, listOf(&graph.Error{
		Code: graph.TooManyRequests, RetryAfter: wait,
		Detail: fmt.Sprintf("Too many requests in bucket %s, try again in %s.", d.Bucket, httpapi.Seconds(wait)),
	}))
}

// requestErrors lists the codes for documents and variables that violate the schema or its limits.
var requestErrors = []graph.Code{
	graph.ParseFailed, graph.ValidationFailed, graph.LimitExceeded, graph.BadVariables,
}

// writeErrors writes the errors of a request that did not run. In application/json a request error has the status 200:
// clients may attribute another status to a proxy and not read the body.
func (h *Handler) writeErrors(w http.ResponseWriter, r *http.Request, errs gqlerror.List) {
	resp := errorResponse(errs)
	invalid := len(errs) > 0 && slices.Contains(requestErrors, graph.ErrorOf(errs[0]).Code)
	if _, events := httpapi.AcceptsEventStream(r.Header); invalid && events {
		h.writeEvents(w, r, resp.Body)
		return
	}
	if invalid && !httpapi.PrefersGraphQLResponse(r.Header) && httpapi.TableFormat(r.Header) == tabular.None {
		resp.Status = http.StatusOK
	}
	httpapi.WriteErrorResponse(w, r, resp)
}

// errorResponse returns {errors} with the status and headers of the first error.
func errorResponse(errs gqlerror.List) httpapi.Response {
	if len(errs) == 0 {
		errs = listOf(graph.ErrInternal)
	}
	return httpapi.ErrorResponse(graph.ErrorOf(errs[0]), errorBody(errs))
}

// errorBody encodes {errors}.
func errorBody(errs gqlerror.List) []byte { return httpapi.GraphQLErrors(errs) }

// listOf converts an error to GraphQL's form.
func listOf(e *graph.Error) gqlerror.List {
	return gqlerror.List{{Message: e.Detail, Extensions: e.Extensions(), Err: e}}
}
