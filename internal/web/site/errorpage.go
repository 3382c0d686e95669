package site

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"gamedata/graph"
	"gamedata/internal/httpapi"
	"gamedata/internal/web"
)

// errorPage says why a page cannot be shown. Title and text follow from the error unless they are set.
type errorPage struct {
	layout
	Status     int
	Text       string
	Candidates []link // pages that the user may have meant
	Near       []link // pages with similar names

	err    *graph.Error
	header http.Header // of the response
	tags   []string    // of the data behind candidates and similar names
}

// link is a link with a note that distinguishes it from others; UUID is set for a player.
type link struct{ Path, Text, Note, UUID string }

// errorTexts maps codes to texts that differ from other pages.
var errorTexts = map[graph.Code]string{
	graph.NotFound:                "Nothing found. Try a search:",
	graph.InvalidForm:             "A filter has a value that does not exist.",
	graph.MultipleObjectsReturned: "Several players have this name.",
}

func newErrorPage(e *graph.Error) *errorPage {
	p := &errorPage{err: e}
	p.Status, p.header, p.Text = web.ErrorPage(e)
	p.Text = cmp.Or(errorTexts[e.Code], p.Text)
	if seconds, err := strconv.Atoi(p.header.Get("Retry-After")); err == nil {
		p.header.Set("Refresh", strconv.Itoa(seconds))
		reason := "Too many new pages were requested from your address."
		if p.Status == http.StatusServiceUnavailable {
			reason = "The service is temporarily unavailable."
		}
		p.Text = reason + " This page reloads by itself in " + httpapi.Seconds(seconds) + "."
	}
	for _, object := range e.Objects {
		p.Candidates = append(p.Candidates, candidate(object))
	}
	if len(p.Candidates) > 0 {
		p.Title = "Which " + p.Candidates[0].Text + "?"
	}
	return p
}

// errorWith returns the page of an error with a title, a text and links that the user may have meant.
func errorWith(e *graph.Error, title, text string, candidates ...link) *errorPage {
	p := newErrorPage(e)
	p.Title, p.Text, p.Candidates = title, text, candidates
	return p
}

func (s *Site) errorResponse(e *graph.Error) httpapi.Response { return s.renderError(newErrorPage(e)) }

// notFound returns the error page for a name that does not exist; name is empty if unknown.
func (r route) notFound(name string) *errorPage {
	p := newErrorPage(graph.ErrNotFound)
	if r.noun != "" {
		p.Title = web.Label(r.noun) + " not found"
	}
	switch {
	case name == "":
	case r.noun == "":
		p.Title = "Nothing found"
		p.Text = fmt.Sprintf("Nothing has a name like “%s”. Try another search:", name)
	default:
		p.Text = fmt.Sprintf("No %s named “%s”. Try a search:", r.noun, name)
	}
	p.Search = name
	return p
}

// addHints adds hints to an error page: similar names, notes that distinguish candidates, and a link to the page
// without parameters when a parameter is wrong.
func (s *Site) addHints(ctx context.Context, p *page, e *errorPage, req request, errors gqlerror.List) *errorPage {
	name := p.searchTerm(req.variables)
	switch {
	case e.Status == http.StatusNotFound && e.Title == "":
		err := e.err
		e = p.notFound(name)
		e.err = err
		e.Near, e.tags = s.near(ctx, p, name, errors)
	case e.Status == http.StatusMultipleChoices:
		e.tags = s.describe(ctx, e.Candidates)
		if _, below, _ := strings.Cut(p.path, "{username}"); !strings.Contains(below, "{") {
			if len(req.query) > 0 {
				below += "?" + req.query.Encode()
			}
			for i := range e.Candidates {
				e.Candidates[i].Path += below
			}
		}
	case e.Status == http.StatusBadRequest && !strings.Contains(p.path, "{") && p.optional():
		e.Candidates = append(e.Candidates, link{Path: p.path, Text: "Start again without filters"})
	}
	e.Search = name
	return e
}

// describe adds notes that distinguish players with the same name, as far as the viewer may see them. It returns the
// tags of the data it read.
func (s *Site) describe(ctx context.Context, candidates []link) []string {
	var uuids []any
	for _, c := range candidates {
		if c.UUID != "" {
			uuids = append(uuids, c.UUID)
		}
	}
	if uuids == nil {
		return nil
	}
	data, r, bad := read[ComparePlayersPage](ctx, s, s.operations["ComparePlayersPage"], map[string]any{"uuids": uuids})
	if bad != nil {
		return nil
	}
	for i, c := range candidates {
		for _, p := range data.Players.Nodes {
			if p.UUID == c.UUID {
				candidates[i].Note = p.about()
			}
		}
	}
	return r.Tags
}

