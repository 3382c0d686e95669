package pages

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"golang.org/x/oauth2"

	"gamedata/internal/app/apptest"
	"gamedata/internal/auth"
	"gamedata/internal/slowtest"
)

// pressKeys presses keys one after the other.
func (b *browserPage) pressKeys(all ...string) {
	b.t.Helper()
	for _, k := range all {
		b.do(chromedp.KeyEvent(k))
	}
}

// waitForPage waits until an expression is true on the page that the browser is navigating to, and the page is loaded.
func (b *browserPage) waitForPage(expression string) {
	b.t.Helper()
	expression = `document.readyState === "complete" && (` + expression + `)`
	for {
		_, err := chromedp.Run(b.ctx, chromedp.Poll[bool](expression, chromedp.WithPollingTimeout(time.Minute)))
		if err == nil {
			return
		}
		if text := err.Error(); b.ctx.Err() != nil || !strings.Contains(text, "context") && !strings.Contains(text,
			"navigated") {
			b.fail(fmt.Errorf("%s: %w", expression, err))
		}
	}
}

// expectFits checks that the page fits the window's width and that every field has a label.
func (b *browserPage) expectFits() {
	b.t.Helper()
	if over := evaluate[int](b, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); over > 0 {
		b.t.Errorf("%sthe page is %d pixels too wide", b.subject, over)
	}
	if n := evaluate[int](
		b,
		`[...document.querySelectorAll("input:not([type=hidden]), textarea")]
			.filter((e) => !e.labels.length && !e.ariaLabel).length`,
	); n > 0 {
		b.t.Errorf("%s%d fields have no label", b.subject, n)
	}
}

// A user in Chromium comes from an application, signs up by keyboard and consents, and the application gets its token,
// on a desktop and on a phone, in light and in dark mode. Then they use the account. The browser accepts the
// cookies, and its policy allows the redirects back to the application and from there to another site.
func TestConsentInBrowser(t *testing.T) {
	slowtest.Only(t)
	t.Parallel()
	p, dir := apptest.StartDemo(t, "--guest-rate", "1000", "--session-rate", "1000")
	codes := make(chan string, 1)
	home := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `<!doctype html><link rel="icon" href="data:,"><title>back</title>`)
	}))
	defer home.Close()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/back" {
			codes <- r.URL.Query().Get("code") + " " + r.URL.Query().Get("state") + r.URL.Query().Get("error")
		}
		http.Redirect(w, r, home.URL, http.StatusFound) // to another origin
	}))
	defer site.Close()
	owner := apptest.CreateMember(t, dir, "Okapi")
	client := apptest.InStore(t, dir, func(ctx context.Context, a *auth.Accounts) (oauth2.Config, error) {
		created, secret, err := a.Applications.Create(ctx, owner, "Moss board", []string{site.URL + "/back"},
			[]string{"main_access", "online_status"}, true)
		return oauth2.Config{
			ClientID: created.ClientID, ClientSecret: secret, RedirectURL: site.URL + "/back",
			Scopes:   []string{"main_access", "online_status"},
			Endpoint: oauth2.Endpoint{AuthURL: p.Base + "/oauth/authorize", TokenURL: p.Base + "/v3/oauth/token"},
		}, err
	})
	for i, c := range []struct {
		name          string
		width, height int64
		dark          bool
	}{{"desk", 1280, 900, false}, {"phone in the dark", 390, 844, true}} {
		t.Run(c.name, func(t *testing.T) {
			b := openBrowser(t, c.width, c.height, c.dark)
			verifier := oauth2.GenerateVerifier()
			b.do(chromedp.Navigate(client.AuthCodeURL("x7Qp", oauth2.S256ChallengeOption(verifier))))
			b.waitForPage(`document.title.startsWith("Sign in")`)
			b.expectFits()
			b.do(chromedp.Click(chromedp.CSS(`a[href^="/account/sign-up"]`)))
			b.waitForPage(`document.activeElement.id === "name"`)
			b.expectAccessible()
			b.screenshots("sign-up")
			b.pressKeys(fmt.Sprintf("Salted %d", i), kb.Tab, "a long password", kb.Tab, "a long password", kb.Enter)
			b.waitForPage(`document.title.startsWith("Allow Moss board?")`)
			b.expectFits()
			b.expectAccessible()
			b.screenshots("consent")
			b.do(chromedp.Click(chromedp.CSS(`button[value=deny]`)))
			b.waitForPage(`document.title === "back"`)
			if got := <-codes; got != " x7Qpaccess_denied" {
				t.Fatalf("deny: got %q", got)
			}
			b.do(chromedp.Navigate(client.AuthCodeURL("x7Qp", oauth2.S256ChallengeOption(verifier))))
			b.waitForPage(`document.title.startsWith("Allow Moss board?")`)
			b.do(chromedp.Focus(chromedp.CSS(`button[value=allow]`)))
			b.pressKeys(kb.Enter)
			b.waitForPage(`document.title === "back"`)
			code, state, _ := strings.Cut(<-codes, " ")
			token, err := client.Exchange(t.Context(), code, oauth2.VerifierOption(verifier))
			if err != nil || state != "x7Qp" {
				t.Fatal(state, err)
			}
			if r, me := apptest.GetWithToken(t, p, token.AccessToken, "/v3/oauth/me"); r.Status != 200 ||
				len(me["profiles"].(map[string]any)) != 0 {
				t.Errorf("%d %v", r.Status, me)
			}

			b.walkAccount(p, dir)
			for _, other := range []string{site.URL, home.URL} {
				delete(b.hosts, strings.TrimPrefix(other, "http://"))
			}
			b.expectClean(p.Base)
		})
	}
}

