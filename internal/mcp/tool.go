package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"gamedata/graph"
	"gamedata/internal/buildinfo"
	"gamedata/internal/httpapi"
	"gamedata/rest"
	"gamedata/rest/openapi"
)

const instructions = openapi.Purpose +
	" Each tool returns the body of its endpoint; graphql joins what the others return apart."

const graphQLDescription = "Run a query of the GraphQL API: any fields of all data, joined in one call. Mutations " +
	"and subscriptions are rejected. The resources " + schemaURI + " and " + schemaURI + "/SECTION describe every " +
	"field; so does introspection: `{ __type(name: \"Query\") { fields { name description args { name } } } }`. " +
	"`extensions.cost` of the result is what was charged in which bucket, `extensions.rateLimit` what is left."

const graphQLArguments = `{"type":"object","properties":{
	"query":{"type":"string","description":"The GraphQL document."},
	"variables":{"type":"object","description":"The values of its variables."},
	"operationName":{"type":"string","description":"The operation to run, if the document has several."}
},"required":["query"],"additionalProperties":false}`

// newServer returns an SDK server with all tools and resources, which never change.
func (h *Handler) newServer(exec *graph.Executor, ops map[string]*rest.Operation) *sdk.Server {
	server := sdk.NewServer(&sdk.Implementation{Name: "gamedata", Version: buildinfo.Version}, &sdk.ServerOptions{
		Instructions: instructions,
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}, Resources: &sdk.ResourceCapabilities{}},
	})
	add := func(name, title, description string, schema []byte, handler sdk.ToolHandler) {
		server.AddTool(&sdk.Tool{
			Name: name, Title: title, Description: description, InputSchema: json.RawMessage(schema),
			Annotations: &sdk.ToolAnnotations{
				ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: new(bool), OpenWorldHint: new(bool),
			},
		}, func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			req.Params.Arguments = wholeNumbers(req.Params.Arguments)
			return handler(ctx, req)
		})
	}
	for _, row := range rest.Rows {
		op := ops[row.Operation]
		if op == nil {
			continue
		}
		title, more := op.About()
		about := fmt.Sprintf("%s As %s %s%s; costs 1 in the bucket %s.", strings.TrimSpace(title+". "+more), row.Method,
			rest.Prefix, row.Path, exec.FieldPolicy(op.RootField()).Bucket)
		add(op.Name, title, about, openapi.Arguments(row, op), h.operation(row, op))
	}
	h.addDocuments(exec, add)
	add("graphql", "GraphQL query", graphQLDescription, []byte(graphQLArguments),
		func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return h.query(ctx, req.Params.Arguments, false)
		})
	addResources(server)
	return server
}

// operation returns the tool of a row, which sends a request to the row's endpoint. The endpoint validates the
// arguments.
func (h *Handler) operation(row rest.Row, op *rest.Operation) sdk.ToolHandler {
	parameters, names := row.Parameters(op), []string{op.BodyVariable()}
	for _, p := range parameters {
		names = append(names, p.Name)
	}
	return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		var sent map[string]json.RawMessage
		_ = json.Unmarshal(req.Params.Arguments, &sent) // what is no object has no arguments
		path, query := map[string]string{}, url.Values{}
		var problem *graph.Error
		for name := range sent {
			if !slices.Contains(names, name) { // the endpoint would ignore a misspelt name
				problem = otherArguments(names)
			}
		}
		for _, p := range parameters {
			value := urlText(sent[p.Name])
			switch {
			case p.InPath && value == "":
				problem = graph.Errorf(graph.InvalidQueryParams, "%s is required.", p.Name)
			case p.InPath:
				path[p.Name] = value
			case p.Flag && value == "true":
				query.Set(p.Name, "")
			case value != "" && (!p.Flag || value != "false"):
				query.Set(p.Name, value)
			}
		}
		endpoint := h.rest.Call(row, path)
		if problem != nil {
			endpoint = h.api.Middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				h.api.Reject(w, r, problem)
			}))
		}
		target := &url.URL{Path: rest.Prefix + row.Path, RawQuery: query.Encode()}
		rec, err := send(ctx, endpoint, row.Method, target, sent[op.BodyVariable()])
		if err != nil {
			return nil, err
		}
		return resultOf(rec.Body.Bytes(), rec.Status != http.StatusOK), nil
	}
}

