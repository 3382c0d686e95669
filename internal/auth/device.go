package auth

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"gamedata/graph/model"
)

// A device cookie marks a browser in which an account has signed in. It is no credential: it only gives the browser its
// own limit for signing in to that account, because attackers can exhaust the limits of the account's name ("device
// cookies" of OWASP).
//
// It is a list of devices, one per account, as ID.CREATED.DIGEST separated by deviceSeparator. The digest covers the
// account and its password, so a device is known for one account only, until its password changes; the cookie reveals
// neither.

// DeviceLifetime is how long a browser is known after a sign-in.
const DeviceLifetime = 180 * 24 * time.Hour

const (
	maxDevices      = 4 // accounts per browser
	deviceSeparator = "~"
	digestChars     = 43
)

// Devices recognises browsers that signed in to an account before.
type Devices struct {
	*base
	accounts *Accounts
}

// device is one entry of a device cookie.
type device struct{ id, created, digest string }

func (d device) String() string { return d.id + "." + d.created + "." + d.digest }

// parse returns the well-formed entries of a cookie that have not expired, at most maxDevices.
func (ds *Devices) parse(cookie string) []device {
	var found []device
	for entry := range strings.SplitSeq(cookie, deviceSeparator) {
		parts := strings.Split(entry, ".")
		if len(parts) != 3 || len(parts[0]) != len(newID()) || len(parts[2]) != digestChars {
			continue
		}
		seconds, err := strconv.ParseInt(parts[1], 10, 64)
		age := ds.now().Sub(time.Unix(seconds, 0))
		if err != nil || age < 0 || age >= DeviceLifetime {
			continue
		}
		found = append(found, device{parts[0], parts[1], parts[2]})
		if len(found) == maxDevices {
			break
		}
	}
	return found
}

func (ds *Devices) digestOf(account *model.Account, id, created string) string {
	return ds.digest(strings.Join([]string{"device", account.ID, account.Password, id, created}, "\n"))
}

// Known returns the id of the account's device in a cookie, or "". An unknown account has no known device and takes the
// same time.
func (ds *Devices) Known(ctx context.Context, name, cookie string) (id string, err error) {
	devices := ds.parse(cookie)
	if len(devices) == 0 {
		return "", nil
	}
	account, err := ds.accounts.ByName(ctx, name)
	switch {
	case errors.Is(err, ErrNoAccount):
		account = &model.Account{}
	case err != nil:
		return "", err
	}
	for _, d := range devices {
		if equalDigests(ds.digestOf(account, d.id, d.created), d.digest) && account.ID != "" {
			return d.id, nil
		}
	}
	return "", nil
}

// Remember returns the new device cookie of a browser that has just signed in to the account with a name. cookie is its
// previous one, empty for none. The device gets a new id; other accounts' devices stay in the cookie.
func (ds *Devices) Remember(ctx context.Context, name, cookie string) (string, error) {
	account, err := ds.accounts.ByName(ctx, name)
	if err != nil {
		return "", err
	}
	id, created := newID(), strconv.FormatInt(ds.now().Unix(), 10)
	entries := []string{device{id, created, ds.digestOf(account, id, created)}.String()}
	for _, d := range ds.parse(cookie) {
		if len(entries) < maxDevices && !equalDigests(ds.digestOf(account, d.id, d.created), d.digest) {
			entries = append(entries, d.String())
		}
	}
	return strings.Join(entries, deviceSeparator), nil
}
