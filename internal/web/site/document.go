package site

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/xml"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gorilla/mux"

	"gamedata/graph"
	"gamedata/internal/httpapi"
	"gamedata/internal/web"
)

// registerDocuments adds the documents that crawlers, feed readers and browsers fetch: robots.txt, the sitemap, the
// news feed, the search description and the web manifest.
func (s *Site) registerDocuments(router *mux.Router, middleware func(http.Handler) http.Handler) {
	add := func(path, name string, age time.Duration, make func(*http.Request) func(context.Context) httpapi.Response) {
		router.Handle(path, middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			s.serveDocument(w, r, path, name, age, make(r))
		})))
	}
	for path, contentType := range map[string]string{
		"/robots.txt": "text/plain; charset=utf-8", "/opensearch.xml": "application/opensearchdescription+xml",
		"/manifest.webmanifest": "application/manifest+json",
	} {
		name, _, _ := strings.Cut(path[1:], ".")
		add(path, name, time.Hour, func(*http.Request) func(context.Context) httpapi.Response {
			return func(context.Context) httpapi.Response {
				return s.renderDocument(contentType, name, s.o.Origin, graph.Response{})
			}
		})
	}
	add(atomPath, "feed", s.news.op.Policy.MaxAge, func(*http.Request) func(context.Context) httpapi.Response {
		return s.feed
	})
	sitemap := func(r *http.Request) func(context.Context) httpapi.Response {
		file, _ := strconv.Atoi(mux.Vars(r)["file"]) // 0 for the path without one
		return func(ctx context.Context) httpapi.Response { return s.sitemap(ctx, file) }
	}
	add(sitemapPath, "sitemap", time.Hour, sitemap)
	add("/sitemap-{file:[1-9][0-9]{0,3}}.xml", "sitemap", time.Hour, sitemap)
}

// serveDocument serves GET and HEAD of a document that is the same for all callers. A request costs 1 in the bucket
// SHARED.
func (s *Site) serveDocument(w http.ResponseWriter, r *http.Request, path, name string, age time.Duration,
	run func(context.Context) httpapi.Response,
) {
	httpapi.SetRoute(r.Context(), httpapi.APIOther, path, name)
	if !s.api.AllowsMethod(w, r, httpapi.Shared, allow) || !s.api.Limits.Authorize(w, r, httpapi.Shared, 1) {
		return
	}
	s.api.Cache.Serve(w, r, httpapi.CacheRequest{
		Key: "document " + r.URL.Path, MaxAge: age, Scope: graph.Shared, Source: httpapi.SourceGraphQL,
	}, func(ctx context.Context) httpapi.Response {
		out := run(ctx)
		if out.Status == http.StatusOK {
			out.MaxAge, out.Scope = age, graph.Shared
		}
		return out
	})
}

//go:embed documents.tmpl
var documents string

var documentTemplates = template.Must(template.New("").Funcs(template.FuncMap{
	"rfc3339": func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
}).Parse(documents))

// renderDocument renders a document from the data of a response.
func (s *Site) renderDocument(contentType, name string, data any, r graph.Response) httpapi.Response {
	var body bytes.Buffer
	if strings.Contains(contentType, "xml") {
		body.WriteString(xml.Header) // in a template its "<" would be escaped
	}
	if err := documentTemplates.ExecuteTemplate(&body, name, data); err != nil {
		s.o.Log.Error("rendering document failed", "document", name, "error", err)
		return s.api.Errors.Response(graph.ErrInternal)
	}
	header := http.Header{"Content-Type": {contentType}, "Content-Security-Policy": {web.PagePolicy}}
	out := httpapi.Response{Status: http.StatusOK, Body: web.Text(body.Bytes()), Header: header}
	out.Made, out.Source, out.Store, out.Tags = r.Made, r.Source, r.Store, r.Tags
	return out
}

func read[T any](ctx context.Context, s *Site, op web.Operation, variables map[string]any) (
	*T, graph.Response, *graph.Error,
) {
	r, data := s.exec.Run(ctx, op.Operation, variables), new(T)
	if len(r.Errors) > 0 {
		return nil, r, graph.ErrorOf(r.Errors[0])
	}
	return data, r, s.decode(op.Name, r.Data, data)
}

const (
	atomPath = "/news.atom"
	atomType = "application/atom+xml; charset=utf-8"
	// feedEntries is the number of articles in the feed.
	feedEntries = 50
	// feedSource is how many articles the feed chooses from, since pinned ones come before newer ones.
	feedSource = 1000
)

func (s *Site) feed(ctx context.Context) httpapi.Response {
	data, r, bad := read[NewsPage](ctx, s, s.news.op, map[string]any{firstVariable: feedSource})
	if bad != nil {
		return s.api.Errors.Response(bad)
	}
	return s.renderDocument(atomType, "atom", newFeed(s.o.Origin, data.Articles.Nodes), r)
}

// atomFeed lists the newest articles first.
type atomFeed struct {
	Origin, Updated string
	Articles        []ArticleRow
}

// newFeed returns the newest articles as a feed. Articles do not record their last change, so both times are the time
// of publication. A feed without articles gets the oldest possible time.
func newFeed[T interface{ row() ArticleRow }](origin string, articles []T) atomFeed {
	feed := atomFeed{Origin: origin, Updated: time.Unix(0, 0).UTC().Format(time.RFC3339)}
	for _, a := range articles {
		feed.Articles = append(feed.Articles, a.row())
	}
	slices.SortFunc(feed.Articles, newer)
	feed.Articles = feed.Articles[:min(feedEntries, len(feed.Articles))]
	if len(feed.Articles) > 0 {
		feed.Updated = feed.Articles[0].PublishedAt.UTC().Format(time.RFC3339)
	}
	return feed
}

func (s *Site) sitemap(ctx context.Context, file int) httpapi.Response {
	all, r, bad := read[Sitemap](ctx, s, s.sitemapOp, nil)
	for page := all; bad == nil && page.Guilds.PageInfo.HasNextPage; {
		page, _, bad = read[Sitemap](ctx, s, s.sitemapOp, map[string]any{"after": *page.Guilds.PageInfo.EndCursor})
		if bad == nil {
			all.Guilds.Nodes = append(all.Guilds.Nodes, page.Guilds.Nodes...)
		}
	}
	if bad != nil {
		return s.api.Errors.Response(bad)
	}
	entries := all.entries(s.o.Origin)
	if s.o.Documented != nil {
		for _, path := range s.o.Documented() {
			entries = append(entries, sitemapEntry{Location: s.o.Origin + path})
		}
	}
	name, listed := sitemapFile(s.o.Origin, entries, file, sitemapURLs)
	if listed == nil {
		return s.api.Errors.Response(graph.ErrNotFound)
	}
	return s.renderDocument(sitemapType, name, listed, r)
}
