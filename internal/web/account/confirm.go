package account

import (
	"context"
	"net/http"
	"slices"
)

// confirmation is a page on which a user confirms that something is deleted or ended.
type confirmation struct {
	Title, Button string
	Effects       []string
	Action        string // path of the form
	Field, Value  string // its hidden field; empty if it has none
	Password      bool   // whether the user has to type it
	Back          string
}

// confirm returns the handler of a page that is shown before the form of the same path is sent. describe gets the id in
// the address; nil means that the account has no such object.
func (p *Pages) confirm(describe func(c *contents, id string) *confirmation) handler {
	return func(ctx context.Context, q *request) {
		if q.requireSession(sectionOf(q.route.path).Path) {
			q.ask(ctx, http.StatusOK, page{}, describe)
		}
	}
}

func (q *request) ask(ctx context.Context, status int, data page, describe func(*contents, string) *confirmation) {
	a, c := q.load(ctx)
	if a == nil {
		return
	}
	id := q.r.URL.Query().Get("id")
	body := describe(c, id)
	if body == nil {
		q.show(ctx, http.StatusNotFound, page{Wrong: "Your account does not have this any more."}, nil)
		return
	}
	body.Action, body.Back = q.route.path, sectionOf(q.route.path).Path
	if body.Field != "" {
		body.Value = id
	}
	data.Title, data.Name, data.Body = body.Title, a.Name, body
	q.render(status, "confirm", data)
}

func find[T any](list []T, fits func(T) bool) *T {
	if at := slices.IndexFunc(list, fits); at >= 0 {
		return &list[at]
	}
	return nil
}

func confirmUnlink(c *contents, id string) *confirmation {
	of := find(c.Players, func(p player) bool { return p.UUID == id })
	if of == nil {
		return nil
	}
	name := of.Name
	if name == "" {
		name = "this player"
	}
	return &confirmation{
		Title: "Unlink " + name + "?", Button: "Unlink " + name, Field: "player",
		Effects: []string{
			"Your sessions and tokens see of " + name + " what everybody sees.",
			"Applications lose their access to " + name + ".",
			"The privacy settings stay as they are. To link the player again you need a new code from the game.",
		},
	}
}

func confirmDeleteToken(c *contents, id string) *confirmation {
	of := find(c.Viewer.Tokens, func(t Token) bool { return t.ID == id })
	if of == nil {
		return nil
	}
	return &confirmation{
		Title: "Delete the token " + of.Name + "?", Button: "Delete token", Field: "id",
		Effects: []string{
			"Programs that send it get the error 401 within 5 seconds.",
			"You can delete another token two minutes later.",
			"This cannot be undone.",
		},
	}
}

func confirmRevoke(c *contents, id string) *confirmation {
	of := find(c.Viewer.Grants, func(g Grant) bool { return g.ID == id })
	if of == nil {
		return nil
	}
	return &confirmation{
		Title: "Revoke the access of " + of.Application.Name + "?", Button: "Revoke access", Field: "id",
		Effects: []string{
			of.Application.Name + " loses access to your players within 5 seconds.",
			"What it stored before may stay there. It can ask you for access again.",
		},
	}
}

func confirmRotate(c *contents, id string) *confirmation {
	of := find(c.Viewer.Applications, func(a Application) bool { return a.ID == id && a.Private })
	if of == nil {
		return nil
	}
	return &confirmation{
		Title: "Create a new client secret for " + of.Name + "?", Button: "Create new secret", Field: "id",
		Effects: []string{
			"The current secret stops working at once: nobody can sign in to " + of.Name + " until it has the new one.",
			"Access that users have granted stays valid.",
		},
	}
}

func confirmDeleteApplication(c *contents, id string) *confirmation {
	of := find(c.Viewer.Applications, func(a Application) bool { return a.ID == id })
	if of == nil {
		return nil
	}
	return &confirmation{
		Title: "Delete the application " + of.Name + "?", Button: "Delete application", Field: "id",
		Effects: []string{
			of.Name + " loses access to all users within 5 seconds.",
			"Its client_id cannot be used again: a new application gets another one.",
			"This cannot be undone.",
		},
	}
}

func confirmDeleteWebhook(c *contents, id string) *confirmation {
	of := find(c.Viewer.Webhooks, func(w Webhook) bool { return w.ID == id })
	if of == nil {
		return nil
	}
	return &confirmation{
		Title: "Delete the webhook?", Button: "Delete webhook", Field: "id",
		Effects: []string{"Nothing is sent to " + of.URL + " any more.", "This cannot be undone."},
	}
}

func confirmDeleteCompetition(c *contents, id string) *confirmation {
	of := find(c.Viewer.Competitions, func(c Competition) bool { return c.ID == id })
	if of == nil {
		return nil
	}
	return &confirmation{
		Title: "Delete the competition " + of.Name + "?", Button: "Delete competition", Field: "id",
		Effects: []string{"Nobody can open its page any more.", "This cannot be undone."},
	}
}

func confirmEndOthers(*contents, string) *confirmation {
	return &confirmation{
		Title: "Sign out of all other browsers?", Button: "Sign out the others",
		Effects: []string{
			"Every browser but this one has to sign in again.",
			"API tokens and applications keep working. If another person may know your password, change it instead.",
		},
	}
}

func confirmDeleteAccount(*contents, string) *confirmation {
	return &confirmation{
		Title: "Delete your account?", Button: "Delete account permanently", Password: true,
		Effects: []string{
			"All your API tokens stop working within 5 seconds.",
			"All your applications are deleted and lose access to all users.",
			"Applications lose the access that you granted them.",
			"Your webhooks and competitions are deleted.",
			"Your players stay in the game, with their privacy settings. They and your name can be used by another account.",
			"This cannot be undone.",
		},
	}
}
