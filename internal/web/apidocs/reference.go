package apidocs

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gamedata/internal/httpapi"
	"gamedata/rest"
)

// Paths of the reference.
const (
	ReferencePath   = "/docs"
	searchPath      = "/docs/search"
	searchIndexPath = "/docs/search.json"
)

// reference has the pages below /docs, by path. It is made when the first of them is requested.
type reference struct {
	pages  map[string]*referencePage
	nav    []navSection
	rest   *restIndex
	search []searchEntry
	index  httpapi.Response // of searchIndexPath
}

func (d *Docs) makeReference() (*reference, error) {
	guides, err := readGuides(d.o.Origin)
	if err != nil {
		return nil, err
	}
	s, err := d.readSpec()
	if err != nil {
		return nil, err
	}
	groups, err := d.readEndpoints(s)
	if err != nil {
		return nil, err
	}
	r := &reference{pages: map[string]*referencePage{}, rest: d.restIndex(s, groups)}
	r.addGuides(guides)
	r.addREST()
	d.addGraphQL(r, newSchemaDocs(d.exec.Schema()))
	r.pages[ReferencePath] = &referencePage{
		template: "reference", title: "Documentation", section: guidesSection,
		description: "Guides, the REST reference and the GraphQL reference of this service.",
		body: func() any {
			return struct {
				Guides    []guideGroup
				Endpoints int
				Types     int
			}{guides, len(rest.Rows), len(d.exec.Schema().Types)}
		},
	}
	r.index, err = searchIndex(r.search)
	return r, err
}

func (r *reference) addGuides(guides []guideGroup) {
	section := navSection{Title: guidesSection, Path: ReferencePath}
	for _, group := range guides {
		nav := navGroup{Title: group.Title}
		for i, g := range group.Guides {
			path := GuidesPath + g.Name
			nav.Links = append(nav.Links, navLink{Path: path, Text: g.Title})
			view := guideView{guide: g}
			if i > 0 {
				view.Previous = &docLink{GuidesPath + group.Guides[i-1].Name, group.Guides[i-1].Title}
			}
			if i+1 < len(group.Guides) {
				view.Next = &docLink{GuidesPath + group.Guides[i+1].Name, group.Guides[i+1].Title}
			}
			r.pages[path] = &referencePage{
				template: "guide", title: g.Title, description: g.About, section: section.Title, group: group.Title,
				body: func() any { return view },
			}
			for _, s := range g.sections {
				e := searchEntry{Path: path, Title: g.Title, Kind: "Guide", text: s.Text}
				if s.ID != "" {
					e.Path, e.Title, e.Kind = path+"#"+s.ID, s.Heading, g.Title
				}
				r.search = append(r.search, e)
			}
		}
		section.Groups = append(section.Groups, nav)
	}
	r.nav = append(r.nav, section)
}

type guideView struct {
	*guide
	Previous, Next *docLink
}

func (r *reference) addREST() {
	section := navSection{Title: restSection, Path: RESTPath, Links: []navLink{
		{Path: RESTPath, Text: "Overview"}, {Path: CompatibilityPath, Text: "Conformance cases"},
	}}
	r.pages[RESTPath] = &referencePage{
		template: "rest-index", title: "REST reference", section: section.Title,
		description: fmt.Sprintf("The %d endpoints of the REST API, with what they share: headers, errors and credentials.",
			r.rest.Count),
		body: func() any { return r.rest },
	}
	r.search = append(r.search, searchEntry{Path: RESTPath, Title: "REST reference", Kind: "REST"})
	for _, group := range r.rest.Groups {
		nav := navGroup{Title: group.Name}
		for _, e := range group.Endpoints {
			path := RESTPath + "/" + e.ID
			nav.Links = append(nav.Links, navLink{Path: path, Text: strings.TrimPrefix(e.Path, rest.Prefix), Method: e.Method})
			r.pages[path] = &referencePage{
				template: "endpoint", title: e.Summary, description: e.description(), section: section.Title, group: group.Name,
				body: func() any { return e },
			}
			r.search = append(r.search, searchEntry{
				Path: path, Title: e.Method + " " + e.Path, Kind: "REST", text: e.Summary + " " + e.ID,
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
	r.pages[GraphQLPath] = &referencePage{
		template: "graphql-index", title: "GraphQL reference", section: section.Title,
		description: "Queries, mutations and types of the GraphQL API.", body: func() any { return index },
	}
	r.pages[directivesPath] = &referencePage{
		template: "directives", title: "Directives", section: section.Title, group: "Directives",
		description: "The directives of the GraphQL schema.", body: func() any { return s.directives() },
	}
	r.search = append(r.search, searchEntry{Path: GraphQLPath, Title: "GraphQL reference", Kind: "GraphQL"},
		searchEntry{Path: directivesPath, Title: "Directives", Kind: "GraphQL"})
	for _, root := range s.roots() {
		if root.def == nil {
			continue
		}
		nav := navGroup{Title: root.title, Path: GraphQLPath + "#" + root.operation}
		for _, f := range visible(root.def.Fields) {
			path := rootPath(root.operation, f.Name)
			nav.Links = append(nav.Links, navLink{Path: path, Text: f.Name})
			r.pages[path] = &referencePage{
				template: "root-field", title: f.Name, section: section.Title, group: root.title,
				description: "The " + root.operation + " " + f.Name + " of the GraphQL API: arguments, type, cost and an example.",
				body:        func() any { return d.rootField(s, root.operation, f, time.Now()) },
			}
			r.search = append(r.search, searchEntry{
				Path: path, Title: f.Name, Kind: strings.ToUpper(root.operation[:1]) + root.operation[1:], text: f.Description,
			})
		}
		section.Groups = append(section.Groups, nav)
	}
	for _, kind := range index.Kinds {
		nav := navGroup{Title: kind.Title, Path: GraphQLPath + "#" + kind.ID}
		for _, t := range kind.Entries {
			nav.Links = append(nav.Links, navLink{Path: t.Path, Text: t.Name})
		}
		section.Groups = append(section.Groups, nav)
	}
	section.Groups = append(section.Groups, navGroup{Title: "Directives", Path: directivesPath})
	for _, name := range s.typeNames() {
		def := s.schema.Types[name]
		p := s.page(name)
		group := ""
		for _, k := range kindTitles {
			if k.kind == def.Kind && s.operationOf(def) == "" {
				group = k.title
			}
		}
		r.pages[typePath(name)] = &referencePage{
			template: "type", title: name, section: section.Title, group: group,
			description: cut(p.Kind+" of the GraphQL API. "+strings.Join(strings.Fields(def.Description), " "), 160),
			body:        func() any { return s.page(name) },
		}
		e := searchEntry{Path: typePath(name), Title: name, Kind: p.Kind, text: def.Description}
		if s.operationOf(def) == "" {
			for _, f := range slices.Concat(p.Fields, p.Values) {
				e.Fields = append(e.Fields, f.Name)
			}
		}
		r.search = append(r.search, e)
	}
	r.nav = append(r.nav, section)
}

// Paths are the paths of all pages of the reference, for the sitemap.
func (d *Docs) Paths() []string {
	r, err := d.reference()
	if err != nil {
		return nil
	}
	return slices.Sorted(maps.Keys(r.pages))
}
