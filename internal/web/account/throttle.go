package account

import (
	"strings"
	"time"

	"gamedata/internal/httpapi"
	"gamedata/internal/ratelimit"
	"gamedata/mongo"
)

// rates bound how often something with a password is tried: by one address for one name, by
// one address, and for one name. The last one is wide, so that strangers cannot easily keep
// somebody out.
type rates struct {
	name                   string
	both, address, account ratelimit.Rate
}

var (
	signInRates = rates{"sign in", ratelimit.Rate{Limit: 10, Per: 15 * time.Minute}, ratelimit.Rate{
		Limit: 30,
		Per:   15 * time.Minute,
	}, ratelimit.Rate{Limit: 100, Per: time.Hour}}
	signUpRates = rates{
		"sign up",
		ratelimit.Rate{Limit: 10, Per: time.Hour},
		ratelimit.Rate{Limit: 20, Per: time.Hour},
		ratelimit.Rate{Limit: 100, Per: time.Hour},
	}
)

// tooMany counts a try and tells how long to wait until the next one is looked at; 0 when this
// one is.
func (p *Pages) tooMany(v *visit, of rates, name string) time.Duration {
	address, name := httpapi.AddressKey(v.asker.Address), mongo.Fold(strings.TrimSpace(name)) // as accounts are found
	if len(name) > 200 {                                                                      // no name is so long
		name = name[:200]
	}
	for _, c := range []struct {
		key  string
		rate ratelimit.Rate
	}{{"both " + address + " " + name, of.both}, {"address " + address, of.address}, {"account " + name, of.account}} {
		if dec := p.throttle.Take(of.name, c.key, 1, c.rate); !dec.Allowed {
			return max(dec.RetryAfter, time.Second)
		}
	}
	return 0
}
