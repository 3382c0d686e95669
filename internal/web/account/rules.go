package account

import (
	"context"
	"net/http"
	"net/url"
	"slices"

	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/internal/publicdump"
	"gamedata/internal/web"
)

type ruleSetting struct {
	model.AccessRuleInfo
	Values []ruleValue
}

type ruleValue struct {
	Value  model.Access
	Text   string
	Chosen bool
}

// Chosen returns the value selected in the form.
func (s ruleSetting) Chosen() model.Access {
	return find(s.Values, func(v ruleValue) bool { return v.Chosen }).Value
}

// valueTexts describes who passes a rule with each value.
var valueTexts = map[model.Access]string{
	model.Public: "everyone", model.GuildAndFriends: "guild members and friends", model.GuildOnly: "guild members",
	model.Friend: "friends", model.Private: "only me",
}

func ruleSettings(rules model.AccessRules) []ruleSetting {
	out := make([]ruleSetting, len(rules))
	for rule := range model.NumAccessRules {
		out[rule].AccessRuleInfo = *rule.Info()
		for _, value := range model.AccessValues {
			out[rule].Values = append(out[rule].Values, ruleValue{value, valueTexts[value], value == rules[rule].Effective()})
		}
	}
	return out
}

// rulesForm is the page that sets who sees what of a player, with a preview.
type rulesForm struct {
	Player    player
	Observers []observer
	Observer  observer
	Unsaved   bool
	Preview   preview
}

// DumpMinutes is how long the files of a public dump are still served once newer ones exist.
func (rulesForm) DumpMinutes() int { return int(publicdump.Overlap.Minutes()) }

// observer is a viewer for whom the preview shows a player.
type observer struct {
	Key, Name string
	viewer    viewer.Viewer
	// companion means that the observer sees the player's location when both are on one world.
	companion bool
}

// observers returns the viewers that the preview offers: everyone, a friend, a guild member if the player has a guild,
// and each application with a grant of the account. It assumes their relation to the player.
func (q *request) observers(ctx context.Context, a *model.Account, p *model.Player, rules map[string]string) (
	[]observer, error,
) {
	as := func(v viewer.Viewer, friend, guildMember bool) viewer.Viewer {
		v.Preview = &viewer.Preview{Player: p.UUID, Rules: rules, Friend: friend, GuildMember: guildMember}
		return v
	}
	user := viewer.Viewer{Kind: viewer.Session}
	out := []observer{
		{"guest", "everyone", as(viewer.Viewer{Kind: viewer.Guest}, false, false), false},
		{"friend", "a friend", as(user, true, false), true},
	}
	if p.Guild != nil {
		out = append(out, observer{"guild", "a guild member", as(user, false, true), true})
	}
	grants, err := q.pages.accounts.Grants.Of(ctx, a.ID)
	if err != nil {
		return nil, err
	}
	for _, g := range grants {
		v := viewer.Viewer{
			Kind: viewer.OAuth, Account: a.ID, App: g.Application.ClientID,
			Scopes: slices.Sorted(slices.Values(g.Scopes)), Profiles: []string{p.UUID},
		}
		out = append(out, observer{v.App, "the application " + g.Application.Name, as(v, false, false), false})
	}
	return out, nil
}

func (p *Pages) rules(ctx context.Context, q *request) {
	chosen, _ := rulesOf(q.form)
	q.showRules(ctx, chosen, doneTexts[q.r.URL.Query().Get("done")])
}

// setRules changes the access rules of a linked player; the form's fields have the names of the rules. The preview
// button changes nothing and shows the effect of the change.
func (p *Pages) setRules(ctx context.Context, q *request) {
	chosen, rules := rulesOf(q.form)
	if q.form.Get("do") == "preview" {
		q.showRules(ctx, chosen, "")
		return
	}
	uuid, as := q.form.Get("player"), q.form.Get("as")
	if p.mutate(ctx, q, "UpdateAccessRules", map[string]any{"player": uuid, "rules": rules}) == nil {
		return
	}
	q.redirect(http.StatusSeeOther, rulesPath+"?"+url.Values{"player": {uuid}, "as": {as}, "done": {"rules"}}.Encode())
}

// rulesOf returns the values of rules in a form, by the names of the rules and as input of the mutation.
func rulesOf(form url.Values) (chosen map[string]string, rules []any) {
	chosen, rules = map[string]string{}, []any{}
	for rule := range model.NumAccessRules {
		if value := form.Get(rule.Info().Name); value != "" {
			chosen[rule.Info().Name] = value
			rules = append(rules, map[string]any{"rule": rule.String(), "value": model.Enums["Access"].Value(value)})
		}
	}
	return chosen, rules
}

// showRules writes the rules page of the requested player, with a preview for the chosen observer. chosen replaces
// stored values of rules, by name.
func (q *request) showRules(ctx context.Context, chosen map[string]string, done string) {
	uuid, as := q.value("player"), q.value("as")
	a, err := q.pages.accounts.ByID(ctx, q.account)
	if err != nil {
		q.failed(ctx, err)
		return
	}
	found, err := q.pages.accounts.Players.Linked(ctx, a)
	if err != nil {
		q.failed(ctx, err)
		return
	}
	at := slices.Index(a.Profiles, uuid)
	if at < 0 || found[at] == nil {
		q.show(ctx, http.StatusNotFound, page{Wrong: "This player is not linked to your account."}, nil)
		return
	}
	shown := found[at]
	rules, inEffect := shown.Rules, map[string]string{}
	for rule := range model.NumAccessRules {
		name := rule.Info().Name
		if value, ok := chosen[name]; ok {
			if !slices.Contains(model.AccessValues, model.Access(value)) {
				q.show(ctx, http.StatusBadRequest, page{Wrong: unreadableForm}, nil)
				return
			}
			rules[rule] = model.Access(value)
		}
		inEffect[name] = string(rules[rule].Effective())
	}
	body := rulesForm{
		Player:  player{UUID: uuid, Name: shown.Username, Rules: ruleSettings(rules)},
		Unsaved: rules != shown.Rules,
	}
	body.Observers, err = q.observers(ctx, a, shown, inEffect)
	if err != nil {
		q.failed(ctx, err)
		return
	}
	body.Observer = body.Observers[0]
	if o := find(body.Observers, func(o observer) bool { return o.Key == as }); o != nil {
		body.Observer = *o
	}
	body.Preview, err = q.preview(ctx, shown, body.Observer)
	if err != nil {
		q.failed(ctx, err)
		return
	}
	q.render(http.StatusOK, "rules", page{
		Layout: web.Layout{Title: "Who sees what of " + shown.Username, Scripts: []string{"account.js"}},
		Name:   a.Name, Done: done, Body: body,
	})
}
