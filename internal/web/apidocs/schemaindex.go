package apidocs

import (
	"cmp"
	"html/template"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// entryGroup holds the fields of a root type, or the types of a kind, by first letter.
type entryGroup struct {
	Title, ID string
	Letters   []letterGroup
	Count     int
}

type letterGroup struct {
	Letter  string
	Entries []entry
}

type entry struct {
	Path, Name string
	Text       template.HTML
	Deprecated bool
}

// add adds an entry. The caller adds entries ordered by name.
func (g *entryGroup) add(e entry) {
	letter := strings.ToUpper(e.Name[:1])
	if n := len(g.Letters); n == 0 || g.Letters[n-1].Letter != letter {
		g.Letters = append(g.Letters, letterGroup{Letter: letter})
	}
	last := &g.Letters[len(g.Letters)-1]
	last.Entries, g.Count = append(last.Entries, e), g.Count+1
}

// index returns the root fields, then the types by kind.
func (s *schemaDocs) index() []entryGroup {
	var out []entryGroup
	for _, root := range s.roots() {
		group, fields := entryGroup{Title: root.title, ID: root.operation}, visible(root.def.Fields)
		slices.SortFunc(fields, func(a, b *ast.FieldDefinition) int { return cmp.Compare(a.Name, b.Name) })
		for _, f := range fields {
			path := rootPath(root.operation, f.Name)
			group.add(entry{path, f.Name, s.firstSentence(f.Description), deprecation(f.Directives) != ""})
		}
		out = append(out, group)
	}
	for _, k := range kindTitles {
		group := entryGroup{Title: k.title, ID: k.id}
		for _, name := range s.typeNames() {
			if def := s.schema.Types[name]; def.Kind == k.kind && s.operationOf(def) == "" {
				group.add(entry{typePath(name), name, s.firstSentence(def.Description), false})
			}
		}
		if group.Count > 0 {
			out = append(out, group)
		}
	}
	return out
}
