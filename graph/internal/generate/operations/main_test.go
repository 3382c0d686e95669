package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

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

// encoding/json would leave both fields empty.
func TestSelectedTwice(t *testing.T) {
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: `type Query { player: Player } type Player { name: String! }`})
	doc := gqlparser.MustLoadQueryWithRules(schema, `{ player { ...A name } } fragment A on Player { name }`, nil)
	if _, err := generate(schema, "site", doc); err == nil || !strings.Contains(err.Error(), "name is selected twice") {
		t.Errorf("got error %v", err)
	}
}
