package client

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
)

// maxBody bounds the body of a response, in bytes.
const maxBody = 256 << 20

// Response is a response as it was sent.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
}

// Request is a request. Target is an encoded path with its query.
type Request struct {
	Method, Target string
	Header         http.Header
	Body           []byte
	// Repeatable says that the request is idempotent. Only then it is sent again after a network
	// error or when the service is unavailable. After a rate limit error it is always sent again.
	Repeatable bool
}

// Send sends a request, with retries, and returns the last response, whatever its status. An error
// means that there was no response or that ctx ended.
func (c *Client) Send(ctx context.Context, r Request) (*Response, error) {
	for retries := 0; ; retries++ {
		response, err := c.once(ctx, r)
		wait, again := c.retry(r, response, err, retries)
		if deadline, ok := ctx.Deadline(); !again || ctx.Err() != nil || ok && time.Until(deadline) < wait {
			return response, err
		}
		if err := c.o.Wait(ctx, wait); err != nil {
			return nil, err
		}
	}
}

// retry reports whether, and after what wait, a request is sent again.
func (c *Client) retry(r Request, response *Response, err error, retries int) (time.Duration, bool) {
	if retries >= c.o.Retries {
		return 0, false
	}
	backoff := 200 * time.Millisecond << min(retries, 10)
	switch {
	case err != nil:
		return backoff, r.Repeatable
	case response.Status == http.StatusTooManyRequests:
	case r.Repeatable && (response.Status == http.StatusServiceUnavailable || response.Status == http.StatusBadGateway ||
		response.Status == http.StatusGatewayTimeout):
	default:
		return 0, false
	}
	wait, ok := retryAfter(response.Header, time.Now())
	if !ok {
		wait = backoff
	}
	return wait, wait <= c.o.MaxWait
}

// retryAfter parses the header Retry-After: seconds or a date.
func retryAfter(h http.Header, now time.Time) (time.Duration, bool) {
	value := h.Get("Retry-After")
	if seconds, err := strconv.Atoi(value); err == nil && seconds >= 0 && seconds < 1<<31 {
		return time.Duration(seconds) * time.Second, true
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, at.Sub(now)), true
	}
	return 0, false
}

// once sends a request once.
func (c *Client) once(ctx context.Context, r Request) (*Response, error) {
	q, err := http.NewRequestWithContext(ctx, r.Method, c.base, bytes.NewReader(r.Body))
	if err != nil {
		return nil, fmt.Errorf("client: %w", err)
	}
	// The target is sent without cleaning or re-encoding its path.
	path, query, _ := strings.Cut(r.Target, "?")
	q.URL = &url.URL{
		Scheme: q.URL.Scheme, User: q.URL.User, Host: q.URL.Host, Opaque: q.URL.Path + path, RawQuery: query,
		ForceQuery: strings.HasSuffix(r.Target, "?"),
	}
	q.Header.Set("User-Agent", c.o.Agent)
	maps.Copy(q.Header, r.Header)
	got, err := c.o.HTTP.Do(q)
	if err != nil {
		return nil, withHost(err, q.URL)
	}
	defer func() { _ = got.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(got.Body, maxBody+1))
	if err == nil && len(body) > maxBody {
		err = fmt.Errorf("client: the response exceeds %d bytes", maxBody)
	}
	if err != nil {
		return nil, err
	}
	return &Response{Status: got.StatusCode, Header: got.Header, Body: body}, nil
}

// withHost adds the host to the URL in the error of a request: net/http omits it for an opaque URL.
func withHost(err error, requested *url.URL) error {
	var failed *url.Error
	if errors.As(err, &failed) && failed.URL == requested.String() {
		failed.URL = requested.Scheme + "://" + requested.Host + strings.TrimPrefix(failed.URL, requested.Scheme+":")
	}
	return err
}
