// Package client sends requests to a gamedata service. It waits for the rate limit as long as the service says, and
// retries when the service is unavailable. It uses none of the service's packages.
package client

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Options of a client. The zero value has the defaults below.
type Options struct {
	// Agent is sent as User-Agent; "gamedata-client" when empty.
	Agent string
	// Retries bounds how often a request is sent again; 3 when 0, never when negative.
	Retries int
	// MaxWait is the longest wait before a retry; a minute when 0. If the service demands a longer
	// one, its error is returned.
	MaxWait time.Duration
	// HTTP sends the requests; a client with a timeout of 30 s when nil.
	HTTP *http.Client
	// Wait waits before a retry; tests replace it.
	Wait func(ctx context.Context, d time.Duration) error
}

// Client sends requests to one service. It is safe for concurrent use.
type Client struct {
	base string
	o    Options
}

// New returns a client of the service at an address such as https://data.example.
func New(address string, o Options) (*Client, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("client: want the address of a service, such as https://data.example")
	}
	if o.Retries == 0 {
		o.Retries = 3
	}
	if o.MaxWait == 0 {
		o.MaxWait = time.Minute
	}
	if o.Agent == "" {
		o.Agent = "gamedata-client"
	}
	if o.HTTP == nil {
		o.HTTP = &http.Client{Timeout: 30 * time.Second}
	}
	if o.Wait == nil {
		o.Wait = sleep
	}
	return &Client{base: strings.TrimSuffix(address, "/"), o: o}, nil
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
