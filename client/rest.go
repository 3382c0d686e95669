package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// Error is an error response.
type Error struct {
	Status int    // HTTP status
	Name   string // such as NotFound; empty if the body is not an error of the service
	Detail string // a sentence for users
	// RetryAfter is the wait that the service demands; 0 if none.
	RetryAfter time.Duration
	// Objects are the candidates by uuid, if Name is MultipleObjectsReturned.
	Objects map[string]json.RawMessage
}

func (e *Error) Error() string {
	if e.Name == "" {
		return fmt.Sprintf("the service responded with status %d", e.Status)
	}
	return fmt.Sprintf("%s (%d): %s", e.Name, e.Status, e.Detail)
}

// Get requests a REST path, such as /v3/player/Salted, and decodes the body. A flag such as fullResult is a parameter
// with an empty value. Names in a path need url.PathEscape. A response with a status other than 200 is an *Error.
func (c *Client) Get(ctx context.Context, path string, parameters url.Values, into any) error {
	return c.decode(ctx, Request{Method: http.MethodGet, Target: path}, parameters, into)
}

// Search posts a body to a REST path, such as /v3/item/search, and decodes the response as Get does.
func (c *Client) Search(ctx context.Context, path string, parameters url.Values, body, into any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("client: %w", err)
	}
	request := Request{Method: http.MethodPost, Target: path, Header: jsonHeader, Body: text}
	return c.decode(ctx, request, parameters, into)
}

var jsonHeader = http.Header{"Content-Type": {"application/json"}}

func (c *Client) decode(ctx context.Context, r Request, parameters url.Values, into any) error {
	r.Repeatable = true
	if len(parameters) > 0 {
		r.Target += "?" + parameters.Encode()
	}
	response, err := c.Send(ctx, r)
	if err != nil {
		return err
	}
	if response.Status != http.StatusOK {
		return newError(response)
	}
	if err := json.Unmarshal(response.Body, into); err != nil {
		return fmt.Errorf("client: decoding the response to %s: %w", r.Target, err)
	}
	return nil
}

// newError is the error of a response.
func newError(r *Response) *Error {
	e := &Error{Status: r.Status}
	e.RetryAfter, _ = retryAfter(r.Header, time.Now())
	var body struct {
		Error   string
		Detail  string
		Code    int
		Objects map[string]json.RawMessage
	}
	if json.Unmarshal(r.Body, &body) == nil && body.Code == r.Status {
		e.Name, e.Detail, e.Objects = body.Error, body.Detail, body.Objects
	}
	return e
}
