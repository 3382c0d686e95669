// Package oauth is OAuth2 over HTTP (SPEC §4, WIRE §5): how applications ask for an access
// token, and what they may know of the service without asking anybody. Reading forms is pure;
// who an application is and what a code is worth is decided by accounts. Pages that people see
// do not belong here.
package oauth

import (
	"log/slog"
	"time"

	"gamedata/internal/auth"
	"gamedata/internal/httpapi"
)

// Options of an Endpoint.
type Options struct {
	// Timeout bounds one exchange; httpapi.DefaultTimeout when 0.
	Timeout time.Duration
	// Log takes what callers are not told; slog.Default() when nil.
	Log *slog.Logger
}

// Endpoint answers applications. It is safe for concurrent use.
type Endpoint struct {
	door     *httpapi.Door
	accounts *auth.Accounts
	timeout  time.Duration
	log      *slog.Logger
}

// New returns the endpoint for applications of some accounts.
func New(d *httpapi.Door, a *auth.Accounts, o Options) *Endpoint {
	if o.Timeout == 0 {
		o.Timeout = httpapi.DefaultTimeout
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	return &Endpoint{door: d, accounts: a, timeout: o.Timeout, log: o.Log}
}
