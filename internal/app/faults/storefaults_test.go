package faults

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
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
		"| error of the store | tries of a read |",
		"|---|---|",
	}
	for _, f := range storeFaults {
		t.Run(fmt.Sprint(f.code, f.label), func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				if tries := f.inject(t, dir); f.unavailable {
					table = append(table, fmt.Sprintf("| %s | %d |", f, tries))
				} else if tries != 1 {
					t.Errorf("%s: a read was sent %d times", f, tries)
				}
			})
		})
	}
	text := strings.Join(table, "\n")
	t.Log(text)
	doc := apptest.ReadFile(t, "../../../docs/mongodb-and-scaling.md")
	if !strings.Contains(string(doc), text+"\n") {
		t.Error("docs/mongodb-and-scaling.md has another table")
	}
}

func (f storeFault) String() string {
	if f.label != "" {
		return "any, labelled " + f.label
	}
	return fmt.Sprint(f.code, " ", f.name)
}

// inject injects a fault in every form and returns how often a read was sent.
func (f storeFault) inject(t *testing.T, dir string) (tries int64) {
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
	if f.label != "" {
		labels = []string{f.label}
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
		for _, r := range requests {
			w := httptest.NewRecorder()
			svc.Handler.ServeHTTP(w, r)
			want := ""
			if f.unavailable {
				want = "5"
			}
			after := w.Header().Get("Retry-After")
			if (w.Code == 503) != f.unavailable || after != want {
				t.Errorf("%s: got %d, Retry-After %q: %s", f, w.Code, after, w.Body)
			}
		}
		if each := sent.Load() / int64(len(requests)); !form.write {
			tries = each
		} else if each != 1 {
			t.Errorf("%s: a write was sent %d times", f, each)
		}
		proxy.Handle(nil)
		time.Sleep(2 * time.Second) // breakers let a call through
		w := httptest.NewRecorder()
		svc.Handler.ServeHTTP(w, request(5))
		if w.Code >= 500 {
			t.Errorf("afterwards: %d %s", w.Code, w.Body)
		}
	}
	return tries
}
