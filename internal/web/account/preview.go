package account

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/internal/web"
)

// preview is the page that shows a linked player as another viewer sees it.
type preview struct {
	Player    player
	Observer  observer
	Observers []observer // whose view can be shown
	Fields    []field
	Hidden    []hiddenFields
}

// observer is a viewer whose view can be shown.
type observer struct {
	Key, Name string
	Link      string
	viewer    viewer.Viewer
}

// rule is an access rule that hides something, and whether a scope of its name grants access.
type rule struct {
	Name  string
	Scope bool
}

// hiddenFields are the paths of the fields that a rule hides.
type hiddenFields struct {
	rule
	Paths []string
}

// field is a value of a response, in its order.
type field struct {
	Name string
	// Text is a scalar; empty for a list or an object.
	Text     string
	Children []field
	// HiddenBy are the rules that hide the value.
	HiddenBy []rule
}

// observers returns whose view of a player can be shown: a guest's, a friend's if the player has
// one, and that of each application with a grant of the account.
func (q *request) observers(ctx context.Context, a *model.Account, p *model.Player) ([]observer, error) {
	out := []observer{{Key: "guest", Name: "everybody", viewer: viewer.Viewer{Kind: viewer.Guest}}}
	friend, err := q.pages.accounts.FriendOf(ctx, p, a.Profiles)
	if err != nil {
		return nil, err
	}
	if friend != nil {
		out = append(out, observer{
			Key: "friend", Name: "the friend " + friend.Username,
			viewer: viewer.Viewer{Kind: viewer.Session, Profiles: []string{friend.UUID}},
		})
	}
	grants, err := q.pages.accounts.Grants(ctx, a.ID)
	if err != nil {
		return nil, err
	}
	for _, g := range grants {
		out = append(out, observer{
			Key: g.Application.ClientID, Name: "the application " + g.Application.Name,
			viewer: viewer.Viewer{
				Kind: viewer.OAuth, Account: a.ID, Profiles: a.Profiles, App: g.Application.ClientID,
				Scopes: slices.Sorted(slices.Values(g.Scopes)),
			},
		})
	}
	for i := range out {
		out[i].Link = previewPath + "?" + url.Values{"player": {p.UUID}, "as": {out[i].Key}}.Encode()
	}
	return out, nil
}

// preview runs an operation about a player with the viewer of the chosen observer: the page shows
// exactly what that observer gets.
func (p *Pages) preview(ctx context.Context, q *request) {
	if !q.requireSession(accountPath) {
		return
	}
	a, err := p.accounts.AccountByID(ctx, q.account)
	if err != nil {
		q.failed(ctx, err)
		return
	}
	found, err := p.accounts.LinkedPlayers(ctx, a)
	if err != nil {
		q.failed(ctx, err)
		return
	}
	query := q.r.URL.Query()
	at := slices.Index(a.Profiles, query.Get("player"))
	if at < 0 || found[at] == nil {
		q.errorPage(http.StatusNotFound, "This player is not linked to your account.")
		return
	}
	observers, err := q.observers(ctx, a, found[at])
	if err != nil {
		q.failed(ctx, err)
		return
	}
	chosen := slices.IndexFunc(observers, func(o observer) bool { return o.Key == query.Get("as") })
	if chosen < 0 {
		q.errorPage(http.StatusNotFound, "Unknown viewer.")
		return
	}
	body := preview{
		Player:   player{UUID: found[at].UUID, Name: found[at].Username},
		Observer: observers[chosen], Observers: observers,
	}
	ctx = viewer.With(ctx, body.Observer.viewer)
	response := p.exec.Run(ctx, p.operations["PlayerPreview"].Operation, map[string]any{"uuid": body.Player.UUID})
	if len(response.Errors) > 0 {
		q.failed(ctx, graph.ErrorOf(response.Errors[0]))
		return
	}
	if err := body.read(response.Data, response.Restrictions()); err != nil {
		q.failed(ctx, err)
		return
	}
	if bad := p.addLocation(ctx, &body); bad != nil {
		q.failed(ctx, bad)
		return
	}
	q.render(http.StatusOK, "preview", page{
		Layout: web.Layout{Title: body.Player.Name + " as seen by " + body.Observer.Name}, Name: a.Name, Body: body,
	})
}