// wholeNumbers writes the integers of a JSON value with digits only: JSON Schema accepts 2.0 and 1e2 as integers,
// endpoints do not. Integers too large to be exact in every JSON implementation stay unchanged.
func wholeNumbers(text json.RawMessage) json.RawMessage {
	var out bytes.Buffer
	in, encoder := jsontext.NewDecoder(bytes.NewReader(text)), jsontext.NewEncoder(&out)
	for {
		token, err := in.ReadToken()
		if errors.Is(err, io.EOF) {
			return out.Bytes()
		}
		if err == nil && token.Kind() == '0' {
			if f, err := token.Float(); err == nil && f == math.Trunc(f) && math.Abs(f) < 1<<53 {
				token = jsontext.Int(int64(f))
			}
		}
		if err != nil || encoder.WriteToken(token) != nil {
			return text
		}
	}
}

// urlText converts a JSON value to text for a URL; empty for null or no value.
func urlText(sent json.RawMessage) (text string) {
	if json.Unmarshal(sent, &text) == nil {
		return text
	}
	return string(sent)
}

// query runs the GraphQL request in body. The call fails if there is no data or, if strict is set, any error.
func (h *Handler) query(ctx context.Context, body []byte, strict bool) (*sdk.CallToolResult, error) {
	rec, err := send(ctx, h.graphQL, http.MethodPost, &url.URL{Path: "/graphql"}, body)
	if err != nil {
		return nil, err
	}
	var result struct {
		Data       json.RawMessage `json:"data,omitempty"`
		Errors     json.RawMessage `json:"errors,omitempty"`
		Extensions map[string]any  `json:"extensions"`
	}
	if err := json.Unmarshal(rec.Body.Bytes(), &result); err != nil {
		return nil, err
	}
	limit := map[string]any{"bucket": rateLimitHeader(rec, "Bucket")}
	for _, name := range []string{"Limit", "Remaining", "Reset"} {
		limit[strings.ToLower(name)] = json.Number(rateLimitHeader(rec, name))
	}
	if result.Extensions == nil {
		result.Extensions = map[string]any{}
	}
	result.Extensions["rateLimit"] = limit
	text, err := json.Marshal(result)
	failed := len(result.Data) == 0 || string(result.Data) == "null" || strict && len(result.Errors) > 0
	return resultOf(text, failed), err
}

// send sends a request to an endpoint on behalf of the client that called a tool.
func send(ctx context.Context, endpoint http.Handler, method string, target *url.URL, body []byte) (
	rec *httpapi.Recorder, err error,
) {
	c := ctx.Value(callKey{}).(*call) //nolint:forcetypeassert // set by handle
	c.charged.Store(true)
	header := httpapi.NestedHeader(c.outer.Header)
	header.Set("Accept", "application/json")
	header.Set("Content-Type", "application/json")
	defer func() {
		if recover() != nil { // the middleware has logged the panic; the SDK's goroutine would not recover
			err = graph.ErrInternal
		}
	}()
	rec = httpapi.NewRecorder()
	endpoint.ServeHTTP(rec, httpapi.Nested(ctx, c.outer, method, target, header, body))
	return rec, nil
}

// resultOf returns a body as text and as an object; a list becomes the member `result` of the object.
func resultOf(body []byte, failed bool) *sdk.CallToolResult {
	structured := any(json.RawMessage(body))
	if !strings.HasPrefix(string(body), "{") {
		structured = map[string]any{"result": structured}
	}
	return &sdk.CallToolResult{
		Content: []sdk.Content{&sdk.TextContent{Text: string(body)}}, StructuredContent: structured, IsError: failed,
	}
}

// rateLimitHeader returns a rate-limit header. These names are sent as written, not in canonical form.
func rateLimitHeader(rec *httpapi.Recorder, name string) string {
	return rec.Header()["RateLimit-"+name][0]
}
