package account

import (
	"net/url"
	"slices"
	"strings"

	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/internal/auth"
)

// question is what an application asks a user for (WIRE §5.2). Everything here is pure.
type question struct {
	RedirectURI string
	State       string
	Scopes      []string // in the order of viewer.AllScopes, identify always
	Challenge   string
}

// Refusals that the application is told, at its redirect URI.
var (
	errDenied   = &auth.OAuthError{Name: auth.AccessDenied, Text: "The user refused."}
	errTwice    = auth.InvalidRequestError("A parameter was sent twice.")
	errResponse = &auth.OAuthError{Name: auth.UnsupportedResponseType, Text: "response_type must be code."}
	errScope    = &auth.OAuthError{
		Name: auth.InvalidScope,
		Text: "A scope is unknown, or the application is not registered for it.",
	}
	errNoProof   = auth.InvalidRequestError("A public application must send code_challenge.")
	errMethod    = auth.InvalidRequestError("code_challenge_method must be S256.")
	errChallenge = auth.InvalidRequestError("code_challenge must have 43 characters of base64url.")
)

// single is the one value of a parameter; empty when it is missing or stands there twice.
func single(q url.Values, name string) string {
	if len(q[name]) != 1 {
		return ""
	}
	return q[name][0]
}

// returnTo is where an application may be answered; empty when the URI is not one of those
// registered for it, byte for byte: then nobody may be sent anywhere.
func returnTo(app *model.Application, q url.Values) string {
	if uri := single(q, "redirect_uri"); slices.Contains(app.RedirectURIs, uri) {
		return uri
	}
	return ""
}

// ask reads the rest of the question. State is set even when it is refused.
func ask(app *model.Application, q url.Values) (out question, bad *auth.OAuthError) {
	out = question{RedirectURI: returnTo(app, q), State: single(q, "state"), Challenge: single(q, "code_challenge")}
	for _, name := range []string{"response_type", "scope", "state", "code_challenge", "code_challenge_method"} {
		if len(q[name]) > 1 {
			return out, errTwice
		}
	}
	if single(q, "response_type") != "code" {
		return out, errResponse
	}
	asked := strings.Fields(single(q, "scope"))
	for _, s := range asked {
		if s != viewer.Identify && !slices.Contains(app.Scopes, s) {
			return out, errScope
		}
	}
	for _, s := range viewer.AllScopes {
		if s == viewer.Identify || slices.Contains(asked, s) {
			out.Scopes = append(out.Scopes, s)
		}
	}
	switch method := single(q, "code_challenge_method"); {
	case out.Challenge == "" && !app.Private():
		return out, errNoProof
	case out.Challenge == "" && method == "":
		return out, nil
	case out.Challenge == "":
		return out, errChallenge
	case method != "S256":
		return out, errMethod
	case !auth.ValidChallenge(out.Challenge):
		return out, errChallenge
	}
	return out, nil
}

// answered is the redirect URI with an answer: names and values in turn, then the state.
func (q question) answered(pairs ...string) string {
	if q.State != "" {
		pairs = append(pairs, "state", q.State)
	}
	var b strings.Builder
	b.WriteString(q.RedirectURI)
	switch {
	case !strings.Contains(q.RedirectURI, "?"):
		b.WriteByte('?')
	case !strings.HasSuffix(q.RedirectURI, "?") && !strings.HasSuffix(q.RedirectURI, "&"):
		b.WriteByte('&')
	}
	for i := 0; i < len(pairs); i += 2 {
		if i > 0 {
			b.WriteByte('&')
		}
		b.WriteString(pairs[i] + "=" + url.QueryEscape(pairs[i+1]))
	}
	return b.String()
}

// destination is the place that a redirect URI leads to, as people are shown it, and what a
// page's policy calls it: browsers hold the redirect after a form against that, too. A policy has
// no words for some hosts, such as [::1]; it names their scheme alone.
func destination(redirect string) (shown, source string) {
	u, err := url.Parse(redirect)
	switch {
	case err != nil: // it was never registered
		return redirect, ""
	case u.Scheme != "https" && u.Scheme != "http":
		return u.Scheme + ":", u.Scheme + ":"
	}
	shown = u.Scheme + "://" + u.Host
	if strings.ContainsFunc(u.Host, unnamed) {
		return shown, u.Scheme + ":"
	}
	return shown, shown
}

// unnamed tells what cannot stand in a host of a policy.
func unnamed(r rune) bool {
	return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-.:", r))
}

// scope is a scope in plain words.
type scope struct{ Name, Text string }

var scopeTexts = map[string]string{
	viewer.Identify:             "See which players are linked to your account, their names and ranks, and what they share with whom",
	viewer.MainAccess:           "See the statistics, playtime and first and last visit of your players",
	viewer.CharacterListAccess:  "See the list of characters of your players",
	viewer.CharacterDataAccess:  "See the data of each character: level, quests, dungeons, professions",
	viewer.CharacterBuildAccess: "See skill points and abilities of your characters",
	viewer.OnlineStatus:         "See whether your players are online, and on which world",
	viewer.GuildHistoryAccess:   "See the guilds that your players were in before",
}

func explained(names []string) []scope {
	out := make([]scope, len(names))
	for i, n := range names {
		out[i] = scope{n, scopeTexts[n]}
	}
	return out
}
