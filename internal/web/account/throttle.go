package account

import (
	"context"
	"strings"
	"time"

	"gamedata/internal/httpapi"
	"gamedata/internal/ratelimit"
	"gamedata/mongo"
)

// rates limit attempts with a password: by one address for one name, by one address, and for one name. The last limit
// is wide, but an attacker with a dozen addresses can exhaust it, so known devices have their own.
type rates struct {
	name                   string
	both, address, account ratelimit.Rate
}

var (
	signInRates = rates{
		name:    "sign in",
		both:    ratelimit.Rate{Limit: 10, Per: 15 * time.Minute},
		address: ratelimit.Rate{Limit: 30, Per: 15 * time.Minute},
		account: ratelimit.Rate{Limit: 100, Per: time.Hour},
	}
	signUpRates = rates{
		name:    "sign up",
		both:    ratelimit.Rate{Limit: 10, Per: time.Hour},
		address: ratelimit.Rate{Limit: 20, Per: time.Hour},
		account: ratelimit.Rate{Limit: 100, Per: time.Hour},
	}
)

// deviceRate limits sign-in attempts on a known device. It has a separate bucket: within a bucket, counters share one
// when space runs out.
var deviceRate = ratelimit.Rate{Limit: 10, Per: 15 * time.Minute}

const deviceBucket = "sign in on a known device"

// throttleSignIn is throttle for signing in: a known device of the account has a separate limit that other callers
// cannot exhaust. Once its user or a stolen cookie has exhausted it, the limits of unknown devices apply.
func (p *Pages) throttleSignIn(ctx context.Context, q *request, name string) (time.Duration, error) {
	device, err := p.accounts.Devices.Known(ctx, name, q.device)
	if err != nil {
		return 0, err
	}
	if device != "" && p.o.Throttle.Take(deviceBucket, device, 1, deviceRate).Allowed {
		return 0, nil
	}
	return p.throttle(q, signInRates, name), nil
}

// throttle counts an attempt and returns how long to wait before the next; 0 when this one may proceed.
func (p *Pages) throttle(q *request, of rates, name string) time.Duration {
	address := httpapi.AddressKey(q.viewer.Address)
	name = mongo.Fold(strings.TrimSpace(name)) // as accounts are looked up
	if len(name) > 200 {                       // longer than any name
		name = name[:200]
	}
	for _, c := range []struct {
		key  string
		rate ratelimit.Rate
	}{{"both " + address + " " + name, of.both}, {"address " + address, of.address}, {"account " + name, of.account}} {
		if dec := p.o.Throttle.Take(of.name, c.key, 1, c.rate); !dec.Allowed {
			return max(dec.RetryAfter, time.Second)
		}
	}
	return 0
}
