package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"gamedata/rest"
)

const (
	// maxBody bounds the body of a response, in bytes.
	maxBody = 256 << 20
	// maxRetries limits the retries of a request.
	maxRetries = 5
)

// Client sends requests to a service. It waits for the rate limit as the service requests, and retries while the
// service is unavailable. It follows no redirects and caches nothing.
type Client struct {
	base    string
	maxWait time.Duration
	http    http.Client
	sleep   func(context.Context, time.Duration) error
}

type response struct {
	Status int
	Header http.Header
	Body   []byte
}

// NewClient returns a client of the service at an address such as https://data.example. It waits at most maxWait before
// a retry.
func NewClient(address string, maxWait time.Duration) (*Client, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("want the address of a service, such as https://data.example")
	}
	return &Client{
		base: strings.TrimSuffix(address, "/"), maxWait: maxWait, sleep: sleep,
		http: http.Client{
			Timeout:       time.Minute,
			Transport:     &http.Transport{},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil
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

// send sends the request of a case, with retries, and returns the last response, whatever its status. It fails if there
// was no response or ctx ended.
func (c *Client) send(ctx context.Context, r rest.Case) (*response, error) {
	for retries := 0; ; retries++ {
		got, err := c.once(ctx, r)
		wait := 200 * time.Millisecond << retries
		if err == nil {
			switch got.Status {
			case http.StatusTooManyRequests, http.StatusServiceUnavailable, http.StatusBadGateway,
				http.StatusGatewayTimeout:
			default:
				return got, nil
			}
			if seconds, err := strconv.Atoi(got.Header.Get("Retry-After")); err == nil {
				wait = time.Duration(seconds) * time.Second
			}
		}
		if retries == maxRetries || wait > c.maxWait || ctx.Err() != nil {
			return got, err
		}
		if err := c.sleep(ctx, wait); err != nil {
			return nil, err
		}
	}
}

func (c *Client) once(ctx context.Context, r rest.Case) (*response, error) {
	q, err := http.NewRequestWithContext(ctx, r.Method, c.base, bytes.NewReader([]byte(r.Body)))
	if err != nil {
		return nil, err
	}
	// The target is sent without cleaning or re-encoding its path.
	path, query, _ := strings.Cut(r.Target, "?")
	q.URL = &url.URL{
		Scheme: q.URL.Scheme, User: q.URL.User, Host: q.URL.Host, Opaque: q.URL.Path + path, RawQuery: query,
		ForceQuery: strings.HasSuffix(r.Target, "?"),
	}
	q.Header.Set("User-Agent", "gamedata-verify")
	maps.Copy(q.Header, r.Header)
	got, err := c.http.Do(q)
	if err != nil {
		return nil, withHost(err, q.URL)
	}
	defer func() { _ = got.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(got.Body, maxBody+1))
	if err == nil && len(body) > maxBody {
		err = fmt.Errorf("the response exceeds %d bytes", maxBody)
	}
	return &response{got.StatusCode, got.Header, body}, err
}

// withHost adds the host to the URL in the error of a request: net/http omits it for an opaque URL.
func withHost(err error, requested *url.URL) error {
	var failed *url.Error
	if errors.As(err, &failed) && failed.URL == requested.String() {
		failed.URL = requested.Scheme + "://" + requested.Host + strings.TrimPrefix(failed.URL, requested.Scheme+":")
	}
	return err
}
