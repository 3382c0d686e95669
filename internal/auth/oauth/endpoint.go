// Package oauth serves the OAuth2 token and revocation endpoints and the authorization server's metadata. It parses the
// HTTP form; package auth decides about clients, codes and tokens. The consent page is in internal/web/account.
package oauth

import (
	"cmp"
	"log/slog"
	"time"

	"gamedata/internal/auth"
	"gamedata/internal/httpapi"
)

// Options of an Endpoint.
type Options struct {
	// Timeout bounds one exchange; httpapi.DefaultTimeout if 0.
	Timeout time.Duration
	// Log receives errors that callers do not see; slog.Default() if nil.
	Log *slog.Logger
}

// Endpoint serves OAuth2 applications. It is safe for concurrent use.
type Endpoint struct {
	api      *httpapi.API
	accounts *auth.Accounts
	timeout  time.Duration
	log      *slog.Logger
}

// New returns the endpoint for the applications of a.
func New(api *httpapi.API, a *auth.Accounts, o Options) *Endpoint {
	o.Timeout = cmp.Or(o.Timeout, httpapi.DefaultTimeout)
	o.Log = cmp.Or(o.Log, slog.Default())
	return &Endpoint{api: api, accounts: a, timeout: o.Timeout, log: o.Log}
}
