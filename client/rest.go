package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// Error is an answer with an error of the contract.
type Error struct {
	Status int    // of HTTP
	Name   string // such as NotFound; empty when the answer was not one of the service
	Detail string // a sentence for people
	// RetryAfter is the wait the service asks for; 0 when it asks for none.
	RetryAfter time.Duration
	// Objects are the candidates, by uuid, when Name is MultipleObjectsReturned.
	Objects map[string]json.RawMessage
}

func (e *Error) Error() string {
	if e.Name == "" {
		return fmt.Sprintf("the service answered %d", e.Status)
	}
	return fmt.Sprintf("%s (%d): %s", e.Name, e.Status, e.Detail)
}

// Get asks a documented path, such as /v3/player/Salted, and decodes the answer. A flag such as
// fullResult is a parameter with an empty value. Names in a path need url.PathEscape. An answer
// with another status than 200 is an *Error.
func (c *Client) Get(ctx context.Context, path string, parameters url.Values, into any) error {
	if len(parameters) > 0 {
		path += "?" + parameters.Encode()
	}
	return c.decode(ctx, Request{Method: http.MethodGet, Target: path, Repeatable: true}, into)
}

// Search posts a body to a documented path, such as /v3/item/search, and decodes the answer as Get
// does.
func (c *Client) Search(ctx context.Context, path string, parameters url.Values, body, into any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("client: %w", err)
	}
	if len(parameters) > 0 {
		path += "?" + parameters.Encode()
	}
	return c.decode(ctx, Request{Method: http.MethodPost, Target: path, Header: isJSON, Body: text, Repeatable: true},
		into)
}

var isJSON = http.Header{"Content-Type": {"application/json"}}

func (c *Client) decode(ctx context.Context, r Request, into any) error {
	answer, err := c.Send(ctx, r)
	if err != nil {
		return err
	}
	if answer.Status != http.StatusOK {
		return problem(answer)
	}
	if err := json.Unmarshal(answer.Body, into); err != nil {
		return fmt.Errorf("client: the answer to %s: %w", r.Target, err)
	}
	return nil
}

// problem reads an error of the contract.
func problem(a *Response) *Error {
	e := &Error{Status: a.Status}
	e.RetryAfter, _ = retryAfter(a.Header, time.Now())
	var body struct {
		Error   string
		Detail  string
		Code    int
		Objects map[string]json.RawMessage
	}
	if json.Unmarshal(a.Body, &body) == nil && body.Code == a.Status {
		e.Name, e.Detail, e.Objects = body.Error, body.Detail, body.Objects
	}
	return e
}
