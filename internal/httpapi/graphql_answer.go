package httpapi

import (
	"bytes"
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
	"gamedata/internal/ratelimit"
)

// graphqlBody is {errors, data, extensions}; the data is written as the executor made
// it. A response that did not come to run has no data, and no extensions of ours; those of one
// that did end with extensions.cache, which wants a tail.
func graphqlBody(response *graphql.Response, ran bool, a Answer, cost map[string]int) ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	member := func(name string, text []byte) {
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Quote(name) + ":")
		b.Write(text)
	}
	if len(response.Errors) > 0 {
		text, err := json.Marshal(response.Errors)
		if err != nil {
			return nil, err
		}
		member("errors", text)
	}
	if len(response.Data) > 0 {
		member("data", response.Data)
	}
	if ran {
		extensions := map[string]any{}
		maps.Copy(extensions, response.Extensions)
		extensions["cost"] = cost
		text, err := json.Marshal(extensions)
		if err != nil {
			return nil, err
		}
		member("extensions", text[:len(text)-1])
		b.WriteString(`,"cache":{"maxAge":` + strconv.Itoa(int(a.MaxAge/time.Second)) + `,"scope":"` + string(a.Scope) + `"` +
			openEnd)
		return b.Bytes(), nil
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// refuseGraphQL answers a request that did not come to run. It is counted in bucket
// SHARED, and refused there when that is spent.
func (d *Door) refuseGraphQL(w http.ResponseWriter, r *http.Request, problems gqlerror.List) {
	dec := d.Take(w, Shared, 1)
	if !dec.Allowed {
		d.tooManyGraphQL(w, r, dec)
		return
	}
	d.SetRateHeaders(w, dec)
	d.failGraphQL(w, r, problems)
}

// tooManyGraphQL is 429 in GraphQL's form, naming the bucket.
func (d *Door) tooManyGraphQL(w http.ResponseWriter, r *http.Request, dec ratelimit.Decision) {
	d.SetRateHeaders(w, dec)
	wait := WholeSeconds(dec.RetryAfter)
	w.Header().Set("Retry-After", strconv.Itoa(wait))
	d.failGraphQL(w, r, listOf(&graph.Error{
		Code: graph.TooManyRequests, RetryAfter: wait,
		Detail: fmt.Sprintf("Too many requests in bucket %s, try again in %s.", dec.Bucket, inSeconds(wait)),
	}))
}

// failGraphQL answers with errors alone and the status of the first one's code.
func (d *Door) failGraphQL(w http.ResponseWriter, r *http.Request, problems gqlerror.List) {
	a := d.graphqlRefusal(problems)
	d.write(w, r, &a)
}

// graphqlRefusal is what failGraphQL writes.
func (d *Door) graphqlRefusal(problems gqlerror.List) Answer {
	if len(problems) == 0 {
		problems = listOf(graph.ErrInternal)
	}
	body, err := graphqlBody(&graphql.Response{Errors: problems}, false, Answer{}, nil)
	if err != nil {
		d.o.Log.Error("graphql errors", "error", err)
		return d.ErrorAnswer(graph.ErrInternal)
	}
	return refusal(graph.ErrorOf(problems[0]).Code, body)
}

// graphqlRefused is an error of ours as the answer to an operation.
func (d *Door) graphqlRefused(e *graph.Error) Answer { return d.graphqlRefusal(listOf(e)) }

// listOf is an error of ours in GraphQL's form.
func listOf(e *graph.Error) gqlerror.List {
	return gqlerror.List{{Message: e.Detail, Extensions: e.Extensions()}}
}

func sortedKeys(m map[string]int) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
