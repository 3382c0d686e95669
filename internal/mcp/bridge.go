package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Bridge connects a client on a local transport, such as standard input and output, with the service at an address. It
// forwards messages as HTTP requests, with token unless that is empty. It returns when ctx ends, or once the client has
// closed its side and every call has its response.
func Bridge(ctx context.Context, local sdk.Transport, address, token string, c http.Client) error {
	client, err := local.Connect(ctx)
	if err != nil {
		return err
	}
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse } // with the token
	c.Transport = serviceTransport{cmp.Or(c.Transport, http.DefaultTransport), token}
	service := &sdk.StreamableClientTransport{
		Endpoint: strings.TrimSuffix(address, "/") + Path, HTTPClient: &c, MaxRetries: -1, DisableStandaloneSSE: true,
	}
	var work sync.WaitGroup
	defer work.Wait()
	for {
		m, err := client.Read(ctx)
		switch {
		case errors.Is(err, io.EOF), ctx.Err() != nil:
			return nil
		case err != nil:
			return err
		}
		work.Go(func() { forward(ctx, client, service, m) })
	}
}

// forward sends a message on a separate connection, since the service has no sessions, and forwards the returned
// messages until a call has its response.
func forward(ctx context.Context, client sdk.Connection, transport sdk.Transport, m jsonrpc.Message) {
	call, _ := m.(*jsonrpc.Request)
	service, err := transport.Connect(ctx)
	if err == nil {
		defer func() { _ = service.Close() }()
		err = service.Write(ctx, m)
	}
	for call != nil && call.IsCall() {
		var returned jsonrpc.Message
		if err == nil {
			returned, err = service.Read(ctx)
		}
		if err != nil {
			failure := &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
			returned = &jsonrpc.Response{ID: call.ID, Error: failure}
		}
		_, done := returned.(*jsonrpc.Response)
		if failed := client.Write(ctx, returned); failed != nil || done {
			return
		}
	}
}

// serviceTransport sends the token. It forwards protocol errors as responses; the SDK does so only with the status 200.
// The detail of a documented error body becomes an error.
type serviceTransport struct {
	next  http.RoundTripper
	token string
}

// RoundTrip implements http.RoundTripper.
func (t serviceTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if t.token != "" {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+t.token)
	}
	resp, err := t.next.RoundTrip(r)
	if err != nil || resp.StatusCode < http.StatusBadRequest {
		return resp, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	if _, failed := jsonrpc.DecodeMessage(body); failed == nil {
		resp.StatusCode, resp.Body = http.StatusOK, io.NopCloser(bytes.NewReader(body))
		return resp, err
	}
	var documented struct{ Detail string }
	_ = json.Unmarshal(body, &documented) // may be another program's body
	return nil, errors.New(cmp.Or(documented.Detail, resp.Status))
}