// addLocation adds where the player is, as the observer in ctx gets it: an application for the linked players of its
// user, a friend for those on the same world.
func (p *Pages) addLocation(ctx context.Context, body *preview) *graph.Error {
	type place struct {
		UUID     string
		Position struct{ X, Y, Z json.Number }
	}
	var found struct {
		PlayerLocations []struct {
			place
			Friends, Party, Guild []place
		}
	}
	if bad := p.run(ctx, "LocationPreview", nil, &found); bad != nil {
		return bad
	}
	var places []place
	for _, l := range found.PlayerLocations {
		places = slices.Concat(places, []place{l.place}, l.Friends, l.Party, l.Guild)
	}
	location := field{Name: "location", Text: "–"}
	if at := slices.IndexFunc(places, func(l place) bool { return l.UUID == body.Player.UUID }); at >= 0 {
		l := places[at].Position
		location = field{Name: location.Name, Text: fmt.Sprintf("%s, %s, %s", l.X, l.Y, l.Z)}
	} else if online := slices.IndexFunc(body.Fields, func(f field) bool { return f.Name == "online" }); online >= 0 {
		location.HiddenBy = body.Fields[online].HiddenBy
	}
	body.Fields = append(body.Fields, location)
	for i := range body.Hidden {
		if h := &body.Hidden[i]; slices.Contains(location.HiddenBy, h.rule) {
			h.Paths = append(h.Paths, location.Name)
		}
	}
	return nil
}

// read sets the fields that a response shows, and those that rules hide.
func (p *preview) read(data []byte, restrictions []graph.Restriction) error {
	hiddenBy := map[string][]rule{}
	for _, r := range restrictions {
		path, by := strings.TrimPrefix(r.Path.String(), "player."), rule{Name: r.Rule, Scope: r.Scope != nil}
		hiddenBy[path] = append(hiddenBy[path], by)
		at := slices.IndexFunc(p.Hidden, func(h hiddenFields) bool { return h.rule == by })
		if at < 0 {
			at = len(p.Hidden)
			p.Hidden = append(p.Hidden, hiddenFields{rule: by})
		}
		p.Hidden[at].Paths = append(p.Hidden[at].Paths, path)
	}
	var body struct{ Player json.RawMessage }
	if err := json.Unmarshal(data, &body); err != nil {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(body.Player))
	dec.UseNumber()
	root, err := readField(dec, "", hiddenBy)
	p.Fields = root.Children
	return err
}

// readField reads one JSON value at a path.
func readField(dec *json.Decoder, path string, hiddenBy map[string][]rule) (field, error) {
	out := field{HiddenBy: hiddenBy[strings.TrimPrefix(path, ".")]}
	t, err := dec.Token()
	if err != nil {
		return out, err
	}
	open, nested := t.(json.Delim)
	if !nested {
		if out.Text = "–"; t != nil {
			out.Text = fmt.Sprint(t)
		}
		return out, nil
	}
	for i := 0; dec.More(); i++ {
		name, step := fmt.Sprint(i+1), fmt.Sprintf("[%d]", i)
		if open == '{' {
			key, err := dec.Token()
			if err != nil {
				return out, err
			}
			name, step = fmt.Sprint(key), fmt.Sprintf(".%v", key)
		}
		child, err := readField(dec, path+step, hiddenBy)
		if err != nil {
			return out, err
		}
		child.Name = name
		out.Children = append(out.Children, child)
	}
	if _, err := dec.Token(); err != nil {
		return out, err
	}
	if out.Children == nil {
		out.Text = "none"
	}
	return out, nil
}
