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

// SessionLifetime is how long somebody stays signed in.
const SessionLifetime = 14 * 24 * time.Hour

// ErrSignInFailed refuses a sign-in; it does not tell whether there is such an account.
var ErrSignInFailed = errors.New("the name or the password is wrong")

// ErrWrongPassword refuses a change of password.
var ErrWrongPassword = errors.New("the current password is wrong")

// SignUp makes an account that its user can sign in to.
func (a *Accounts) SignUp(ctx context.Context, name, password string) (*model.Account, error) {
	if mongo.Fold(name) == Operator {
		return nil, ErrAccountNameTaken
	}
	if err := errors.Join(validateName(name), validatePassword(password)); err != nil {
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

// TooManyAttemptsError refuses another try.
type TooManyAttemptsError struct {
	// Wait is how long it takes until the next one is looked at.
	Wait time.Duration
}

// Seconds is the wait in whole seconds, which are enough.
func (e *TooManyAttemptsError) Seconds() int { return int((e.Wait + time.Second - 1) / time.Second) }

func (e *TooManyAttemptsError) Error() string {
	return fmt.Sprintf("too many tries, wait %d seconds", e.Seconds())
}

// ChangePassword is SetPassword for users, who must know the present one: else ErrWrongPassword, and
// *TooManyAttemptsError after some tries.
func (a *Accounts) ChangePassword(ctx context.Context, account, present, password string) error {
	if err := validatePassword(password); err != nil {
		return err
	}
	if dec := a.throttle.Take("password", account, 1, tries); !dec.Allowed {
		return &TooManyAttemptsError{Wait: max(dec.RetryAfter, time.Second)}
	}
	of, err := a.AccountByID(ctx, account)
	if err == nil {
		err = a.VerifyPassword(ctx, of, present)
	}
	if errors.Is(err, ErrSignInFailed) {
		err = ErrWrongPassword
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
	if err := validatePassword(password); err != nil {
		return err
	}
	hash, err := a.hashPassword(ctx, password)
	if err != nil {
		return err
	}
	if err := a.store.SetPassword(ctx, account, hash); err != nil {
		if errors.Is(err, mongo.ErrNotFound) {
			err = ErrNoAccount
		}
		return err
	}
	return a.store.DeleteSessionsOf(ctx, account)
}

// SignIn starts a session for whoever knows the password and returns its secret. A session
// that was there before, empty for none, ends: no secret from before the sign-in lives on.
func (a *Accounts) SignIn(ctx context.Context, name, password, before string) (secret string, err error) {
	found, err := a.AccountByName(ctx, name)
	if err != nil && !errors.Is(err, ErrNoAccount) {
		return "", err
	}
	if err := a.VerifyPassword(ctx, found, password); err != nil {
		return "", err
	}
	if err := a.SignOut(ctx, before); err != nil {
		return "", err
	}
	secret = newSecret(session)
	now := a.now().UTC()
	err = a.store.InsertSession(ctx, &model.Session{
		Digest: a.digest(secret), Account: found.ID, Created: now,
		Expires: now.Add(SessionLifetime),
	})
	if err != nil {
		return "", err
	}
	// A change of the password ends the sessions there are: was it too early for this one, the
	// password is another now.
	still, err := a.AccountByID(ctx, found.ID)
	if err == nil && still.Password != found.Password {
		err = ErrSignInFailed
	}
	if err != nil {
		return "", errors.Join(err, a.SignOut(ctx, secret))
	}
	return secret, nil
}

// VerifyPassword refuses with ErrSignInFailed what is not the password of an account; a nil account has
// none, and takes as long.
func (a *Accounts) VerifyPassword(ctx context.Context, of *model.Account, password string) error {
	hash := ""
	if of != nil {
		hash = of.Password
	}
	ok, err := a.passwordMatches(ctx, password, hash)
	if err == nil && !ok {
		err = ErrSignInFailed
	}
	return err
}

// SignOut ends a session by its secret; here at once, in other instances within 5 seconds.
func (a *Accounts) SignOut(ctx context.Context, secret string) error {
	if secretKind(secret) != session {
		return nil
	}
	return a.EndSession(ctx, a.digest(secret))
}

// InvalidateSession forgets what is remembered of a session, by what viewer.Viewer calls it: its next
// request sees the account as it is now.
func (a *Accounts) InvalidateSession(session string) { a.known.drop(session) }

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
	return cookie != "" && equalDigests(a.FormToken(cookie), token)
}
