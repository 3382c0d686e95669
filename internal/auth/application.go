package auth

import (
	"cmp"
	"context"
	"errors"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"gamedata/graph/model"
	"gamedata/graph/viewer"
)

// Errors about applications. Their texts are shown to users.
var (
	ErrNoApplication   = errors.New("there is no such application")
	ErrInvalidRedirect = errors.New(
		"an application has 1 to 10 different redirect URIs of at most 500 ASCII characters: " +
			"https, http of this machine, or a scheme of its own with a dot, without a fragment",
	)
	ErrUnknownScope     = errors.New("the scopes are " + strings.Join(model.ScopeNames, ", "))
	ErrApplicationLimit = errors.New("an account has at most 20 applications: delete one first")
)

const (
	maxApplications = 20 // per account, for users
	maxRedirects    = 10
	maxRedirect     = 500 // characters
)

// Applications manages the OAuth2 applications that users and operators register.
type Applications struct{ *base }

// Create registers an application without the limit for users. A private application gets a secret, which cannot be
// retrieved later; a public one, such as a mobile or desktop app, gets none. The scope identify is always added.
func (a *Applications) Create(ctx context.Context, account, name string, redirects, scopes []string,
	private bool,
) (app *model.Application, secret string, err error) {
	app, secret, err = a.build(account, name, redirects, scopes, private)
	if err != nil {
		return nil, "", err
	}
	return app, secret, a.store.Applications.Insert(ctx, app)
}

func (a *Applications) build(account, name string, redirects, scopes []string,
	private bool,
) (app *model.Application, secret string, err error) {
	if err := errors.Join(validateName(name), validateRedirects(redirects)); err != nil {
		return nil, "", err
	}
	app = &model.Application{
		ClientID: newID(), Name: name, Account: account, RedirectURIs: redirects, CreatedAt: a.now().UTC(),
	}
	if app.Scopes, err = normalizeScopes(scopes); err != nil {
		return nil, "", err
	}
	if private {
		secret = newSecret(appSecret)
		app.SecretDigest = a.digest(secret)
	}
	return app, secret, nil
}

// Register is Create for users: it returns ErrApplicationLimit if the account has 20 applications. Each application
// takes a numbered place under a unique index, so the limit holds for concurrent registrations on several instances
// too. Applications created by operators count but take no place.
func (a *Applications) Register(ctx context.Context, account, name string, redirects, scopes []string,
	private bool,
) (*model.Application, string, error) {
	app, secret, err := a.build(account, name, redirects, scopes, private)
	if err == nil {
		err = insertOneOf(ctx, maxApplications, ErrApplicationLimit, account, a.store.Applications.Of,
			func(app *model.Application) *int { return app.Place }, func(place int) error {
				app.Place = &place
				return a.store.Applications.Insert(ctx, app)
			})
	}
	if err != nil {
		return nil, "", err
	}
	return app, secret, nil
}

// Of returns the applications of an account.
func (a *Applications) Of(ctx context.Context, account string) ([]*model.Application, error) {
	found, err := a.store.Applications.Of(ctx, account)
	slices.SortFunc(found, func(a, b *model.Application) int { return strings.Compare(a.ClientID, b.ClientID) })
	return found, err
}

// ByID returns the application with a client id, or ErrNoApplication.
func (a *Applications) ByID(ctx context.Context, id string) (*model.Application, error) {
	apps, err := a.store.Applications.ByID(ctx, []string{id})
	return first(apps, err, ErrNoApplication)
}

// RotateSecret replaces the secret of a private application of an account. The previous secret is invalid at once.
func (a *Applications) RotateSecret(ctx context.Context, account, id string) (
	app *model.Application, secret string, err error,
) {
	secret = newSecret(appSecret)
	app, err = a.edit(ctx, account, id, func(app *model.Application) error {
		if !app.Private() {
			return ErrNoApplication
		}
		app.SecretDigest = a.digest(secret)
		return nil
	})
	return app, secret, err
}

// Edit changes an application of an account; nil keeps a property. Existing grants do not change.
func (a *Applications) Edit(ctx context.Context, account, id string, name *string, redirects,
	scopes []string,
) (*model.Application, error) {
	return a.edit(ctx, account, id, func(app *model.Application) (err error) {
		setIfGiven(&app.Name, name)
		if redirects != nil {
			app.RedirectURIs = redirects
		}
		if scopes != nil {
			if app.Scopes, err = normalizeScopes(scopes); err != nil {
				return err
			}
		}
		return errors.Join(validateName(app.Name), validateRedirects(app.RedirectURIs))
	})
}

