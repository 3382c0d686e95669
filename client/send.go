package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// maxAnswer bounds the body of an answer, in bytes.
const maxAnswer = 256 << 20

// Response is an answer as it was sent. Kept says that the body was here already and the
// service said that it has not changed.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
	Kept   bool
}

// Request is what is asked. Target is a path with its query, encoded.
type Request struct {
	Method, Target string
	Header         http.Header
	Body           []byte
	// Repeatable says that asking twice does what asking once does. Only then a request is sent
	// again whose answer never came, or that the service could not answer; one that was refused
	// by the rate limit is always sent again.
	Repeatable bool
}

// Send sends a request, again when that may help, and returns the last answer, whatever its
// status. An error means that there was none, or that ctx ended.
func (c *Client) Send(ctx context.Context, r Request) (*Response, error) {
	for tries := 0; ; tries++ {
		answer, err := c.once(ctx, r)
		wait, again := c.again(r, answer, err, tries)
		if deadline, ok := ctx.Deadline(); !again || ctx.Err() != nil || ok && time.Until(deadline) < wait {
			return answer, err
		}
		if err := c.o.Wait(ctx, wait); err != nil {
			return nil, err
		}
	}
}

// again tells whether, and after what wait, a request should be sent again.
func (c *Client) again(r Request, answer *Response, err error, tries int) (time.Duration, bool) {
	if tries >= c.o.Retries {
		return 0, false
	}
	backoff := 200 * time.Millisecond << min(tries, 10)
	switch {
	case err != nil:
		return backoff, r.Repeatable
	case answer.Status == http.StatusTooManyRequests:
	case r.Repeatable && (answer.Status == http.StatusServiceUnavailable || answer.Status == http.StatusBadGateway ||
		answer.Status == http.StatusGatewayTimeout):
	default:
		return 0, false
	}
	wait, told := retryAfter(answer.Header, time.Now())
	if !told {
		wait = backoff
	}
	return wait, wait <= c.o.MaxWait
}

// retryAfter reads the header Retry-After: seconds, or a moment.
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
	// The target is sent as it was given: nothing is cleaned or encoded anew.
	path, query, _ := strings.Cut(r.Target, "?")
	q.URL = &url.URL{
		Scheme: q.URL.Scheme, User: q.URL.User, Host: q.URL.Host, Opaque: q.URL.Path + path, RawQuery: query,
		ForceQuery: strings.HasSuffix(r.Target, "?"),
	}
	q.Header.Set("User-Agent", c.o.Agent)
	if c.o.Token != "" {
		q.Header.Set("Authorization", "Bearer "+c.o.Token)
	}
	for name, values := range r.Header {
		q.Header[name] = values
	}
	key := ""
	if r.Method == http.MethodGet && len(r.Header["If-None-Match"]) == 0 {
		key = fmt.Sprint(r.Target, q.Header)
	}
	known := c.kept.get(key)
	if known != nil {
		q.Header.Set("If-None-Match", known.Header.Get("ETag"))
	}
	got, err := c.o.HTTP.Do(q)
	if err != nil {
		return nil, withHost(err, q.URL)
	}
	defer got.Body.Close()
	body, err := io.ReadAll(io.LimitReader(got.Body, maxAnswer+1))
	if err == nil && len(body) > maxAnswer {
		err = fmt.Errorf("client: an answer of more than %d bytes", maxAnswer)
	}
	if err != nil {
		return nil, err
	}
	if known != nil && got.StatusCode == http.StatusNotModified {
		return &Response{Status: known.Status, Header: got.Header, Body: known.Body, Kept: true}, nil
	}
	answer := &Response{Status: got.StatusCode, Header: got.Header, Body: body}
	c.kept.put(key, answer)
	return answer, nil
}

// withHost has the error of a request tell the whole address: one whose path is sent as it was
// given is written without its host.
func withHost(err error, asked *url.URL) error {
	var failed *url.Error
	if errors.As(err, &failed) && failed.URL == asked.String() {
		failed.URL = asked.Scheme + "://" + asked.Host + strings.TrimPrefix(failed.URL, asked.Scheme+":")
	}
	return err
}
