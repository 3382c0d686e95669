package auth

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/ratelimit"
	"gamedata/mongo"
)

// SessionLife is how long somebody stays signed in.
const SessionLife = 14 * 24 * time.Hour

// ErrSignIn refuses a sign-in; it does not tell whether there is such an account.
var ErrSignIn = errors.New("the name or the password is wrong")

// ErrPresent refuses a change of password.
var ErrPresent = errors.New("the present password is wrong")

// SignUp makes an account that its user can sign in to.
func (a *Accounts) SignUp(ctx context.Context, name, password string) (*model.Account, error) {
	if mongo.Fold(name) == Operator {
		return nil, ErrAccountName
	}
	if err := errors.Join(checkName(name), checkPassword(password)); err != nil {
		return nil, err
	}
	hash, err := a.hashPassword(ctx, password)
	if err != nil {
		return nil, err
	}
	return a.create(ctx, name, hash)
}

// tries bounds how often the present password of an account is asked for by those who are
// signed in as its user.
var tries = ratelimit.Rate{Limit: 10, Per: 15 * time.Minute}

// TooMany refuses another try.
type TooMany struct {
	// Wait is how long it takes until the next one is looked at.
	Wait time.Duration
}

// Seconds is the wait in whole seconds, which are enough.
func (e *TooMany) Seconds() int { return int((e.Wait + time.Second - 1) / time.Second) }

func (e *TooMany) Error() string {
	return fmt.Sprintf("too many tries, wait %d seconds", e.Seconds())
}

// ChangePassword is SetPassword for users, who must know the present one: else ErrPresent, and
// *TooMany after some tries.
func (a *Accounts) ChangePassword(ctx context.Context, account, present, password string) error {
	if err := checkPassword(password); err != nil {
		return err
	}
	if dec := a.throttle.Take("password", account, 1, tries); !dec.Allowed {
		return &TooMany{Wait: max(dec.RetryAfter, time.Second)}
	}
	of, err := a.Get(ctx, account)
	if err == nil {
		err = a.IsPassword(ctx, of, present)
	}
	if errors.Is(err, ErrSignIn) {
		err = ErrPresent
	}
	if err != nil {
		return err
	}
	return a.SetPassword(ctx, account, password)
}

// SetPassword gives an account another password and ends all its sessions, here and elsewhere
// within 5 seconds: who knew the one before is out.
func (a *Accounts) SetPassword(ctx context.Context, account, password string) error {
	defer a.forget(account)
	if err := checkPassword(password); err != nil {
		return err
	}
	hash, err := a.hashPassword(ctx, password)
	if err != nil {
		return err
	}
	if err := a.store.SetPassword(ctx, account, hash); err != nil {
		if errors.Is(err, mongo.ErrMissing) {
			err = ErrNoAccount
		}
		return err
	}
	return a.store.DeleteSessionsOf(ctx, account)
}

// SignIn starts a session for whoever knows the password and returns its secret. A session
// that was there before, empty for none, ends: no secret from before the sign-in lives on.
func (a *Accounts) SignIn(ctx context.Context, name, password, before string) (secret string, err error) {
	found, err := a.Named(ctx, name)
	if err != nil && !errors.Is(err, ErrNoAccount) {
		return "", err
	}
	if err := a.IsPassword(ctx, found, password); err != nil {
		return "", err
	}
	if err := a.SignOut(ctx, before); err != nil {
		return "", err
	}
	secret = newSecret(session)
	now := a.now().UTC()
	err = a.store.InsertSession(ctx, &model.Session{
		Digest: a.digest(secret), Account: found.ID, Created: now,
		Expires: now.Add(SessionLife),
	})
	if err != nil {
		return "", err
	}
	// A change of the password ends the sessions there are: was it too early for this one, the
	// password is another now.
	still, err := a.Get(ctx, found.ID)
	if err == nil && still.Password != found.Password {
		err = ErrSignIn
	}
	if err != nil {
		return "", errors.Join(err, a.SignOut(ctx, secret))
	}
	return secret, nil
}

// IsPassword refuses with ErrSignIn what is not the password of an account; a nil account has
// none, and takes as long.
func (a *Accounts) IsPassword(ctx context.Context, of *model.Account, password string) error {
	hash := ""
	if of != nil {
		hash = of.Password
	}
	ok, err := a.isPassword(ctx, password, hash)
	if err == nil && !ok {
		err = ErrSignIn
	}
	return err
}

// SignOut ends a session by its secret; here at once, in other instances within 5 seconds.
func (a *Accounts) SignOut(ctx context.Context, secret string) error {
	if kindOf(secret) != session {
		return nil
	}
	return a.EndSession(ctx, a.digest(secret))
}

// LookAgain forgets what is remembered of a session, by what viewer.Viewer calls it: its next
// request sees the account as it is now.
func (a *Accounts) LookAgain(session string) { a.known.drop(session) }

// EndSession is SignOut by what viewer.Viewer calls the session.
func (a *Accounts) EndSession(ctx context.Context, session string) error {
	err := a.store.DeleteSessions(ctx, []string{session})
	a.known.drop(session)
	return err
}

// FormToken is what a form carries to show that it was made for the browser that holds a
// secret in a cookie. It tells nothing of the secret.
func (a *Accounts) FormToken(cookie string) string { return a.digest("form " + cookie) }

// IsFormToken compares in constant time.
func (a *Accounts) IsFormToken(cookie, token string) bool {
	return cookie != "" && same(a.FormToken(cookie), token)
}
