package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// GraphQLError is one error of an operation.
type GraphQLError struct {
	Message string
	// Path leads to the field that has no value for it: names and positions.
	Path []any
	// Code is extensions.code, such as NOT_FOUND.
	Code string
}

// GraphQLErrors are the errors of an operation. What it gave all the same is decoded.
type GraphQLErrors struct {
	Status     int // of HTTP; 200 when the operation ran
	Errors     []GraphQLError
	RetryAfter time.Duration
}

func (e *GraphQLErrors) Error() string {
	texts := make([]string, len(e.Errors))
	for i, one := range e.Errors {
		texts[i] = one.Code + ": " + one.Message
	}
	return strings.Join(texts, "; ")
}

// Has tells whether one of the errors has a code.
func (e *GraphQLErrors) Has(code string) bool {
	for _, one := range e.Errors {
		if one.Code == code {
			return true
		}
	}
	return false
}

// Query runs a query and decodes its data. Errors of fields come as *GraphQLErrors, beside the data
// of the others.
func (c *Client) Query(ctx context.Context, query string, variables map[string]any, into any) error {
	return c.run(ctx, query, variables, into, true)
}

// Mutate runs a mutation as Query runs a query. It is not sent again when its answer did not come:
// nobody knows then whether it was carried out.
func (c *Client) Mutate(ctx context.Context, mutation string, variables map[string]any, into any) error {
	return c.run(ctx, mutation, variables, into, false)
}

func (c *Client) run(ctx context.Context, document string, variables map[string]any, into any, repeatable bool) error {
	body, err := json.Marshal(map[string]any{"query": document, "variables": variables})
	if err != nil {
		return fmt.Errorf("client: %w", err)
	}
	answer, err := c.Send(ctx, Request{
		Method: http.MethodPost, Target: "/graphql", Header: isJSON, Body: body,
		Repeatable: repeatable,
	})
	if err != nil {
		return err
	}
	var response struct {
		Data   json.RawMessage
		Errors []struct {
			Message    string
			Path       []any
			Extensions struct{ Code string }
		}
	}
	if err := json.Unmarshal(answer.Body, &response); err != nil || response.Data == nil && len(response.Errors) == 0 {
		return &Error{Status: answer.Status}
	}
	if len(response.Data) > 0 && into != nil {
		if err := json.Unmarshal(response.Data, into); err != nil {
			return fmt.Errorf("client: the data: %w", err)
		}
	}
	if len(response.Errors) == 0 {
		return nil
	}
	failed := &GraphQLErrors{Status: answer.Status}
	failed.RetryAfter, _ = retryAfter(answer.Header, time.Now())
	for _, e := range response.Errors {
		failed.Errors = append(failed.Errors, GraphQLError{e.Message, e.Path, e.Extensions.Code})
	}
	return failed
}

// IsNotFound tells whether an error says that nothing lies under what was asked for, through either
// door.
func IsNotFound(err error) bool {
	var one *Error
	var several *GraphQLErrors
	return errors.As(err, &one) && one.Status == http.StatusNotFound || errors.As(err, &several) &&
		several.Has("NOT_FOUND")
}
