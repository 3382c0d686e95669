// Package conformance sends the cases of the /v3 contract to a service and compares the responses: every status, header
// and key if the service has the data behind the cases, or else the parts that do not depend on data. It uses only
// HTTP.
package conformance

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"gamedata/rest"
)

// Options of a run.
type Options struct {
	Client *Client
	// Document is the OpenAPI document of the contract.
	Document []byte
	// Exact says that the service has the data of the cases: whole bodies are compared.
	Exact bool
}

// Result is the result of one case.
type Result struct {
	Case rest.Case
	// Other says that the service has other data: the response was only checked against the contract for its status.
	Other bool
	// Differences describes the differences; empty if there are none.
	Differences []string
}

// Run sends all cases in order and reports each result. It returns an error if the service cannot be reached.
func Run(ctx context.Context, o Options, cases []rest.Case, report func(Result)) error {
	contract := ReadContract(o.Document)
	for _, c := range cases {
		got, err := o.Client.send(ctx, c)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		if got.Status == http.StatusTooManyRequests || got.Status == http.StatusServiceUnavailable {
			return errors.New(c.Name + ": the service is too busy to be verified: " + http.StatusText(got.Status))
		}
		r := Result{Case: c}
		if o.Exact || c.Method == http.MethodOptions {
			r.Differences = compareExact(c, got)
		} else {
			r.Other, r.Differences = contract.compare(c, got)
		}
		r.Differences = append(r.Differences, compareCommon(got)...)
		report(r)
	}
	return nil
}
