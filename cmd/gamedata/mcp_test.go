package main

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"gamedata/internal/app/apptest"
)

// startMCP runs `gamedata mcp` as a client of the protocol starts it.
func startMCP(t *testing.T, stderr *bytes.Buffer, args ...string) (*sdk.ClientSession, error) {
	t.Helper()
	cmd := exec.Command(os.Args[0], append([]string{"mcp"}, args...)...)
	cmd.Env, cmd.Stderr = append(os.Environ(), runAsProgram+"=1"), stderr
	c := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	s, err := c.Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, nil)
	if err == nil {
		t.Cleanup(func() { _ = s.Close() })
	}
	return s, err
}

// The program on standard input and output offers the tools and resources of a service, with the rights of its token.
func TestMCPOnStandardInput(t *testing.T) {
	t.Parallel()
	dir := apptest.Dir(t)
	service := startProcess(t, dir)
	runCommand(t, dir, 0, "account", "create", "Salted")
	token := runCommand(t, dir, 0, "token", "create", "Salted", "desktop")
	var stderr bytes.Buffer
	s, err := startMCP(t, &stderr, "--target", service.base+"/", "--token", token)
	if err != nil {
		t.Fatal(err)
	}
	tools, err := s.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) < 40 {
		t.Fatalf("got %v %v", tools, err)
	}
	result, err := s.CallTool(t.Context(), &sdk.CallToolParams{
		Name: "graphql", Arguments: map[string]any{"query": "{viewer{kind token{name}}}"},
	})
	if err != nil || result.IsError {
		t.Fatalf("got %+v %v", result, err)
	}
	if text := result.Content[0].(*sdk.TextContent).Text; !strings.Contains(text, `"token":{"name":"desktop"}`) {
		t.Errorf("got %s, want the token as viewer", text)
	}
	if _, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "gamedata://guides/rest"}); err != nil {
		t.Error(err)
	}
	if _, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "Nothing"}); err == nil ||
		!strings.Contains(err.Error(), "unknown tool") {
		t.Errorf("an unknown tool: got %v", err)
	}
	if err := s.Close(); err != nil || stderr.Len() > 0 {
		t.Errorf("got %v and %q on standard error", err, &stderr)
	}
	for want, args := range map[string][]string{
		"access token is missing or not valid": {"--target", service.base, "--token", "gdt_wrong"},
		"connection refused":                   {"--target", "http://127.0.0.1:1"},
	} {
		if _, err := startMCP(t, new(bytes.Buffer), args...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: got %v, want %s", args, err, want)
		}
	}
}
