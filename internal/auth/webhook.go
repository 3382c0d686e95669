package auth

import (
	"context"
	"encoding/base64"
	"errors"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"gamedata/graph/model"
)

// Errors about webhooks. Their texts are shown to users.
var (
	ErrNoWebhook         = errors.New("the account has no such webhook")
	ErrInvalidWebhookURL = errors.New(
		"the address of a webhook is a public https URL of at most 500 ASCII characters, without user and fragment")
	ErrInvalidWebhookFilter = errors.New("a webhook names at most 100 guilds, 100 players and 100 territories")
	ErrWebhookLimit         = errors.New("an account has at most 10 webhooks: delete one first")
)

const (
	maxWebhookURL      = 500 // characters
	maxWebhookSubjects = 100 // in each list
	maxTerritoryName   = 100 // characters
	// webhookPause is the longest pause after which a webhook, once enabled again, still delivers the events it missed.
	webhookPause = 7 * 24 * time.Hour
)

// Webhooks manages the addresses to which the service sends an account's events.
type Webhooks struct {
	*base
	private bool
}

// Private reports whether webhooks may have private addresses and plain http.
func (ws *Webhooks) Private() bool { return ws.private }

// Of returns the webhooks of an account in the order they were created.
func (ws *Webhooks) Of(ctx context.Context, account string) ([]*model.Webhook, error) {
	found, err := ws.store.Webhooks.Of(ctx, account)
	slices.SortStableFunc(found, func(a, b *model.Webhook) int { return a.CreatedAt.Compare(b.CreatedAt) })
	return found, err
}

// Own returns a webhook of an account by its id, or ErrNoWebhook.
func (ws *Webhooks) Own(ctx context.Context, account, id string) (*model.Webhook, error) {
	found, err := ws.store.Webhooks.ByID(ctx, []string{id})
	w, err := first(found, err, ErrNoWebhook)
	if err == nil && w.Account != account {
		return nil, ErrNoWebhook
	}
	return w, err
}

// Create creates a webhook of an account. It returns ErrInvalidWebhookURL, ErrInvalidWebhookFilter or ErrWebhookLimit
// for errors that the user can correct. Each webhook takes a numbered place under a unique index, so the limit holds
// for concurrent calls on several instances too.
func (ws *Webhooks) Create(ctx context.Context, account string, in model.CreateWebhookInput) (*model.Webhook, error) {
	now := ws.now().UTC().Truncate(time.Millisecond)
	w := &model.Webhook{
		Key: newID(), Account: account, URL: in.URL, Format: in.Format, Types: in.Types, GuildUuids: in.Guilds,
		PlayerUuids: in.Players, TerritoryNames: in.Territories, CreatedAt: now, Since: now,
		WebhookState: model.WebhookState{DeliveredTo: now},
	}
	if err := ws.validate(w); err != nil {
		return nil, err
	}
	return w, insertOneOf(ctx, model.MaxWebhooks, ErrWebhookLimit, account, ws.store.Webhooks.Of,
		func(w *model.Webhook) *int { return &w.Place }, func(place int) error {
			w.Place = place
			return ws.store.Webhooks.Insert(ctx, w)
		})
}

// Update changes a webhook of an account; nil keeps a property. It returns the errors of Create, and ErrNoWebhook.
func (ws *Webhooks) Update(ctx context.Context, account, id string, in model.UpdateWebhookInput) (
	w *model.Webhook, err error,
) {
	err = ws.store.Webhooks.Edit(ctx, id, func(stored *model.Webhook) error {
		w = stored
		if w.Account != account {
			return ErrNoWebhook
		}
		ws.change(w, in)
		w.Version++
		return ws.validate(w)
	})
	return w, replaceNotFound(err, ErrNoWebhook)
}

