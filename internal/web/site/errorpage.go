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

// errorPage says why a page cannot be shown. Its title follows from the status if it has none.
type errorPage struct {
	layout
	Status     int
	Header     http.Header // of the response
	Text       string
	Candidates []link // that the user may have meant
	Near       []link // to what has a similar name
}

// link is a link with what tells it from others; UUID is set for a player.
type link struct{ Path, Text, Note, UUID string }

// errorTitles are the titles of statuses in words.
var errorTitles = map[int]string{
	http.StatusBadRequest:          "This address is not valid",
	http.StatusUnauthorized:        "Sign in again",
	http.StatusNotFound:            "Page not found",
	http.StatusTooManyRequests:     "One moment, please",
	http.StatusInternalServerError: "Something went wrong",
	http.StatusServiceUnavailable:  "Temporarily unavailable",
}

// errorTexts are the texts of codes that differ from the texts of other pages.
var errorTexts = map[graph.Code]string{
	graph.NotFound:                "Nothing found. Try a search:",
	graph.InvalidForm:             "A filter has a value that does not exist.",
	graph.MultipleObjectsReturned: "Several players have this name.",
}

func (r route) notFoundText(name string) string {
	switch {
	case name == "":
		return errorTexts[graph.NotFound]
	case r.noun == "":
		return fmt.Sprintf("Nothing found for “%s”. Try another search:", name)
	}
	return fmt.Sprintf("No %s named “%s”. Try a search:", r.noun, name)
}

func (s *Site) errorResponse(e *graph.Error) httpapi.Response { return s.renderError(newErrorPage(e)) }

// errorPage says why the page cannot be shown, with a link to it without parameters when one of them is wrong.
func (p *page) errorPage(e *graph.Error) errorPage {
	out := newErrorPage(e)
	path := p.path
	if out.Status == http.StatusNotFound && p.noun != "" {
		out.Title = capitalised(p.noun) + " not found"
	}
	if !strings.Contains(path, "{") && out.Status == http.StatusBadRequest && p.optional() {
		out.Candidates = append(out.Candidates, link{Path: path, Text: "Start again without filters"})
	}
	return out
}

func newErrorPage(e *graph.Error) errorPage {
	status, header, text := web.ErrorPage(e)
	if special := errorTexts[e.Code]; special != "" {
		text = special
	}
	p := errorPage{Status: status, Header: header, Text: text}
	if e.RetryAfter > 0 {
		p.Header.Set("Refresh", strconv.Itoa(e.RetryAfter))
		p.Text = "Too many new pages were requested from your address. This page reloads by itself in " +
			httpapi.Seconds(e.RetryAfter) + "."
	}
	for _, object := range e.Objects {
		p.Candidates = append(p.Candidates, candidate(object))
	}
	if len(p.Candidates) > 0 {
		p.Title = "Which " + p.Candidates[0].Text + "?"
	}
	return p
}

func capitalised(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// describe says of players with the same name what tells them apart, as far as the viewer may see it.
func (s *Site) describe(ctx context.Context, candidates []link) {
	var uuids []any
	for _, c := range candidates {
		if c.UUID != "" {
			uuids = append(uuids, c.UUID)
		}
	}
	if uuids == nil {
		return
	}
	data, _, bad := read[ComparePlayersPage](ctx, s, s.operations["ComparePlayersPage"], map[string]any{"uuids": uuids})
	if bad != nil {
		return
	}
	for i, c := range candidates {
		for _, p := range data.Players.Nodes {
			if p.UUID == c.UUID {
				candidates[i].Note = p.about()
			}
		}
	}
}

// about is the guild and the total level of a player, and when they were last seen.
func (p ComparedPlayer) about() string {
	var parts []string
	if p.GuildMembership != nil {
		parts = append(parts, p.GuildMembership.GuildName+" ["+p.GuildMembership.GuildPrefix+"]")
	}
	if p.Totals != nil {
		parts = append(parts, "level "+web.Number(p.Totals.TotalLevel))
	}
	if p.LastJoinedAt != nil {
		parts = append(parts, "last seen on "+p.LastJoinedAt.UTC().Format("2 January 2006"))
	}
	return strings.Join(parts, ", ")
}

// nearPrefix is how many letters begin a name in the search for similar ones.
const nearPrefix = 3

// near links to players and guilds with a name similar to one that was not found, and to other things that the errors
// of the operation suggest.
func (s *Site) near(ctx context.Context, p *page, name string, errors gqlerror.List) (out []link) {
	for _, e := range errors {
		for _, similar := range graph.ErrorOf(e).Suggestions {
			out = append(out, link{Path: web.Path(p.section()[1:], similar), Text: similar})
		}
	}
	if len([]rune(name)) < nearPrefix || p.noun != "" && p.noun != "player" && p.noun != "guild" {
		return out
	}
	for _, prefix := range likelyPrefixes(name) {
		data, _, bad := read[NearNames](ctx, s, s.operations["NearNames"], map[string]any{"prefix": prefix})
		if bad != nil {
			return out
		}
		found := map[string]link{}
		for _, g := range data.Guilds.Nodes {
			found[g.Name] = link{Path: web.Path("guilds", g.Name), Text: g.Name, Note: "guild"}
		}
		for _, p := range data.Players.Nodes {
			found[p.Username] = link{Path: web.Path("players", p.UUID), Text: p.Username, UUID: p.UUID}
		}
		for _, similar := range graph.SimilarNames(name, slices.Collect(maps.Keys(found))) {
			out = append(out, found[similar])
		}
		if len(out) > 0 {
			break
		}
	}
	return out
}

// likelyPrefixes returns what a mistyped name may begin with: its own first letters, then these with two exchanged,
// then with one left out.
func likelyPrefixes(name string) []string {
	letters := []rune(strings.ToLower(name))
	out := []string{string(letters[:nearPrefix])}
	add := func(prefix []rune) {
		if len(prefix) >= nearPrefix && !slices.Contains(out, string(prefix[:nearPrefix])) {
			out = append(out, string(prefix[:nearPrefix]))
		}
	}
	for i := 0; i < nearPrefix && i+1 < len(letters); i++ {
		exchanged := slices.Clone(letters)
		exchanged[i], exchanged[i+1] = letters[i+1], letters[i]
		add(exchanged)
	}
	for i := range nearPrefix {
		add(slices.Delete(slices.Clone(letters), i, i+1))
	}
	return out
}

func (s *Site) renderError(p errorPage) httpapi.Response {
	p.NoIndex = true
	p.Title = cmp.Or(p.Title, errorTitles[p.Status], http.StatusText(p.Status))
	a := s.renderTemplate(p.Status, "problem", p)
	maps.Copy(a.Header, p.Header)
	return a
}

// candidate links to one of several players with the same name.
func candidate(object any) link {
	var p struct{ UUID, Username string }
	text, err := json.Marshal(object)
	if err == nil {
		_ = json.Unmarshal(text, &p) // what cannot be read stays empty
	}
	return link{Path: web.Path("players", p.UUID), Text: p.Username, UUID: p.UUID}
}
