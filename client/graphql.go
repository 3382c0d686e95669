package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// GraphQLError is one error of an operation.
type GraphQLError struct {
	Message string
	// Path is the path to the field that failed: names and indexes.
	Path []any
	// Code is extensions.code, such as NOT_FOUND.
	Code string
}

// GraphQLErrors are the errors of an operation. Its partial data is decoded nevertheless.
type GraphQLErrors struct {
	Status     int // HTTP status; 200 if the operation was executed
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

// Has reports whether one of the errors has a code.
func (e *GraphQLErrors) Has(code string) bool {
	return slices.ContainsFunc(e.Errors, func(one GraphQLError) bool { return one.Code == code })
}

// Query runs a query and decodes its data. If fields fail, the error is a *GraphQLErrors and the
// other fields are decoded.
func (c *Client) Query(ctx context.Context, query string, variables map[string]any, into any) error {
	return c.run(ctx, query, variables, into, true)
}

// Mutate runs a mutation as Query runs a query. It is not sent again after a network error, since it
// may have been executed.
func (c *Client) Mutate(ctx context.Context, mutation string, variables map[string]any, into any) error {
	return c.run(ctx, mutation, variables, into, false)
}

func (c *Client) run(ctx context.Context, document string, variables map[string]any, into any, repeatable bool) error {
	body, err := json.Marshal(map[string]any{"query": document, "variables": variables})
	if err != nil {
		return fmt.Errorf("client: %w", err)
	}
	response, err := c.Send(ctx, Request{http.MethodPost, "/graphql", jsonHeader, body, repeatable})
	if err != nil {
		return err
	}
	var result struct {
		Data   json.RawMessage
		Errors []struct {
			Message    string
			Path       []any
			Extensions struct{ Code string }
		}
	}
	if err := json.Unmarshal(response.Body, &result); err != nil || result.Data == nil && len(result.Errors) == 0 {
		return &Error{Status: response.Status}
	}
	if len(result.Data) > 0 && into != nil {
		if err := json.Unmarshal(result.Data, into); err != nil {
			return fmt.Errorf("client: decoding the data: %w", err)
		}
	}
	if len(result.Errors) == 0 {
		return nil
	}
	failed := &GraphQLErrors{Status: response.Status}
	failed.RetryAfter, _ = retryAfter(response.Header, time.Now())
	for _, e := range result.Errors {
		failed.Errors = append(failed.Errors, GraphQLError{e.Message, e.Path, e.Extensions.Code})
	}
	return failed
}

// IsNotFound reports whether an error of either API says that the requested object does not exist.
func IsNotFound(err error) bool {
	var one *Error
	var several *GraphQLErrors
	return errors.As(err, &one) && one.Status == http.StatusNotFound || errors.As(err, &several) &&
		several.Has("NOT_FOUND")
}
