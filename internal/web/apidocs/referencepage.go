package apidocs

import (
	"cmp"
	"net/http"
	"strings"

	"gamedata/graph"
	"gamedata/internal/httpapi"
	"gamedata/internal/web"
)

// referencePage is a page of the reference. Its body is rendered for each request.
type referencePage struct {
	template, title, description string
	// section and group name the open part of the navigation.
	section, group string
	body           func() any
}

type referenceView struct {
	web.Layout
	Nav []navSection
	// Path, Section and Group name the open part of the navigation.
	Path, Section, Group string

	Crumbs []docLink
	Body   any
}

// referenceResponse returns a page of the reference, or the 404 page.
func (d *Docs) referenceResponse(request *http.Request) httpapi.Response {
	r, path := d.reference(), request.URL.Path
	if trimmed := strings.TrimRight(path, "/"); trimmed != path || path+"/" == GuidesPath {
		if path+"/" == GuidesPath {
			trimmed = ReferencePath
		}
		return httpapi.Response{Status: http.StatusSeeOther, Header: http.Header{"Location": {cmp.Or(trimmed, "/")}}}
	}
	if path == searchPath {
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

func (d *Docs) view(r *reference, path string, p *referencePage) *referenceView {
	v := &referenceView{Nav: r.nav, Path: path, Section: p.section, Group: p.group}
	v.Title, v.Description, v.Address, v.Active = p.title, p.description, d.o.Origin+path, ReferencePath
	v.Scripts = []string{"reference.js"}
	if path == ReferencePath {
		return v
	}
	v.Crumbs = []docLink{{ReferencePath, "Docs"}}
	for _, section := range v.Nav {
		if section.Title == p.section && section.Path != ReferencePath && section.Path != path {
			v.Crumbs = append(v.Crumbs, docLink{section.Path, section.Title})
		}
	}
	return v
}

func (d *Docs) render(name string, view *referenceView) httpapi.Response {
	body, err := d.templates.Render(name, view)
	if err != nil {
		return d.failed(name, err)
	}
	header := http.Header{"Vary": variesByAccept}
	web.SetPageHeaders(header)
	return httpapi.Response{Body: body, MaxAge: maxAge, Scope: graph.Shared, Header: header}
}

func (d *Docs) notFound(r *reference) httpapi.Response {
	view := d.view(r, searchPath, &referencePage{title: "Not found"})
	view.NoIndex, view.Address = true, ""
	response := d.render("no-page", view)
	response.Status, response.MaxAge = http.StatusNotFound, 0
	return response
}
