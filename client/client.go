// Package client asks a gamedata service: documented paths under /v3, and GraphQL. It waits as
// long as the service says when it is asked too often, asks again when the service could not
// answer, and does not fetch twice what has not changed. It needs nothing of the service's
// own code.
//
//	c, err := client.New("https://data.example", client.Options{})
//	var player struct{ Username string; Online bool }
//	err = c.Get(ctx, "/v3/player/Salted", nil, &player)
package client

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Options of a client; the zero value is one of a guest.
type Options struct {
	// Token is sent as Authorization: Bearer; none when empty.
	Token string
	// Agent is sent as User-Agent; "gamedata-client" when empty.
	Agent string
	// Retries is how often a request is sent again, at most; 3 when 0, never when negative.
	Retries int
	// MaxWait is the longest wait before one of them; a minute when 0. A service that asks for
	// a longer one gets no further request: its error is returned.
	MaxWait time.Duration
	// Kept is how many answers are kept to be asked for with their ETag; 256 when 0, none when
	// negative.
	Kept int
	// HTTP sends the requests; a client of its own when nil, whose requests take 30 s at most.
	HTTP *http.Client
	// Wait waits; it is there for tests and for programs with a clock of their own.
	Wait func(ctx context.Context, d time.Duration) error
}

// Client asks one service. It is safe for concurrent use.
type Client struct {
	base string
	o    Options
	kept keeper
}

// New returns a client of the service at an address such as https://data.example.
func New(address string, o Options) (*Client, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("client: the address of a service is such as https://data.example")
	}
	if o.Retries == 0 {
		o.Retries = 3
	}
	if o.MaxWait == 0 {
		o.MaxWait = time.Minute
	}
	if o.Kept == 0 {
		o.Kept = 256
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
	return &Client{base: strings.TrimSuffix(address, "/"), o: o, kept: keeper{room: o.Kept}}, nil
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