func (ws *Webhooks) change(w *model.Webhook, in model.UpdateWebhookInput) {
	moved := in.URL != nil && *in.URL != w.URL
	setIfGiven(&w.URL, in.URL)
	setIfGiven(&w.Format, in.Format)
	for list, given := range map[*[]string][]string{
		&w.GuildUuids: in.Guilds, &w.PlayerUuids: in.Players, &w.TerritoryNames: in.Territories,
	} {
		if given != nil {
			*list = given
		}
	}
	if in.Types != nil {
		w.Types = in.Types
	}
	now := ws.now().UTC().Truncate(time.Millisecond)
	switch {
	case in.Enabled != nil && !*in.Enabled:
		if w.DisabledAt == nil {
			w.Disable(now, model.WebhookDisabledReasonOwner)
		}
	case in.Enabled != nil || moved && w.DisabledAt == nil:
		w.Enable()
	}
	if in.Enabled != nil && *in.Enabled && now.Sub(w.DeliveredTo) > webhookPause {
		w.Since, w.DeliveredTo, w.Recent = now, now, nil
	}
}

func setIfGiven[T any](to, given *T) {
	if given != nil {
		*to = *given
	}
}

// Delete deletes a webhook of an account, or returns ErrNoWebhook.
func (ws *Webhooks) Delete(ctx context.Context, account, id string) error {
	return replaceNotFound(ws.store.Webhooks.DeleteOwn(ctx, account, id), ErrNoWebhook)
}

// SigningKey returns the key that signs deliveries to a webhook. It is derived from the id and the pepper, so a copy of
// the database does not reveal it.
func (ws *Webhooks) SigningKey(w *model.Webhook) []byte {
	key, _ := decodeBase64url(ws.digest("webhook " + w.Key))
	return key
}

// Secret returns the signing key for receivers, in the format of Standard Webhooks.
func (ws *Webhooks) Secret(w *model.Webhook) string {
	return "whsec_" + base64.StdEncoding.EncodeToString(ws.SigningKey(w))
}

// validate checks a webhook and removes duplicates from its lists.
func (ws *Webhooks) validate(w *model.Webhook) error {
	var err error
	w.Types = distinct(w.Types)
	for _, list := range []*[]string{&w.GuildUuids, &w.PlayerUuids, &w.TerritoryNames} {
		*list = distinct(*list)
	}
	if !validWebhookURL(w.URL, ws.private) {
		err = ErrInvalidWebhookURL
	}
	invalid := func(name string) bool { return name == "" || !printable(name, maxTerritoryName) }
	if max(len(w.GuildUuids), len(w.PlayerUuids), len(w.TerritoryNames)) > maxWebhookSubjects ||
		slices.ContainsFunc(w.TerritoryNames, invalid) {
		err = errors.Join(err, ErrInvalidWebhookFilter)
	}
	return err
}

// distinct removes duplicates, keeping the order.
func distinct[T comparable](values []T) []T {
	seen := map[T]bool{}
	return slices.DeleteFunc(slices.Clone(values), func(v T) bool {
		again := seen[v]
		seen[v] = true
		return again
	})
}

func validWebhookURL(s string, private bool) bool {
	u, err := url.Parse(s)
	if err != nil || !printable(s, maxWebhookURL) || !validHost(u) || u.User != nil ||
		strings.ContainsAny(s, "# \\") ||
		strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII }) {
		return false
	}
	if private {
		return u.Scheme == "https" || u.Scheme == "http"
	}
	address, err := netip.ParseAddr(u.Hostname())
	return u.Scheme == "https" && (err != nil || PublicAddress(address))
}

// notPublic lists networks that look like global unicast but that webhooks must not reach: this network, carriers,
// protocols, documentation, benchmarks, reserved ranges, and IPv6 addresses that contain an IPv4 address.
var notPublic = func() (out []netip.Prefix) {
	for _, network := range []string{
		"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24",
		"203.0.113.0/24", "240.0.0.0/4", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
	} {
		out = append(out, netip.MustParsePrefix(network))
	}
	return out
}()

var globalIPv6 = netip.MustParsePrefix("2000::/3")

// PublicAddress reports whether an address belongs to a machine on the internet.
func PublicAddress(a netip.Addr) bool {
	a = a.Unmap()
	return a.IsGlobalUnicast() && !a.IsPrivate() && a.Zone() == "" && (a.Is4() || globalIPv6.Contains(a)) &&
		!slices.ContainsFunc(notPublic, func(p netip.Prefix) bool { return p.Contains(a) })
}
