package apidocs

import (
	"html/template"
)

type schemaIndex struct{ Roots, Kinds []entryGroup }

// entryGroup has the fields of a root type, or the types of a kind.
type entryGroup struct {
	Title, ID string
	Entries   []entry
}

type entry struct {
	Path, Name string
	Text       template.HTML
	Deprecated bool
}

func (s *schemaDocs) index() *schemaIndex {
	out := &schemaIndex{}
	for _, root := range s.roots() {
		group := entryGroup{Title: root.title, ID: root.operation}
		for _, f := range visible(root.def.Fields) {
			group.Entries = append(group.Entries, entry{
				rootPath(root.operation, f.Name), f.Name, s.firstSentence(f.Description), deprecation(f.Directives) != "",
			})
		}
		out.Roots = append(out.Roots, group)
	}
	for _, k := range kindTitles {
		group := entryGroup{Title: k.title, ID: k.id}
		for _, name := range s.typeNames() {
			if def := s.schema.Types[name]; def.Kind == k.kind && s.operationOf(def) == "" {
				group.Entries = append(group.Entries, entry{typePath(name), name, s.firstSentence(def.Description), false})
			}
		}
		if len(group.Entries) > 0 {
			out.Kinds = append(out.Kinds, group)
		}
	}
	return out
}
