package apidocs

import (
	"html/template"
)

type schemaIndex struct {
	Roots []rootGroup
	Kinds []kindGroup
}

// rootGroup has the fields of a root type. Name is query, mutation or subscription.
type rootGroup struct {
	Title, Name string
	Fields      []entry
}

type kindGroup struct {
	Title, ID string
	Types     []entry
}

type entry struct {
	Path, Name string
	Text       template.HTML
	Deprecated bool
}

func (s *schemaDocs) index() *schemaIndex {
	out := &schemaIndex{}
	for _, root := range s.roots() {
		if root.def == nil {
			continue
		}
		group := rootGroup{Title: root.title, Name: root.operation}
		for _, f := range visible(root.def.Fields) {
			group.Fields = append(group.Fields, entry{
				rootPath(root.operation, f.Name), f.Name, s.firstSentence(f.Description), deprecation(f.Directives) != "",
			})
		}
		out.Roots = append(out.Roots, group)
	}
	for _, k := range kindTitles {
		group := kindGroup{Title: k.title, ID: k.id}
		for _, name := range s.typeNames() {
			if def := s.schema.Types[name]; def.Kind == k.kind && s.operationOf(def) == "" {
				group.Types = append(group.Types, entry{typePath(name), name, s.firstSentence(def.Description), false})
			}
		}
		if len(group.Types) > 0 {
			out.Kinds = append(out.Kinds, group)
		}
	}
	return out
}
