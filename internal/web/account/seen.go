package account

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/graph/viewer"
)

// seen is the page that shows a linked player as somebody else sees him.
type seen struct {
	Player player
	As     stranger
	Others []stranger // everybody whose view can be shown
	Fields []node
	Hidden []hiding
}

// stranger is whose view is shown.
type stranger struct {
	As, Name string
	Link     string
	viewer   viewer.Viewer
}

// hiding is one rule that took effect and where.
type hiding struct {
	rule
	Paths []string
}

// strangers are whose view of a player can be shown: a guest's, a friend's when the player names
// one, and that of each application which the user granted something.
func (v *visit) strangers(ctx context.Context, a *model.Account, p *model.Player) ([]stranger, error) {
	out := []stranger{{As: "guest", Name: "everybody", viewer: viewer.Viewer{Kind: viewer.Guest}}}
	friend, err := v.p.accounts.FriendOf(ctx, p, a.Profiles)
	if err != nil {
		return nil, err
	}
	if friend != nil {
		out = append(out, stranger{
			As: "friend", Name: "the friend " + friend.Username,
			viewer: viewer.Viewer{Kind: viewer.Session, Profiles: []string{friend.UUID}},
		})
	}
	grants, err := v.p.accounts.Grants(ctx, a.ID)
	if err != nil {
		return nil, err
	}
	for _, g := range grants {
		out = append(out, stranger{
			As: g.Application.ID, Name: "the application " + g.Application.Name,
			viewer: viewer.Viewer{
				Kind: viewer.OAuth, Account: a.ID, Profiles: a.Profiles, App: g.Application.ID,
				Scopes: slices.Sorted(slices.Values(g.Scopes)),
			},
		})
	}
	for i := range out {
		out[i].Link = seenAs + "?" + url.Values{"player": {p.UUID}, "as": {out[i].As}}.Encode()
	}
	return out, nil
}

// seenAs runs the operation that shows a player as whoever is chosen, on the executor that
// answers them: what the page hides is what they do not get.
func (p *Pages) seenAs(ctx context.Context, v *visit) {
	if !v.signedIn(home) {
		return
	}
	a, err := p.accounts.AccountByID(ctx, v.account)
	if err != nil {
		v.failed(ctx, err)
		return
	}
	found, err := p.accounts.LinkedPlayers(ctx, a)
	if err != nil {
		v.failed(ctx, err)
		return
	}
	query := v.r.URL.Query()
	at := slices.Index(a.Profiles, query.Get("player"))
	if at < 0 || found[at] == nil {
		v.problem(http.StatusNotFound, "The player is not linked to your account.")
		return
	}
	others, err := v.strangers(ctx, a, found[at])
	if err != nil {
		v.failed(ctx, err)
		return
	}
	who := slices.IndexFunc(others, func(s stranger) bool { return s.As == query.Get("as") })
	if who < 0 {
		v.problem(http.StatusNotFound, "There is nobody of that kind who could look at the player.")
		return
	}
	body := seen{Player: player{UUID: found[at].UUID, Name: found[at].Username}, As: others[who], Others: others}
	response := p.exec.Run(viewer.With(ctx, others[who].viewer), p.operations["Seen"],
		map[string]any{"uuid": body.Player.UUID})
	if len(response.Errors) > 0 {
		v.failed(ctx, graph.ErrorOf(response.Errors[0]))
		return
	}
	if err := body.read(response.Data, response.Restrictions()); err != nil {
		v.failed(ctx, err)
		return
	}
	v.write(http.StatusOK, "seen", page{Title: body.Player.Name + " as seen by " + body.As.Name, Name: a.Name, Body: body})
}

// read takes what the answer shows, and what it does not and why.
func (s *seen) read(data []byte, restrictions []graph.Restriction) error {
	hidden := map[string][]rule{}
	for _, r := range restrictions {
		path, one := strings.TrimPrefix(r.Path.String(), "player."), rule{Name: r.Rule, Scope: r.Scope != nil}
		hidden[path] = append(hidden[path], one)
		at := slices.IndexFunc(s.Hidden, func(h hiding) bool { return h.rule == one })
		if at < 0 {
			at = len(s.Hidden)
			s.Hidden = append(s.Hidden, hiding{rule: one})
		}
		s.Hidden[at].Paths = append(s.Hidden[at].Paths, path)
	}
	var answer map[string]json.RawMessage
	if err := json.Unmarshal(data, &answer); err != nil {
		return err
	}
	tree, err := readTree(answer["player"], hidden)
	s.Fields = tree.Below
	return err
}
