package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

const schema = `
scalar DateTime
type Query { players: [Player!] entry: Entry! guild: Guild }
type Player { name: String! nickname: String veteran: Boolean level: Int! lastJoin: DateTime guild: Guild }
type Guild { name: String! banner: Banner }
type Banner { base: String! }
interface Entry { score: Int! }
type PlayerEntry implements Entry { score: Int! player: Player! name: String! }
type GuildEntry implements Entry { score: Int! name: String! }
`

func generated(t *testing.T, document string) (string, error) {
	t.Helper()
	s, err := gqlparser.LoadSchema(&ast.Source{Input: schema})
	if err != nil {
		t.Fatal(err)
	}
	doc, problems := gqlparser.LoadQueryWithRules(s, document, rules.NewDefaultRules())
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	code, err := generate(s, "site", doc)
	return string(code), err
}

// The committed files are up to date.
func TestUpToDate(t *testing.T) {
	t.Chdir("../../../..")
	err := run(func(path string, code []byte) error {
		committed, err := os.ReadFile(path)
		if err == nil && !bytes.Equal(committed, code) {
			t.Errorf("%s is out of date: run 'make generate'", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// Fragments are embedded or, alone in a selection, the type itself. The types of an interface share one struct.
func TestGenerate(t *testing.T) {
	got, err := generated(t, `# Everything.
query Page {
  players { ...Name veteran level lastJoin guild { name banner { base } } }
  entry { score ... on PlayerEntry { name player { ...Name } } ... on GuildEntry { name } }
}
fragment Name on Player { name alias: nickname }`)
	const want = `
// Page is the data of its operation.
// Everything.
type Page struct {
	Players []struct {
		Name
		Veteran  *bool      ^json:"veteran"^
		Level    int64      ^json:"level"^
		LastJoin *time.Time ^json:"lastJoin"^
		Guild    *struct {
			Name   string        ^json:"name"^
			Banner *model.Banner ^json:"banner"^
		} ^json:"guild"^
	} ^json:"players"^
	Entry struct {
		Score  int64   ^json:"score"^
		Name   *string ^json:"name"^
		Player *Name   ^json:"player"^
	} ^json:"entry"^
}

// Name is the data of its fragment.
type Name struct {
	Name  string  ^json:"name"^
	Alias *string ^json:"alias"^
}
`
	if err != nil || !strings.HasSuffix(got, strings.ReplaceAll(want, "^", "`")) {
		t.Errorf("got %v %s", err, got)
	}
}

// encoding/json would leave both fields empty.
func TestSelectedTwice(t *testing.T) {
	_, err := generated(t, `{ players { ...A name } } fragment A on Player { name }`)
	if err == nil || !strings.Contains(err.Error(), "name is selected twice") {
		t.Errorf("got error %v", err)
	}
}
