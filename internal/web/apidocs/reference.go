package apidocs

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gamedata/rest"
	"gamedata/rest/openapi"
)

// Paths of the reference.
const (
	ReferencePath = "/docs"
	searchPath    = "/docs/search"
)

// reference holds the pages below /docs, by path. It is built on the first request for one of them.
type reference struct {
	pages  map[string]*referencePage
	nav    []navSection
	rest   *restIndex
	search []searchEntry
}

func (d *Docs) makeReference() *reference {
	guides, s := readGuides(d.o.Origin), &spec{openapi.Decode(openapi.Document(d.exec, d.ops))}
	r := &reference{pages: map[string]*referencePage{}, rest: d.restIndex(s)}
	r.addGuides(guides)
	r.addREST()
	d.addGraphQL(r, newSchemaDocs(d.exec.Schema()))
	r.pages[ReferencePath] = &referencePage{
		template: "reference", title: "Documentation", section: guidesSection,
		description: "Guides, the REST reference and the GraphQL reference of this service.",
		body: func() any {
			return struct {
				Guides    []*guide
				Endpoints int
				Types     int
			}{guides, len(rest.Rows), len(d.exec.Schema().Types)}
		},
	}
	return r
}

// add adds a page, and a search entry with its title, a kind and a text.
func (r *reference) add(path, title, kind, text string, p *referencePage) {
	r.pages[path] = p
	r.search = append(r.search, searchEntry{Path: path, Title: title, Kind: kind, text: text})
}

func (r *reference) addGuides(guides []*guide) {
	section := navSection{Title: guidesSection, Path: ReferencePath}
	for i, g := range guides {
		path := GuidesPath + g.Name
		section.Links = append(section.Links, navLink{Path: path, Text: g.Title})
		view := guideView{guide: g}
		if i > 0 {
			view.Previous = &docLink{GuidesPath + guides[i-1].Name, guides[i-1].Title}
		}
		if i+1 < len(guides) {
			view.Next = &docLink{GuidesPath + guides[i+1].Name, guides[i+1].Title}
		}
		r.add(path, g.Title, "Guide", g.sections[0].Text, &referencePage{
			template: "guide", title: g.Title, description: g.About, section: section.Title,
			body: func() any { return view },
		})
		for _, s := range g.sections[1:] {
			r.search = append(r.search, searchEntry{Path: path + "#" + s.ID, Title: s.Heading, Kind: g.Title, text: s.Text})
		}
	}
	r.nav = append(r.nav, section)
}

type guideView struct {
	*guide
	Previous, Next *docLink
}

func (r *reference) addREST() {
	section := navSection{Title: restSection, Path: RESTPath, Links: []navLink{
		{Path: RESTPath, Text: "Overview"}, {Path: RESTPath + "#" + compatibilityID, Text: "Conformance cases"},
	}}
	r.add(RESTPath, "REST reference", "REST", "", &referencePage{
		template: "rest-index", title: "REST reference", section: section.Title,
		description: fmt.Sprintf("The %d endpoints of the REST API, with what they share: headers, errors and credentials.",
			r.rest.Count),
		body: func() any { return r.rest },
	})
	for _, group := range r.rest.Groups {
		nav := navGroup{Title: group.Name}
		for _, e := range group.Endpoints {
			path := RESTPath + "/" + e.ID
			nav.Links = append(nav.Links, navLink{Path: path, Text: strings.TrimPrefix(e.Path, rest.Prefix), Method: e.Method})
			r.add(path, e.Method+" "+e.Path, "REST", e.Summary+" "+e.ID, &referencePage{
				template: "endpoint", title: e.Summary, description: e.description(), section: section.Title, group: group.Name,
				body: func() any { return e },
			})
		}
		section.Groups = append(section.Groups, nav)
	}
	r.nav = append(r.nav, section)
}

func (d *Docs) addGraphQL(r *reference, s *schemaDocs) {
	index := s.index()
	section := navSection{
		Title: "GraphQL", Path: GraphQLPath, Links: []navLink{{Path: GraphQLPath, Text: "Overview"}},
	}
	for _, group := range index {
		nav := navGroup{Title: group.Title, Path: GraphQLPath + "#" + group.ID}
		for _, letter := range group.Letters {
			for _, e := range letter.Entries {
				nav.Links = append(nav.Links, navLink{Path: e.Path, Text: e.Name})
			}
		}
		section.Groups = append(section.Groups, nav)
	}
	section.Groups = append(section.Groups, navGroup{Title: "Directives", Path: directivesPath})
	r.nav = append(r.nav, section)
	r.add(GraphQLPath, "GraphQL reference", "GraphQL", "", &referencePage{
		template: "graphql-index", title: "GraphQL reference", section: section.Title,
		description: "Queries, mutations and types of the GraphQL API.", body: func() any { return index },
	})
	r.add(directivesPath, "Directives", "GraphQL", "", &referencePage{
		template: "directives", title: "Directives", section: section.Title, group: "Directives",
		description: "The directives of the GraphQL schema.", body: func() any { return s.directives() },
	})
	for _, root := range s.roots() {
		for _, f := range visible(root.def.Fields) {
			r.add(rootPath(root.operation, f.Name), f.Name, title(root.operation), f.Description, &referencePage{
				template: "root-field", title: f.Name, section: section.Title, group: root.title,
				description: "The " + root.operation + " " + f.Name + " of the GraphQL API: arguments, type, cost and an example.",
				body:        func() any { return d.rootField(s, root.operation, f, time.Now()) },
			})
		}
	}
	for _, name := range s.typeNames() {
		def, p := s.schema.Types[name], s.page(name)
		group := ""
		if s.operationOf(def) == "" {
			group = p.group
		}
		r.add(typePath(name), name, p.Kind, def.Description, &referencePage{
			template: "type", title: name, section: section.Title, group: group,
			description: cut(p.Kind+" of the GraphQL API. "+strings.Join(strings.Fields(def.Description), " "), 160),
			body:        func() any { return s.page(name) },
		})
		for _, f := range slices.Concat(p.Fields, p.Values) {
			if group != "" {
				path := typePath(name) + "#" + fieldID(f.Name)
				r.search = append(r.search, searchEntry{Path: path, Title: name + "." + f.Name, Kind: "Field"})
			}
		}
	}
}

func title(operation string) string { return strings.ToUpper(operation[:1]) + operation[1:] }

// Paths returns the paths of all pages of the reference, for the sitemap.
func (d *Docs) Paths() []string { return slices.Sorted(maps.Keys(d.reference().pages)) }
