// Package client sends requests to a gamedata service: REST endpoints under /v3, and GraphQL. It
// waits for the rate limit as long as the service says, retries when the service is unavailable,
// and revalidates cached responses by their ETag. It uses none of the service's packages.
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

// Options of a client. The zero value is a guest with the defaults below.
type Options struct {
	// Token is sent as Authorization: Bearer; none when empty.
	Token string
	// Agent is sent as User-Agent; "gamedata-client" when empty.
	Agent string
	// Retries bounds how often a request is sent again; 3 when 0, never when negative.
	Retries int
	// MaxWait is the longest wait before a retry; a minute when 0. If the service demands a longer
	// one, its error is returned.
	MaxWait time.Duration
	// CacheSize is the number of responses that are cached by their ETag; 256 when 0, none when negative.
	CacheSize int
	// HTTP sends the requests; a client with a timeout of 30 s when nil.
	HTTP *http.Client
	// Wait waits before a retry; tests replace it.
	Wait func(ctx context.Context, d time.Duration) error
}

// Client sends requests to one service. It is safe for concurrent use.
type Client struct {
	base  string
	o     Options
	cache *etagCache
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
	if o.CacheSize == 0 {
		o.CacheSize = 256
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
	return &Client{base: strings.TrimSuffix(address, "/"), o: o, cache: newETagCache(o.CacheSize)}, nil
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
