package faults

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"gamedata/internal/app/apptest"
	"gamedata/internal/auth"
	"gamedata/mongo"
	"gamedata/mongo/conn"
	"gamedata/mongo/mongotest"
)

// The redirect URI of an application, and PKCE of RFC 7636 appendix B.
const (
	redirectURI  = "https://board.example/back"
	rfcVerifier  = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
	rfcChallenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
)

// storeFault is what the store answers instead of its response.
type storeFault struct {
	code        int
	name, label string
	unavailable bool
}

var storeFaults = []storeFault{
	{6, "HostUnreachable", "", true},
	{7, "HostNotFound", "", true},
	{50, "MaxTimeMSExpired", "", true},
	{64, "WriteConcernTimeout", "", true},
	{89, "NetworkTimeout", "", true},
	{91, "ShutdownInProgress", "", true},
	{133, "FailedToSatisfyReadPreference", "", true},
	{134, "ReadConcernMajorityNotAvailableYet", "", true},
	{189, "PrimarySteppedDown", "", true},
	{202, "NetworkInterfaceExceededTimeLimit", "", true},
	{262, "ExceededTimeLimit", "", true},
	{317, "ConnectionPoolExpired", "", true},
	{365, "TemporarilyUnavailable", "", true},
	{402, "ResourceExhausted", "", true},
	{9001, "SocketException", "", true},
	{10058, "LegacyNotPrimary", "", true},
	{10107, "NotWritablePrimary", "", true},
	{11600, "InterruptedAtShutdown", "", true},
	{11601, "Interrupted", "", true},
	{11602, "InterruptedDueToReplStateChange", "", true},
	{13435, "NotPrimaryNoSecondaryOk", "", true},
	{13436, "NotPrimaryOrSecondary", "", true},
	{8000, "any", "RetryableWriteError", true},
	{8000, "any", "RetryableReadError", true},
	{8000, "any", "RetryableError", true},
	{8000, "any", "SystemOverloadedError", true},
	{8000, "any", "TransientTransactionError", true},
	{13, "Unauthorized", "", false},
	{8000, "any", "", false},
}

// Each error by which the store says that it cannot answer becomes 503 with Retry-After: of a read, of a write, of one
// document of a write, and of its write concern. Other errors do not. A read is tried once more after those errors
// after which the driver would, a write never. The test logs the table of docs/mongodb-and-scaling.md, which must be
// the same. Time is simulated.
func TestStoreFaults(t *testing.T) {
	t.Parallel()
	table := []string{
		"| error of the store | read | tries of a read | write | write error | write concern error |",
		"|---|---|---|---|---|---|",
	}
	for _, f := range storeFaults {
		t.Run(fmt.Sprint(f.code, f.label), func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) { table = append(table, f.row(t, dir)) })
		})
	}
	text := strings.Join(table, "\n")
	t.Logf("status, Retry-After:\n%s", text)
	doc, err := os.ReadFile("../../../docs/mongodb-and-scaling.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(doc), text+"\n") {
		t.Error("docs/mongodb-and-scaling.md has another table")
	}
}

// row injects a fault in every form and returns the row of the table.
func (f storeFault) row(t *testing.T, dir string) string {
	svc := apptest.OpenStore(t, dir, time.Now)
	proxy := mongotest.NewProxy(svc)
	svc.Start(mongo.Options{Options: conn.Options{
		Timeout: 20 * time.Second, ServerSelectionTimeout: 3 * time.Second, Dialer: proxy,
	}})
	account, err := svc.Users.Create(t.Context(), "owner")
	if err != nil {
		t.Fatal(err)
	}
	app, _, err := svc.Users.Applications.Create(t.Context(), account.ID, "Board", []string{redirectURI}, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	newCode := func() (string, error) {
		return svc.Users.Grants.IssueCode(t.Context(), auth.Grant{
			Account: account.ID, App: app.ClientID, RedirectURI: redirectURI, Challenge: rfcChallenge,
		})
	}
	var labels []string
	cells := []string{fmt.Sprint(f.code, " ", f.name)}
	if f.label != "" {
		labels, cells[0] = []string{f.label}, "any, labelled "+f.label
	} else if f.name == "any" {
		cells[0] = "others"
	}
	for _, form := range []struct {
		command string
		action  mongotest.Action
		write   bool
	}{
		{"find", mongotest.Action{Reply: mongotest.CommandFailure(f.code, labels...)}, false},
		{"insert", mongotest.Action{Reply: mongotest.CommandFailure(f.code, labels...)}, true},
		{"insert", mongotest.Action{Reply: mongotest.WriteFailure(f.code, labels...)}, true},
		{"insert", mongotest.Action{Amend: mongotest.WriteConcernFailure(f.code, labels...)}, true},
	} {
		request := func(n int) *http.Request {
			if !form.write {
				return httptest.NewRequestWithContext(t.Context(), "GET", fmt.Sprint("/v3/player/nobody", n), nil)
			}
			code, err := newCode()
			if err != nil {
				t.Fatal(err)
			}
			r := httptest.NewRequestWithContext(t.Context(), "POST", "/v3/oauth/token", strings.NewReader(url.Values{
				"grant_type": {"authorization_code"}, "code": {code}, "client_id": {app.ClientID},
				"redirect_uri": {redirectURI}, "code_verifier": {rfcVerifier},
			}.Encode()))
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			return r
		}
		var requests []*http.Request
		for n := range 5 {
			requests = append(requests, request(n))
		}
		var sent atomic.Int64
		proxy.Handle(func(c mongotest.Command) (a mongotest.Action) {
			if c.Name == form.command {
				sent.Add(1)
				return form.action
			}
			return a
		})
		seen := map[string]bool{}
		for _, r := range requests {
			w := httptest.NewRecorder()
			svc.Handler.ServeHTTP(w, r)
			cell := fmt.Sprint(w.Code)
			if after := w.Header().Get("Retry-After"); after != "" {
				cell += ", " + after + " s"
			}
			seen[cell] = true
			if (w.Code == 503) != f.unavailable || (w.Header().Get("Retry-After") != "") != f.unavailable {
				t.Errorf("%s: got %d, Retry-After %q: %s", cells[0], w.Code, w.Header().Get("Retry-After"), w.Body)
			}
		}
		tries := sent.Load() / int64(len(requests))
		if len(seen) != 1 {
			t.Errorf("%s: different responses: %v", cells[0], seen)
		}
		for cell := range seen {
			cells = append(cells, cell)
		}
		if !form.write {
			cells = append(cells, fmt.Sprint(tries))
		} else if tries != 1 {
			t.Errorf("%s: a write was sent %d times", cells[0], tries)
		}
		proxy.Handle(nil)
		time.Sleep(2 * time.Second) // breakers let a call through
		w := httptest.NewRecorder()
		svc.Handler.ServeHTTP(w, request(5))
		if w.Code >= 500 {
			t.Errorf("afterwards: %d %s", w.Code, w.Body)
		}
	}
	return "| " + strings.Join(cells, " | ") + " |"
}