// about returns the guild and the total level of a player, and when they were last seen.
func (p ComparedPlayer) about() string {
	var parts []string
	if p.GuildMembership != nil {
		parts = append(parts, p.GuildMembership.GuildName+" ["+p.GuildMembership.GuildPrefix+"]")
	}
	if p.Totals != nil {
		parts = append(parts, "level "+web.Number(p.Totals.TotalLevel))
	}
	if p.LastJoinedAt != nil {
		parts = append(parts, "last seen on "+web.Day(*p.LastJoinedAt))
	}
	return strings.Join(parts, ", ")
}

// nearPrefix is how many first letters the search for similar names compares.
const nearPrefix = 3

// near links to players and guilds whose names resemble a missing name, and to suggestions in the errors of the
// operation. It returns the tags of the data it read.
func (s *Site) near(ctx context.Context, p *page, name string, errors gqlerror.List) (out []link, tags []string) {
	for _, e := range errors {
		for _, similar := range graph.ErrorOf(e).Suggestions {
			out = append(out, link{Path: web.Path(p.section()[1:], similar), Text: similar})
		}
	}
	if len([]rune(name)) < nearPrefix || p.noun != "" && p.noun != "player" && p.noun != "guild" {
		return out, tags
	}
	wrong, missing := misspellings(name)
	variables := map[string]any{"prefix": string([]rune(name)[:nearPrefix]), "wrong": wrong, "missing": missing}
	if d, r, bad := read[NearNames](ctx, s, s.operations["NearNames"], variables); bad == nil {
		guilds := slices.Concat(d.Guilds.Nodes, d.GuildsWrong.Nodes, d.GuildsMissing.Nodes)
		players := slices.Concat(d.Players.Nodes, d.PlayersWrong.Nodes, d.PlayersMissing.Nodes)
		out, tags = append(out, similarNames(name, guilds, players)...), r.Tags
	}
	return out, tags
}

// similarNames links to the guilds and players whose names resemble a name or begin with similar words.
func similarNames(name string, guilds []GuildName, players []NearPlayer) (out []link) {
	found := map[string]link{}
	for _, g := range guilds {
		words := strings.Fields(g.Name)
		l := link{Path: web.Path("guilds", g.Name), Text: g.Name, Note: "guild"}
		found[strings.Join(words[:min(len(strings.Fields(name)), len(words))], " ")], found[g.Name] = l, l
	}
	for _, p := range players {
		found[p.Username] = link{Path: web.Path("players", p.UUID), Text: p.Username, UUID: p.UUID}
	}
	for _, similar := range graph.SimilarNames(name, slices.Collect(maps.Keys(found))) {
		if l := found[similar]; !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	return out
}

// misspellings returns corrections of a typing error in the first letters of a name: wrong covers a letter that is
// wrong, superfluous or swapped with the next, missing a letter that was left out. Each list has at most 100 names, the
// limit of the filters.
func misspellings(name string) (wrong, missing []string) {
	letters := []rune(strings.ToLower(name))
	for i := range nearPrefix {
		before, at, after := string(letters[:i]), string(letters[i]), string(letters[i+1:])
		wrong = append(wrong, before+after)
		if next := i + 1; next < len(letters) {
			wrong = append(wrong, before+string(letters[next])+at+string(letters[next+1:]))
		}
		for _, letter := range "abcdefghijklmnopqrstuvwxyz_ " {
			wrong = append(wrong, before+string(letter)+after)
			missing = append(missing, before+string(letter)+at+after)
		}
	}
	return wrong, missing
}

func (s *Site) renderError(p *errorPage) httpapi.Response {
	p.NoIndex = true
	p.Title = cmp.Or(p.Title, web.ErrorTitle(p.Status))
	out := s.renderTemplate(p.Status, "problem", p)
	maps.Copy(out.Header, p.header)
	return out
}

// candidate links to one of several players with the same name.
func candidate(object any) link {
	var p struct{ UUID, Username string }
	text, err := json.Marshal(object)
	if err == nil {
		_ = json.Unmarshal(text, &p) // unreadable fields stay empty
	}
	return link{Path: web.Path("players", p.UUID), Text: p.Username, UUID: p.UUID}
}
