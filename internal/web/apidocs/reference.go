package apidocs

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"gamedata/graph"
	"gamedata/internal/httpapi"
	"gamedata/internal/web"
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
	search []searchEntry
	index  httpapi.Response // of searchIndexPath
}

// Parts of the navigation.
const (
	guidesSection = "Guides"
	restSection   = "REST"
)

// referencePage is a page of the reference. Its body is made for each request.
type referencePage struct {
	template, title, description string
	// section and group say which part of the navigation is open.
	section, group string
	body           func() any
}

// navSection is a part of the side navigation: guides, REST or GraphQL. Its links come before its groups.
type navSection struct {
	Title, Path string
	Links       []navLink
	Groups      []navGroup
	Open        bool
}

// navGroup has the links of a group of pages. Path is where a list of them is.
type navGroup struct {
	Title, Path string
	Links       []navLink
	Open        bool
}

type navLink struct {
	Path, Text, Method string
	Current            bool
}

// HTML is the text of the link. A path can break after each of its parts.
func (l navLink) HTML() template.HTML {
	return template.HTML(strings.ReplaceAll(template.HTMLEscapeString(l.Text), "/", "/<wbr>")) //nolint:gosec // escaped
}

// referenceView is what the template of a page shows.
type referenceView struct {
	web.Layout
	Nav    []navSection
	Crumbs []docLink
	Body   any
}

// makeReference makes all pages.
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
	r := &reference{pages: map[string]*referencePage{}}
	r.addGuides(guides)
	r.addREST(d.restIndex(s, groups))
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

// guideView is a guide with its neighbours.
type guideView struct {
	*guide
	Previous, Next *docLink
}

// cut shortens a text of more than limit bytes: after a word, or inside one that is longer.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	text = text[:limit]
	if space := strings.LastIndexByte(text, ' '); space > 0 {
		return text[:space] + " …"
	}
	return strings.ToValidUTF8(text, "") + "…"
}