// edit changes an application of an account. It returns the errors of change and ErrNoApplication.
func (a *Applications) edit(ctx context.Context, account, id string, change func(*model.Application) error) (
	app *model.Application, err error,
) {
	err = a.store.Applications.Edit(ctx, id, func(stored *model.Application) error {
		app = stored
		if app.Account != account {
			return ErrNoApplication
		}
		return change(app)
	})
	return app, replaceNotFound(err, ErrNoApplication)
}

// DeleteOwn is Delete for users: the application must belong to the account.
func (a *Applications) DeleteOwn(ctx context.Context, account, id string) error {
	app, err := a.ByID(ctx, id)
	if err == nil && app.Account != account {
		err = ErrNoApplication
	}
	if err != nil {
		return err
	}
	return a.Delete(ctx, id)
}

// Delete deletes an application and its grants.
func (a *Applications) Delete(ctx context.Context, id string) error {
	defer a.cache.invalidateViewers(func(v viewer.Viewer) bool { return v.App == id })
	return replaceNotFound(a.store.Applications.Delete(ctx, id), ErrNoApplication)
}

// authenticate returns the application that sent a request. A private application proves itself with its secret; a
// public one has none. An unknown application and a wrong secret give the same error after the same time.
func (a *Applications) authenticate(ctx context.Context, id, secret string) (*model.Application, error) {
	found, err := a.store.Applications.ByID(ctx, []string{id})
	if err != nil {
		return nil, err
	}
	app, stored := found[0], ""
	if app != nil {
		stored = app.SecretDigest
	}
	matches := equalDigests(stored, a.digest(secret))
	switch {
	case app == nil:
		return nil, ErrWrongClient
	case app.Private() && secret == "":
		return nil, ErrNoSecret
	case app.Private() && !matches:
		return nil, ErrWrongClient
	case !app.Private() && secret != "":
		return nil, ErrPublicSecret
	}
	return app, nil
}

// normalizeScopes adds identify and sorts scopes in the order of model.ScopeNames.
func normalizeScopes(scopes []string) ([]string, error) {
	var out []string
	for _, s := range scopes {
		if !slices.Contains(model.ScopeNames, s) {
			return nil, ErrUnknownScope
		}
	}
	for _, s := range model.ScopeNames {
		if s == model.IdentifyScope || slices.Contains(scopes, s) {
			out = append(out, s)
		}
	}
	return out, nil
}

func validateRedirects(uris []string) error {
	if len(uris) < 1 || len(uris) > maxRedirects {
		return ErrInvalidRedirect
	}
	var invalid []string
	for i, s := range uris {
		if !validRedirect(s) || slices.Contains(uris[:i], s) {
			invalid = append(invalid, s)
		}
	}
	return About(ErrInvalidRedirect, invalid...)
}

// validRedirect reports whether a code may be sent to a URI: over HTTPS, to this machine, or to an app
// by a private-use scheme, which contains a dot (RFC 8252 §7 and §8.3). Characters beyond ASCII are
// rejected because browsers rewrite them.
func validRedirect(s string) bool {
	u, err := url.Parse(s)
	if err != nil || !printable(s, maxRedirect) || u.Opaque != "" || u.User != nil || strings.ContainsAny(s, "# \\") ||
		strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII }) {
		return false
	}
	switch u.Scheme {
	case "https":
		return validHost(u)
	case "http":
		address, err := netip.ParseAddr(u.Hostname())
		return validHost(u) && (u.Hostname() == "localhost" || err == nil && address.IsLoopback())
	}
	return strings.Contains(u.Scheme, ".")
}

var hostName = regexp.MustCompile(`^([A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?\.?)+$`)

// validHost reports whether a URL names a host, and a port that exists or none.
func validHost(u *url.URL) bool {
	port, err := strconv.ParseUint(cmp.Or(u.Port(), "443"), 10, 16)
	if err != nil || port == 0 || strings.HasSuffix(u.Host, ":") {
		return false
	}
	_, err = netip.ParseAddr(u.Hostname())
	return err == nil || hostName.MatchString(u.Hostname())
}
