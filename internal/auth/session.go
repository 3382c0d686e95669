package auth

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/ratelimit"
	"gamedata/mongo"
)

// SessionLifetime is how long a user stays signed in.
const SessionLifetime = 14 * 24 * time.Hour

// ErrSignInFailed rejects a sign-in without revealing whether the account exists.
var ErrSignInFailed = errors.New("the name or the password is wrong")

// Errors about changes of a signed-in user. Their texts are shown to users.
var (
	ErrWrongPassword = errors.New("the current password is wrong")
	ErrNoSession     = errors.New("the account has no such session")
)

// SignUp creates an account with a password.
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

// passwordAttempts bounds how often the current password of an account is checked for a change by its user:
// a stolen session must not be a way to guess the password.
var passwordAttempts = ratelimit.Rate{Limit: 10, Per: 15 * time.Minute}

// TooManyAttemptsError rejects another attempt.
type TooManyAttemptsError struct {
	Wait time.Duration // until the next attempt is accepted
}

// Seconds returns the wait in seconds, rounded up.
func (e *TooManyAttemptsError) Seconds() int { return int((e.Wait + time.Second - 1) / time.Second) }

func (e *TooManyAttemptsError) Error() string {
	return fmt.Sprintf("too many tries, wait %d seconds", e.Seconds())
}

// ChangePassword is SetPassword for users, who must know the current password: errors are those of confirmPassword.
func (a *Accounts) ChangePassword(ctx context.Context, account, current, password string) error {
	if err := validatePassword(password); err != nil {
		return err
	}
	if err := a.confirmPassword(ctx, account, current); err != nil {
		return err
	}
	return a.SetPassword(ctx, account, password)
}

// confirmPassword checks the current password of a signed-in user. It returns ErrWrongPassword if it is wrong and
// *TooManyAttemptsError after 10 attempts in 15 minutes.
func (a *Accounts) confirmPassword(ctx context.Context, account, current string) error {
	if dec := a.throttle.Take("password", account, 1, passwordAttempts); !dec.Allowed {
		return &TooManyAttemptsError{Wait: max(dec.RetryAfter, time.Second)}
	}
	user, err := a.AccountByID(ctx, account)
	if err == nil {
		err = a.VerifyPassword(ctx, user, current)
	}
	if errors.Is(err, ErrSignInFailed) {
		err = ErrWrongPassword
	}
	return err
}

// DeleteAccount deletes an account by its user, who must know the password (errors as for confirmPassword): sessions,
// API tokens, saved queries, applications with their grants, and what the user granted. Its name and its players are
// free afterwards.
//
// The account goes last, so that its user can repeat a deletion that failed; what was added meanwhile goes after it.
func (a *Accounts) DeleteAccount(ctx context.Context, account, password string) error {
	defer a.credentials.invalidateAccount(account)
	err := a.confirmPassword(ctx, account, password)
	if err == nil {
		err = a.deleteBelongings(ctx, account)
	}
	if err == nil {
		err = replaceNotFound(a.store.Accounts.Delete(ctx, account), ErrNoAccount)
	}
	if err == nil {
		err = a.deleteBelongings(ctx, account)
	}
	if err == nil {
		err = a.store.Sessions.DeleteOf(ctx, account, "")
	}
	return err
}

// deleteBelongings deletes the applications of an account, what it granted to others, and its saved queries.
func (a *Accounts) deleteBelongings(ctx context.Context, account string) error {
	apps, err := a.Applications(ctx, account)
	if err != nil {
		return err
	}
	for _, app := range apps {
		if err := a.DeleteApplication(ctx, app.ClientID); err != nil && !errors.Is(err, ErrNoApplication) {
			return err
		}
	}
	if err := a.store.Grants.RevokeOf(ctx, account); err != nil {
		return err
	}
	return a.store.SavedQueries.DeleteOf(ctx, account)
}

// SetPassword changes the password of an account and ends its sessions, on this instance at once and
// on others within 5 seconds.
func (a *Accounts) SetPassword(ctx context.Context, account, password string) error {
	defer a.credentials.invalidateAccount(account)
	if err := validatePassword(password); err != nil {
		return err
	}
	hash, err := a.hashPassword(ctx, password)
	if err != nil {
		return err
	}
	if err := a.store.Accounts.SetPassword(ctx, account, hash); err != nil {
		return replaceNotFound(err, ErrNoAccount)
	}
	return a.store.Sessions.DeleteOf(ctx, account, "")
}

