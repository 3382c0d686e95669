package feed_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"gamedata/internal/feed"
)

var update = flag.Bool("update", false, "rewrite the generated part of docs/feeding.md")

const (
	docsPath  = "../../docs/feeding.md"
	docsBegin = "<!-- Generated from internal/feed.Events by go test ./internal/feed -run TestEventDocs -update. -->\n"
	docsEnd   = "<!-- End of the generated part. -->\n"
)

// docs/feeding.md documents every event of the table: -update rewrites this part of the page.
func TestEventDocs(t *testing.T) {
	raw, err := os.ReadFile(docsPath)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(raw), docsBegin)
	_, after, closed := strings.Cut(rest, docsEnd)
	if !ok || !closed {
		t.Fatal("docs/feeding.md has no generated part")
	}
	want := before + docsBegin + "\n" + eventDocs(t) + "\n" + docsEnd + after
	if *update {
		if err := os.WriteFile(docsPath, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if string(raw) != want {
		t.Error("docs/feeding.md does not describe the events: run go test ./internal/feed -run TestEventDocs -update")
	}
}

// source has the declarations of the package's structs.
type source map[string]*ast.GenDecl

func readSource(t *testing.T) source {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, "../../graph/model/records_gen.go")
	out := source{}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE && len(g.Specs) == 1 {
				out[g.Specs[0].(*ast.TypeSpec).Name.Name] = g
			}
		}
	}
	return out
}

func eventDocs(t *testing.T) string {
	t.Helper()
	types := readSource(t)
	var out strings.Builder
	for i, k := range feed.Events {
		if i > 0 {
			out.WriteString("\n")
		}
		text := strings.TrimPrefix(prose(types[k.Name].Doc), k.Name+" ")
		text = strings.ToUpper(text[:1]) + text[1:]
		fmt.Fprintf(&out, "### %s\n\n%s\n\n", k.Name, text)
		types.fields(&out, reflect.TypeOf(k.New()).Elem(), "")
		if example := strings.Join(strings.Fields(examples[k.Name]), " "); strings.ContainsAny(example[1:], "{[") {
			fmt.Fprintf(&out, "\n```json\n%s\n```\n", example)
		}
	}
	return out.String()
}

// fields writes an item for each field of a struct, of its embedded structs and of the structs of its lists.
func (s source) fields(out *strings.Builder, of reflect.Type, path string) {
	declared := s[of.Name()].Specs[0].(*ast.TypeSpec).Type.(*ast.StructType).Fields.List
	for i := range of.NumField() {
		f := of.Field(i)
		if f.Anonymous {
			s.fields(out, f.Type, path)
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		kind := typeName(f.Type)
		if strings.HasPrefix(options, "omit") {
			kind += ", optional"
		}
		text := strings.TrimPrefix(prose(declared[i].Doc), f.Name+" ")
		text = strings.TrimPrefix(strings.TrimPrefix(text, "is "), "are ")
		if text != "" {
			text = ": " + strings.TrimSuffix(text, ".")
		}
		fmt.Fprintf(out, "- `%s%s` (%s)%s\n", path, name, kind, text)
		if f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.Struct {
			s.fields(out, f.Type.Elem(), name+"[].")
		}
	}
}

func typeName(t reflect.Type) string {
	switch t.Name() {
	case "PlayerID", "CharacterID", "GuildID":
		return "uuid"
	case "Time":
		return "time"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return typeName(t.Elem()) + " or null"
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Pointer {
			return "list of objects"
		}
		return "list of " + typeName(t.Elem()) + plural(t.Elem())
	case reflect.Struct, reflect.Map:
		return "object"
	case reflect.Int, reflect.Int64:
		return "integer"
	case reflect.Float64:
		return "number"
	case reflect.Bool:
		return "boolean"
	}
	return "text"
}

func plural(t reflect.Type) string {
	if strings.HasSuffix(t.Name(), "ID") || t.Kind() == reflect.Struct || t.Kind() == reflect.String {
		return "s"
	}
	return ""
}

func prose(doc *ast.CommentGroup) string {
	if doc == nil {
		return ""
	}
	return strings.Join(strings.Fields(doc.Text()), " ")
}
