package docs_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"gamedata/graph/generated"
	"gamedata/graph/model"
)

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// definitions returns the types of the published schema.
func definitions(t *testing.T) ast.DefinitionList {
	t.Helper()
	doc, err := parser.ParseSchema(&ast.Source{Input: generated.SDL()})
	if err != nil {
		t.Fatal(err)
	}
	return doc.Definitions
}

// docs/graphql.md says of every scalar what it is in JSON.
func TestScalars(t *testing.T) {
	text := read(t, "graphql.md")
	for _, def := range definitions(t) {
		if def.Kind == ast.Scalar && !strings.Contains(text, "\n| `"+def.Name+"` | ") {
			t.Errorf("graphql.md lacks the scalar %s", def.Name)
		}
	}
}

// inWords are the retentions as the documents write them.
var inWords = map[time.Duration]string{
	24 * time.Hour: "1 day", 7 * 24 * time.Hour: "7 days", 90 * 24 * time.Hour: "90 days",
	3 * 365 * 24 * time.Hour: "3 years",
}

// docs/live-updates.md says how long each event is stored, and docs/graphql.md how long captures are.
func TestEventRetention(t *testing.T) {
	text := read(t, "live-updates.md")
	for _, k := range model.EventKinds {
		if k.Internal {
			continue
		}
		row := regexp.MustCompile("(?m)^\\|.*`" + string(k.Type) + "`.*\\|$").FindString(text)
		if want := " | " + inWords[k.Retention] + " |"; !strings.HasSuffix(row, want) {
			t.Errorf("%s is stored for %s: live-updates.md has the row %q", k.Type, k.Retention, row)
		}
		if k.Type == model.EventTerritoryCaptured &&
			!strings.Contains(read(t, "graphql.md"), fmt.Sprintf("Captures are stored for %s", inWords[k.Retention])) {
			t.Errorf("graphql.md does not say that captures are stored for %s", inWords[k.Retention])
		}
	}
}
