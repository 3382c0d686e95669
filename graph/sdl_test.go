package graph_test

import (
	"os"
	"strings"
	"testing"

	"gamedata/graph"
)

// The text that the service publishes is schema.graphqls.
func TestSDL(t *testing.T) {
	file, err := os.ReadFile("../schema.graphqls")
	if err != nil {
		t.Fatal(err)
	}
	if _, text, _ := strings.Cut(string(file), "\n\n"); graph.SDL() != text {
		t.Error("the published text is not schema.graphqls: run make generate")
	}
}