func (r *reference) addREST(index *restIndex) {
	section := navSection{Title: restSection, Path: RESTPath, Links: []navLink{
		{Path: RESTPath, Text: "Overview"}, {Path: CompatibilityPath, Text: "Conformance cases"},
	}}
	r.pages[RESTPath] = &referencePage{
		template: "rest-index", title: "REST reference", section: section.Title,
		description: fmt.Sprintf("The %d endpoints of the REST API, with what they share: headers, errors and credentials.",
			index.Count),
		body: func() any { return index },
	}
	r.search = append(r.search, searchEntry{Path: RESTPath, Title: "REST reference", Kind: "REST"})
	for _, group := range index.Groups {
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
		for _, t := range kind.Types {
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

// navigation is the side navigation of a page: its section and group are open.
func (r *reference) navigation(path string, p *referencePage) []navSection {
	out := slices.Clone(r.nav)
	for i := range out {
		section := &out[i]
		section.Open = section.Title == p.section
		section.Groups = slices.Clone(section.Groups)
		for j := range section.Groups {
			group := &section.Groups[j]
			group.Open = section.Open && group.Title == p.group
			if group.Path != "" && !group.Open {
				group.Links = nil // the schema is large: other groups link to their list
			}
			group.Links = markCurrent(group.Links, path)
		}
		section.Links = markCurrent(section.Links, path)
	}
	return out
}

func markCurrent(links []navLink, path string) []navLink {
	links = slices.Clone(links)
	for i := range links {
		links[i].Current = links[i].Path == path
	}
	return links
}

// framed renders a page of another path in the frame of the reference.
func (d *Docs) framed(name string, p *referencePage) httpapi.Response {
	r, err := d.reference()
	if err != nil {
		d.o.Log.Error("rendering documentation failed", "page", name, "error", err)
		return d.api.Errors.Response(graph.ErrInternal)
	}
	p.template = name
	view := d.view(r, "", p)
	view.Address, view.Body = "", p.body()
	return d.render(name, view)
}

// Paths are the paths of all pages of the reference, for the sitemap.
func (d *Docs) Paths() []string {
	r, err := d.reference()
	if err != nil {
		return nil
	}
	return slices.Sorted(maps.Keys(r.pages))
}

// referenceResponse returns a page of the reference, or the page that says that there is none.
func (d *Docs) referenceResponse(request *http.Request) httpapi.Response {
	r, err := d.reference()
	if err != nil {
		d.o.Log.Error("rendering documentation failed", "path", ReferencePath, "error", err)
		return d.api.Errors.Response(graph.ErrInternal)
	}
	path := request.URL.Path
	if trimmed := strings.TrimRight(path, "/"); trimmed != path || path+"/" == GuidesPath {
		if path+"/" == GuidesPath {
			trimmed = ReferencePath
		}
		return httpapi.Response{Status: http.StatusSeeOther, Header: http.Header{"Location": {cmp.Or(trimmed, "/")}}}
	}
	switch path {
	case searchIndexPath:
		return r.index
	case searchPath:
		return d.searchResponse(r, request.URL.Query().Get("q"))
	}
	p := r.pages[path]
	if p == nil {
		return d.notFound(r)
	}
	view := d.view(r, path, p)
	view.Body = p.body()
	return d.render(p.template, view)
}

// view is the frame of a page.
func (d *Docs) view(r *reference, path string, p *referencePage) *referenceView {
	v := &referenceView{Nav: r.navigation(path, p)}
	v.Title, v.Description, v.Address, v.Active = p.title, p.description, d.o.Origin+path, ReferencePath
	v.Scripts = []string{"reference.js"}
	if path == ReferencePath {
		return v
	}
	v.Crumbs = []docLink{{ReferencePath, "Docs"}}
	for _, section := range v.Nav {
		if section.Open && section.Path != ReferencePath && section.Path != path {
			v.Crumbs = append(v.Crumbs, docLink{section.Path, section.Title})
		}
	}
	return v
}

func (d *Docs) render(name string, view *referenceView) httpapi.Response {
	response, err := d.page(name, view)
	if err != nil {
		d.o.Log.Error("rendering documentation failed", "path", view.Address, "error", err)
		return d.api.Errors.Response(graph.ErrInternal)
	}
	return response
}

func (d *Docs) searchResponse(r *reference, query string) httpapi.Response {
	p := &referencePage{title: "Search"}
	if query = strings.TrimSpace(query); query != "" {
		p.title = "Search: " + cut(query, 60)
	}
	view := d.view(r, searchPath, p)
	view.NoIndex, view.Address = true, ""
	found := findPages(r.search, query)
	view.Body = struct {
		Query string
		Found []searchEntry
		More  bool
	}{query, found[:min(len(found), maxFound)], len(found) > maxFound}
	response := d.render("search", view)
	response.MaxAge = 0
	return response
}

// notFound is the page of a path that has none.
func (d *Docs) notFound(r *reference) httpapi.Response {
	view := d.view(r, searchPath, &referencePage{title: "Not found"})
	view.NoIndex, view.Address = true, ""
	response := d.render("no-page", view)
	response.Status, response.MaxAge = http.StatusNotFound, 0
	return response
}

// problem returns the page that says why an endpoint cannot be explained.
func (d *Docs) problem(bad *graph.Error) httpapi.Response {
	status, header, text := web.ErrorPage(bad)
	if bad.Code == graph.NotFound {
		text = "There is no such endpoint."
	}
	response := d.framed("no-explanation", &referencePage{
		title: http.StatusText(status), section: restSection, body: func() any { return text },
	})
	maps.Copy(response.Header, header)
	response.Status, response.MaxAge = status, 0
	return response
}

// searchEntry is an entry of the search index: a page, a section of a guide, or a type with its fields.
type searchEntry struct {
	Path, Title, Kind string
	Fields            []string
	text              string // that a search on the server considers, too
}

// MarshalJSON writes [path, title, kind] and, of a type, its fields.
func (e searchEntry) MarshalJSON() ([]byte, error) {
	out := []any{e.Path, e.Title, e.Kind}
	if len(e.Fields) > 0 {
		out = append(out, e.Fields)
	}
	return json.Marshal(out)
}

func searchIndex(entries []searchEntry) (httpapi.Response, error) {
	body, err := json.Marshal(entries)
	return staticResponse(body, "application/json").Precompute(), err
}

// maxFound is how many results the page of a search shows.
const maxFound = 50

// findPages returns the entries that match all words of a query, the best first.
func findPages(entries []searchEntry, query string) []searchEntry {
	words := strings.Fields(strings.ToLower(query))
	if len(words) == 0 || len(query) > 200 {
		return nil
	}
	type scored struct {
		searchEntry
		score int
	}
	var found []scored
	for _, e := range entries {
		if n := matchScore(e.Title, e.Kind+" "+e.text, words); n > 0 {
			found = append(found, scored{e, n})
		}
		for _, field := range e.Fields {
			if n := matchScore(e.Title+"."+field, "", words); n > 0 {
				found = append(found, scored{searchEntry{
					Path: e.Path + "#" + fieldID(field), Title: e.Title + "." + field, Kind: "Field",
				}, n})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int { return b.score - a.score })
	var out []searchEntry
	for _, f := range found {
		out = append(out, f.searchEntry)
	}
	return out
}

// matchScore is higher the better a title matches all words; 0 if a word is neither in the title nor in the text.
func matchScore(title, text string, words []string) int {
	title, text = strings.ToLower(title), strings.ToLower(text)
	score := 1
	if phrase := strings.Join(words, " "); len(words) > 1 && strings.Contains(title, phrase) {
		score += 50 - min(40, len(title)-len(phrase))
	}
	for _, word := range words {
		switch at := strings.Index(title, word); {
		case title == word:
			score += 100
		case at == 0:
			score += 50 - min(40, len(title)-len(word))
		case at > 0 && !letter(title[at-1]):
			score += 25 - min(20, (len(title)-len(word))/2)
		case at > 0:
			score += 5
		case strings.Contains(text, word):
			score++
		default:
			return 0
		}
	}
	return score
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }
