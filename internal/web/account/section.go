package account

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/history"
)

// section is one page of the account; its template has the same name.
type section struct{ Path, Title, template string }

// sections are in the order of the navigation.
var sections = []section{
	{accountPath, "Overview", "overview"},
	{"/account/players", "Players", "players"},
	{"/account/tokens", "API tokens", "tokens"},
	{"/account/webhooks", "Webhooks", "webhooks"},
	{"/account/competitions", "Competitions", "competitions"},
	{"/account/access", "Access", "access"},
	{"/account/applications", "Applications", "applications"},
	{"/account/sessions", "Sessions", "sessions"},
	{securityPath, "Security", "security"},
}

func sectionOf(path string) section {
	at := slices.IndexFunc(sections[1:], func(s section) bool {
		return path == s.Path || strings.HasPrefix(path, s.Path+"/")
	})
	return sections[at+1] // the overview if there is none
}

type contents struct {
	Account
	Players   []player
	Scopes    []scope // an application may request these besides identify
	MaxTokens int
	Lifetimes []lifetime
	Created   *created

	MaxWebhooks int
	EventGroups []eventGroup

	MaxCompetitions int
	Metrics         []string // values of the schema

	today    time.Time         // in the game
	subjects map[string]string // names of guilds and players of webhooks, by uuid
}

type scope struct{ Value, Name, Title, Consent string }

func scopeOf(value string) scope {
	s := model.ScopesNamed([]string{strings.ToLower(value)})[0] // a value of the schema's enum
	return scope{value, s.Name, s.Title, s.Consent}
}

// lifetime is an option for the lifetime of a new token, in days.
type lifetime struct {
	Days int
	Text string
}

var lifetimes = []lifetime{
	{0, "never"},
	{7, "7 days"},
	{30, "30 days"},
	{90, "90 days"},
	{365, "1 year"},
}

// ScopeList describes scopes in words.
func (*contents) ScopeList(values []string) []scope {
	out := make([]scope, len(values))
	for i, value := range values {
		out[i] = scopeOf(value)
	}
	return out
}

// player is a linked player; the name is empty when the store does not know the player.
type player struct {
	UUID, Name string
	Primary    bool
	Rules      []ruleSetting
}

// Link is the path of the page with the player's privacy settings.
func (p player) Link() string { return rulesPath + "?player=" + p.UUID }

// Summary describes who sees what of the player.
func (p player) Summary() string {
	restricted := 0
	for _, r := range p.Rules {
		if r.Chosen() != model.Public {
			restricted++
		}
	}
	switch restricted {
	case 0:
		return "Everything is public"
	case len(p.Rules):
		return "All privacy settings are restricted"
	}
	return strconv.Itoa(restricted) + " of " + strconv.Itoa(len(p.Rules)) + " privacy settings are restricted"
}

// OpenCharacters returns the character rules that undermine the rule of the statistics: a viewer who sees every
// character can add up their numbers.
func (p player) OpenCharacters() []ruleSetting {
	if p.Rules == nil {
		return nil
	}
	main := p.Statistics().Chosen()
	return slices.DeleteFunc(
		[]ruleSetting{p.Rules[model.CharacterListAccess], p.Rules[model.CharacterDataAccess]},
		func(s ruleSetting) bool { return s.Chosen().Within(main) },
	)
}

// Statistics is the rule of the player's statistics.
func (p player) Statistics() ruleSetting { return p.Rules[model.MainAccess] }

// created is a secret that is shown only once, or the id of an application without one.
type created struct{ Title, ID, Secret string }

func (p *Pages) section(ctx context.Context, q *request) {
	q.show(ctx, http.StatusOK, page{Done: doneTexts[q.r.URL.Query().Get("done")]}, nil)
}

// back serves a path without a page: it redirects to the section, which shows an expired form.
func (p *Pages) back(ctx context.Context, q *request) {
	if q.expired && q.account != "" {
		q.show(ctx, http.StatusForbidden, page{}, nil)
		return
	}
	q.redirect(http.StatusSeeOther, sectionOf(q.route.path).Path)
}

// doneTexts maps the parameter done of an address to the message about a finished action.
var doneTexts = map[string]string{
	"welcome":             "Welcome! Your account is ready.",
	"linked":              "Player linked.",
	"unlinked":            "Player unlinked.",
	"rules":               "Privacy settings saved. They apply now.",
	"password":            "Password changed. You are signed out of every other browser.",
	"token-edited":        "Token changed.",
	"token-deleted":       "Token deleted. It stops working within 5 seconds.",
	"application-edited":  "Application changed.",
	"application-deleted": "Application deleted. It lost access to all accounts.",
	"webhook-changed":     "Webhook changed. It takes effect within 5 seconds.",
	"webhook-deleted":     "Webhook deleted.",
	"competition-created": "Competition created.",
	"competition-deleted": "Competition deleted.",
	"revoked":             "Access revoked. It takes effect within 5 seconds.",
	"session-ended":       "The browser is signed out.",
	"sessions-ended":      "You are signed out of every other browser.",
}

// load reads the account and the contents of its sections. If it returns nil, it wrote the response.
func (q *request) load(ctx context.Context) (*model.Account, *contents) {
	a, err := q.pages.accounts.ByID(ctx, q.account)
	if err != nil {
		q.failed(ctx, err)
		return nil, nil
	}
	found, err := q.pages.accounts.Players.Linked(ctx, a)
	if err != nil {
		q.failed(ctx, err)
		return nil, nil
	}
	c := &contents{
		MaxTokens: model.MaxTokens, Lifetimes: lifetimes, MaxWebhooks: model.MaxWebhooks, EventGroups: eventGroups(),
		MaxCompetitions: model.MaxCompetitions, Metrics: history.PlayerMetrics, today: q.pages.o.Now(),
	}
	if bad := q.pages.run(ctx, "Account", nil, &c.Account); bad != nil {
		q.failed(ctx, bad)
		return nil, nil
	}
	for _, name := range model.ScopeNames[1:] {
		c.Scopes = append(c.Scopes, scopeOf(strings.ToUpper(name)))
	}
	for i, f := range found {
		one := player{UUID: a.Profiles[i], Primary: i == 0}
		if f != nil {
			one.Name, one.Rules = f.Username, ruleSettings(f.Rules)
		}
		c.Players = append(c.Players, one)
	}
	return a, c
}

// show writes the section of the request's path; it shows c unless c is nil.
func (q *request) show(ctx context.Context, status int, data page, c *created) {
	a, body := q.load(ctx)
	if a == nil {
		return
	}
	body.Created = c
	of := sectionOf(q.route.path)
	if of.template == "webhooks" {
		if bad := body.addNames(ctx, q.pages); bad != nil {
			q.error(bad)
			return
		}
	}
	data.Title, data.Name, data.Body, data.Scripts = of.Title, a.Name, body, []string{"account.js"}
	if of.Path == accountPath {
		data.Title = "Account"
	}
	q.render(status, of.template, data)
}

// ActiveTokens returns how many tokens have not expired and so count against the limit.
func (c *contents) ActiveTokens() (n int) {
	for _, t := range c.Viewer.Tokens {
		if !t.Expired {
			n++
		}
	}
	return n
}