// maxSessions is how many sessions of an account are listed.
const maxSessions = 100

// Sessions returns the sessions of an account that have not expired, the newest first, at most maxSessions.
func (a *Accounts) Sessions(ctx context.Context, account string) ([]*model.Session, error) {
	sessions, err := a.store.Sessions.Of(ctx, account, a.now().UTC(), maxSessions)
	for _, s := range sessions {
		s.Key = a.digest("session key " + s.Digest)[:sessionKeyChars]
	}
	return sessions, err
}

// sessionKeyChars are 96 bits.
const sessionKeyChars = 16

// EndSessionByKey ends one of the listed sessions of an account, on this instance at once and on others within 5
// seconds. It returns ErrNoSession if none has the key.
func (a *Accounts) EndSessionByKey(ctx context.Context, account, key string) error {
	sessions, err := a.Sessions(ctx, account)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(sessions, func(s *model.Session) bool { return s.Key == key })
	if i < 0 {
		return ErrNoSession
	}
	return a.EndSession(ctx, sessions[i].Digest)
}

// EndOtherSessions ends all sessions of an account except one, the Session of a viewer.Viewer, and returns those that
// were listed.
func (a *Accounts) EndOtherSessions(ctx context.Context, account, session string) ([]*model.Session, error) {
	defer a.credentials.invalidateAccount(account)
	sessions, err := a.Sessions(ctx, account)
	if err == nil {
		err = a.store.Sessions.DeleteOf(ctx, account, session)
	}
	return slices.DeleteFunc(sessions, func(s *model.Session) bool { return s.Digest == session }), err
}

// SignIn starts a session and returns its secret, or ErrSignInFailed. It ends the session that the
// browser had before, if any, so that no cookie set before the sign-in stays valid. The browser is in words, for its
// user to recognise; empty when unknown.
func (a *Accounts) SignIn(ctx context.Context, name, password, previous, browser string) (secret string, err error) {
	user, err := a.AccountByName(ctx, name)
	if err != nil && !errors.Is(err, ErrNoAccount) {
		return "", err
	}
	if err := a.VerifyPassword(ctx, user, password); err != nil {
		return "", err
	}
	if err := a.SignOut(ctx, previous); err != nil {
		return "", err
	}
	secret = newSecret(session)
	now := a.now().UTC()
	err = a.store.Sessions.Insert(ctx, &model.Session{
		Digest: a.digest(secret), Account: user.ID, Browser: browser, Created: now, Expires: now.Add(SessionLifetime),
	})
	if err != nil {
		return "", err
	}
	// A change of password ends existing sessions. If it ran before this session was inserted, the
	// password differs by now.
	current, err := a.AccountByID(ctx, user.ID)
	if err == nil && current.Password != user.Password {
		err = ErrSignInFailed
	}
	if err != nil {
		return "", errors.Join(err, a.SignOut(ctx, secret))
	}
	return secret, nil
}

// VerifyPassword returns ErrSignInFailed unless password is the account's. A nil account takes the same time.
func (a *Accounts) VerifyPassword(ctx context.Context, account *model.Account, password string) error {
	hash := ""
	if account != nil {
		hash = account.Password
	}
	ok, err := a.passwordMatches(ctx, password, hash)
	if err == nil && !ok {
		err = ErrSignInFailed
	}
	return err
}

// SignOut ends a session by its secret, on this instance at once and on others within 5 seconds.
func (a *Accounts) SignOut(ctx context.Context, secret string) error {
	if secretKind(secret) != session {
		return nil
	}
	return a.EndSession(ctx, a.digest(secret))
}

// InvalidateSession removes a session (the Session of a viewer.Viewer) from the credential cache, so
// that its next request reads the account.
func (a *Accounts) InvalidateSession(session string) { a.credentials.invalidate(session) }

// EndSession is SignOut by the Session of a viewer.Viewer.
func (a *Accounts) EndSession(ctx context.Context, session string) error {
	err := a.store.Sessions.Delete(ctx, []string{session})
	a.credentials.invalidate(session)
	return err
}

// FormToken returns the anti-forgery token of a form for the browser that has a secret cookie. It
// reveals nothing of the cookie.
func (a *Accounts) FormToken(cookie string) string { return a.digest("form " + cookie) }

// IsFormToken reports whether a form token belongs to a cookie, in constant time.
func (a *Accounts) IsFormToken(cookie, token string) bool {
	return cookie != "" && equalDigests(a.FormToken(cookie), token)
}