// walkAccount goes through the sections of the account of a user who gave an application access. It links a player,
// sets who sees what of them, creates a token by keyboard, and takes everything back.
func (b *browserPage) walkAccount(p *apptest.Program, dir string) {
	b.t.Helper()
	look := func(name string) {
		b.t.Helper()
		b.expectFits()
		b.expectAccessible()
		b.screenshots("account-" + name)
	}
	open := func(path string) {
		b.t.Helper()
		b.do(chromedp.Navigate(p.Base + path))
		b.waitForPage(`location.pathname === ` + strconv.Quote(path))
	}
	done := func(text string) {
		b.t.Helper()
		b.waitForPage(`document.querySelector(".done")?.textContent.includes(` + strconv.Quote(text) + `)`)
	}
	confirm := func(link, action, text string) {
		b.t.Helper()
		b.tabTo(`a[href^="` + link + `"]`)
		b.pressKeys(kb.Enter)
		b.waitForPage(`document.querySelector('form[action="` + action + `"]') !== null`)
		look("confirm" + strings.ReplaceAll(action, "/", "-"))
		b.do(chromedp.Click(chromedp.CSS(`form[action="` + action + `"] button`)))
		done(text)
	}
	open("/account")
	look("overview")
	link := apptest.LinkCode(b.t, dir, "Salted")
	open("/account/players")
	b.do(chromedp.Focus(chromedp.CSS("#code")))
	b.pressKeys(link, kb.Enter)
	done("linked")
	look("players")

	b.do(chromedp.Click(chromedp.CSS(`a[href^="/account/players/rules"]`)))
	b.waitForPage(`document.title.startsWith("Who sees what of Salted")`)
	if text := b.text("#preview"); strings.Contains(text, "hidden by") {
		b.t.Errorf("the preview of a public player: %s", text)
	}
	b.do(chromedp.Focus(chromedp.CSS(`select[name="main_access"]`)))
	b.pressKeys("only")
	b.waitFor(`document.querySelector("#preview").textContent.includes("hidden by Statistics and playtime")`)
	b.do(chromedp.Focus(chromedp.CSS("#as")))
	b.pressKeys("the application")
	b.waitFor(`document.querySelector("#preview h2").textContent.includes("as seen by the application Moss board") &&
		!document.querySelector("#preview").textContent.includes("hidden by Statistics")`)
	look("rules")
	b.do(chromedp.Click(chromedp.CSS(`button[value="save"]`)))
	done("Privacy settings saved")
	if chosen := evaluate[string](b, `document.querySelector('select[name="main_access"]').value`); chosen != "private" {
		b.t.Errorf("the form shows %s", chosen)
	}
	b.do(chromedp.Focus(chromedp.CSS(`select[name="main_access"]`)))
	b.pressKeys("everyone")
	b.waitFor(`document.querySelector("#preview .notice") !== null`)
	b.do(chromedp.Click(chromedp.CSS(`button[value="save"]`)))
	b.waitForPage(`document.querySelector("#preview .notice") === null`)

	open("/account/tokens")
	b.tabTo("#token-name")
	b.pressKeys("laptop", kb.Tab, "for the bus", kb.Tab, "30", kb.Tab, kb.Tab, kb.Enter)
	b.waitForPage(`document.querySelector("#created-secret ~ button")?.textContent === "Copy"`)
	b.tabTo("#created-secret ~ button")
	b.pressKeys(kb.Enter)
	b.waitFor(`document.querySelector("#created-secret ~ button").textContent !== "Copy"`)
	look("token")
	secret := evaluate[string](b, `document.querySelector("#created-secret").value`)
	apptest.Get(b.t, p.Base+"/v3/classes", "Authorization", "Bearer "+secret).Expect(b.t, "with the token", 200)
	open("/account/tokens")
	if text := b.text("article"); !strings.Contains(text, "Shared 1") || strings.Contains(text, "never") {
		b.t.Errorf("got the token's entry %s, want its use and its expiry", text)
	}
	look("tokens")
	confirm("/account/tokens/delete", "/account/tokens/delete", "Token deleted")

	open("/account/webhooks")
	b.do(chromedp.Focus(chromedp.CSS("#webhook-guilds-search")))
	b.pressKeys("mossb")
	b.waitFor(`document.querySelector("#webhook-guilds-search-suggestions li") !== null`)
	b.pressKeys(kb.ArrowDown, kb.Enter)
	b.waitFor(`document.querySelector("button.chip")?.textContent === "Mossbound Company ×"`)
	look("webhook-filter")
	b.do(chromedp.Focus(chromedp.CSS("#webhook-url")))
	b.pressKeys("https://board.example/events", kb.Enter)
	b.waitForPage(`document.querySelector("#created-secret")?.value.startsWith("whsec_") &&
		document.querySelector("article dl").textContent.includes("Mossbound Company")`)
	look("webhooks")
	confirm("/account/webhooks/delete", "/account/webhooks/delete", "Webhook deleted")

	for _, section := range []string{"applications", "sessions", "security", "security/delete"} {
		open("/account/" + section)
		look(strings.ReplaceAll(section, "/", "-"))
	}
	open("/account/access")
	look("access")
	confirm("/account/access/revoke", "/account/access/revoke", "Access revoked")
	open("/account/players")
	confirm("/account/players/unlink", "/account/players/unlink", "Player unlinked")
	b.do(chromedp.Click(chromedp.CSS(`form[action="/account/sign-out"] button`)))
	b.waitForPage(`document.title.startsWith("Sign in")`)
}

// tabTo presses Tab until the element of a selector has the focus.
func (b *browserPage) tabTo(selector string) {
	b.t.Helper()
	for range 80 {
		b.pressKeys(kb.Tab)
		if evaluate[bool](b, `document.activeElement.matches(`+strconv.Quote(selector)+`)`) {
			return
		}
	}
	b.fail(fmt.Errorf("the keyboard does not reach %s", selector))
}
