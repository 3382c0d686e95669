package account

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/web"
)

// overview is the account page.
type overview struct {
	accountData
	Players   []player
	Scopes    []scope // that an application may request, besides identify
	MaxTokens int
	Created   *created
}

// scope is a scope with its value in the schema.
type scope struct{ Name, Value string }

// accountData is the result of the operation Account.
type accountData struct {
	Tokens []struct {
		ID, Name, Description, Prefix string
		Public                        bool
		Created                       time.Time
		usage
	}
	Applications []struct {
		ID, ClientID, Name   string
		Private              bool
		RedirectURIs, Scopes []string
		Created              time.Time
		usage
	}
	Grants []struct {
		ID             string
		Application    struct{ ClientID, Name string }
		Scopes         []string
		Since, Expires time.Time
		usage
	}
	Sessions []struct {
		ID               string
		Created, Expires time.Time
		Current          bool
		usage
	}
}

// usage is when a token, an application or a grant was last used, and the charges of the last 31 days by bucket.
type usage struct {
	LastUsed *time.Time
	Usage    []struct {
		Bucket  string
		Charged int64
	}
}

// UsageText describes the usage in words.
func (u usage) UsageText() string {
	if u.LastUsed == nil {
		return "never used"
	}
	text := "last used " + web.Moment(*u.LastUsed)
	for i, b := range u.Usage {
		separator := ", "
		if i == 0 {
			separator = "; in the last 31 days "
		}
		text += separator + b.Bucket + " " + strconv.FormatInt(b.Charged, 10)
	}
	return text
}

// player is a linked player; the name is empty when the store does not know the player.
type player struct {
	UUID, Name string
	Rules      []ruleSetting
}

// ruleSetting is an access rule of a player on the account page.
type ruleSetting struct {
	model.AccessRuleInfo
	Values []ruleValue
}

// ruleValue is a value that a player can choose for a rule.
type ruleValue struct {
	Value  model.Access
	Text   string
	Chosen bool
}

// valueTexts say who passes a rule that has a value.
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

// created is a secret that is shown only once, or the id of an application without one.
type created struct{ Title, ID, Secret string }

func (p *Pages) account(ctx context.Context, q *request) {
	if q.requireSession(accountPath) {
		q.overview(ctx, http.StatusOK, page{Done: doneTexts[q.r.URL.Query().Get("done")]}, nil)
	}
}

// doneTexts are what the page says after an action, by the parameter done of its address.
var doneTexts = map[string]string{
	"linked":              "Player linked.",
	"unlinked":            "Player unlinked.",
	"rules":               "Privacy settings saved. They apply now.",
	"password":            "Password changed. You are signed out of every other browser.",
	"token-edited":        "Token changed.",
	"token-deleted":       "Token deleted. It stops working within 5 seconds.",
	"application-edited":  "Application changed.",
	"application-deleted": "Application deleted. It lost access to all accounts.",
	"revoked":             "Access revoked. It takes effect within 5 seconds.",
	"session-ended":       "The browser is signed out.",
	"sessions-ended":      "You are signed out of every other browser.",
}

// overview writes the account page; c is shown on it if it is not nil.
func (q *request) overview(ctx context.Context, status int, data page, c *created) {
	a, err := q.pages.accounts.AccountByID(ctx, q.account)
	if err != nil {
		q.failed(ctx, err)
		return
	}
	found, err := q.pages.accounts.LinkedPlayers(ctx, a)
	if err != nil {
		q.failed(ctx, err)
		return
	}
	var out struct{ Viewer accountData }
	if bad := q.pages.run(ctx, "Account", nil, &out); bad != nil {
		q.failed(ctx, bad)
		return
	}
	body := overview{accountData: out.Viewer, MaxTokens: model.MaxTokens, Created: c}
	for _, name := range model.ScopeNames[1:] {
		body.Scopes = append(body.Scopes, scope{name, strings.ToUpper(name)})
	}
	for i, f := range found {
		one := player{UUID: a.Profiles[i]}
		if f != nil {
			one.Name, one.Rules = f.Username, ruleSettings(f.Rules)
		}
		body.Players = append(body.Players, one)
	}
	data.Title, data.Name, data.Body = "Account", a.Name, body
	q.render(status, "account", data)
}
