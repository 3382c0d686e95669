package account

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
)

// confirmation is a page on which a user confirms a deletion or the end of a session.
type confirmation struct {
	Title, Button string
	Effects       []string
	Action        string // path of the form
	Field, Value  string // its hidden field; empty if it has none
	Password      bool   // whether the user must type it
	Back          string
}

//go:embed confirmations.json
var confirmationTexts string

// confirmation returns the confirmation page for the form at path and the object with an id; nil when the account has
// no such object.
func (c *contents) confirmation(path, id string) (*confirmation, error) {
	name, found := c.names(path)[id]
	texts := map[string]*confirmation{}
	err := json.Unmarshal([]byte(confirmationTexts), &texts)
	page := texts[path]
	if err != nil || page.Field != "" && !found {
		return nil, err
	}
	named := strings.NewReplacer("{name}", name)
	page.Title, page.Button = named.Replace(page.Title), named.Replace(page.Button)
	for i, effect := range page.Effects {
		page.Effects[i] = named.Replace(effect)
	}
	page.Action, page.Back = path, sectionOf(path).Path
	if page.Field != "" {
		page.Value = id
	}
	return page, nil
}

// names returns the names of the objects that a form may change, by id.
func (c *contents) names(path string) map[string]string {
	names := map[string]string{}
	switch path {
	case "/account/players/unlink":
		for _, p := range c.Players {
			names[p.UUID] = cmp.Or(p.Name, "this player")
		}
	case "/account/tokens/delete":
		for _, t := range c.Viewer.Tokens {
			names[t.ID] = t.Name
		}
	case "/account/access/revoke":
		for _, g := range c.Viewer.Grants {
			names[g.ID] = g.Application.Name
		}
	case rotatePath, "/account/applications/delete":
		for _, a := range c.Viewer.Applications {
			if a.Private || path != rotatePath {
				names[a.ID] = a.Name
			}
		}
	case "/account/webhooks/delete":
		for _, w := range c.Viewer.Webhooks {
			names[w.ID] = w.URL
		}
	case "/account/competitions/delete":
		for _, o := range c.Viewer.Competitions {
			names[o.ID] = o.Name
		}
	}
	return names
}

// confirm serves the page on which a user confirms the form of the same path.
func (p *Pages) confirm(ctx context.Context, q *request) {
	q.ask(ctx, http.StatusOK, page{})
}

func (q *request) ask(ctx context.Context, status int, data page) {
	a, c := q.load(ctx)
	if a == nil {
		return
	}
	body, err := c.confirmation(q.route.path, cmp.Or(q.value("id"), q.value("player")))
	switch {
	case err != nil:
		q.failed(ctx, err)
	case body == nil:
		q.show(ctx, http.StatusNotFound, page{Wrong: "Your account does not have this any more."}, nil)
	default:
		data.Title, data.Name, data.Body = body.Title, a.Name, body
		q.render(status, "confirm", data)
	}
}

func find[T any](list []T, fits func(T) bool) *T {
	if at := slices.IndexFunc(list, fits); at >= 0 {
		return &list[at]
	}
	return nil
}
