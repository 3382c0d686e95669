// Package conformance asks a service the cases of the contract and tells where it answers otherwise:
// every status, header and key where the service has the world that the cases were made of, else
// what does not depend on its world. It knows services by HTTP alone.
package conformance

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"gamedata/client"
	"gamedata/rest"
)

// Options of a run.
type Options struct {
	// Client is one of the function Client.
	Client *client.Client
	// Document is the OpenAPI document of the contract.
	Document []byte
	// Exact says that the service has the world of the cases, so that every byte of a body
	// counts.
	Exact bool
}

// Client asks the service at an address, with answers as they were sent. wait is the longest wait
// for its rate limit.
func Client(address string, wait time.Duration) (*client.Client, error) {
	return client.New(address, client.Options{
		Agent: "gamedata-verify", Retries: 5, MaxWait: wait, Kept: -1,
		HTTP: &http.Client{
			Timeout:       time.Minute,
			Transport:     &http.Transport{DisableCompression: true},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	})
}

// Result is what came of one case.
type Result struct {
	Case rest.Case
	// Other says that the service has another world, so that its answer could only be held
	// against the contract's words for that answer.
	Other bool
	// Differences say what is not as it should be; none when all is.
	Differences []string
}

// Run asks all cases in order and tells of each. The error says that the service could not be
// asked.
func Run(ctx context.Context, o Options, cases []rest.Case, tell func(Result)) error {
	contract, err := readContract(o.Document)
	if err != nil {
		return err
	}
	for _, c := range cases {
		answer, err := o.Client.Send(ctx, client.Request{
			Method: c.Method, Target: c.Target, Header: c.Header,
			Body: []byte(c.Body), Repeatable: true,
		})
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		if answer.Status == http.StatusTooManyRequests || answer.Status == http.StatusServiceUnavailable {
			return errors.New(c.Name + ": the service is too busy to be verified: " + http.StatusText(answer.Status))
		}
		r := Result{Case: c}
		if o.Exact || c.Method == http.MethodOptions {
			r.Differences = exact(c, answer)
		} else {
			r.Other, r.Differences = contract.compare(c, answer)
		}
		r.Differences = append(r.Differences, always(answer)...)
		tell(r)
	}
	return nil
}
