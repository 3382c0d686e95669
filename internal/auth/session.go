package auth

import (
	"context"
	"errors"
	"slices"
	"time"

	"gamedata/graph/model"
)

// SessionLifetime is how long a user stays signed in.
const SessionLifetime = 14 * 24 * time.Hour

// ErrSignInFailed rejects a sign-in without revealing whether the account exists.
var ErrSignInFailed = errors.New("the name or the password is wrong")

// Errors about changes by a signed-in user. Their texts are shown to users.
var (
	ErrWrongPassword = errors.New("the current password is wrong")
	ErrNoSession     = errors.New("the account has no such session")
)

// Sessions manages the sign-ins of users with browsers.
type Sessions struct {
	*base
	accounts *Accounts
}

// maxSessions is how many sessions of an account are listed.
const maxSessions = 100

// List returns the sessions of an account that have not expired, the newest first, at most maxSessions.
func (ss *Sessions) List(ctx context.Context, account string) ([]*model.Session, error) {
	sessions, err := ss.store.Sessions.Of(ctx, account, ss.now().UTC(), maxSessions)
	for _, s := range sessions {
		s.Key = ss.digest("session key " + s.Digest)[:sessionKeyChars]
	}
	return sessions, err
}

// sessionKeyChars is the length of a session key: 96 bits.
const sessionKeyChars = 16

// EndByKey ends one of the listed sessions of an account, on this instance at once and on others within 5
// seconds. It returns ErrNoSession if none has the key.
func (ss *Sessions) EndByKey(ctx context.Context, account, key string) error {
	sessions, err := ss.List(ctx, account)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(sessions, func(s *model.Session) bool { return s.Key == key })
	if i < 0 {
		return ErrNoSession
	}
	return ss.End(ctx, sessions[i].Digest)
}

// EndOthers ends all sessions of an account except one, the Session of a viewer.Viewer, and returns the
// ended ones that were listed.
func (ss *Sessions) EndOthers(ctx context.Context, account, session string) ([]*model.Session, error) {
	defer ss.cache.invalidateAccount(account)
	sessions, err := ss.List(ctx, account)
	if err == nil {
		err = ss.store.Sessions.DeleteOf(ctx, account, session)
	}
	return slices.DeleteFunc(sessions, func(s *model.Session) bool { return s.Digest == session }), err
}

// SignIn starts a session and returns its secret, or ErrSignInFailed. It ends the session that the browser had before,
// if any, so that no cookie set before the sign-in stays valid. browser describes the browser in words that its user
// recognises; empty when unknown.
func (ss *Sessions) SignIn(ctx context.Context, name, password, previous, browser string) (secret string, err error) {
	user, err := ss.accounts.ByName(ctx, name)
	if err != nil && !errors.Is(err, ErrNoAccount) {
		return "", err
	}
	if err := ss.accounts.VerifyPassword(ctx, user, password); err != nil {
		return "", err
	}
	if err := ss.SignOut(ctx, previous); err != nil {
		return "", err
	}
	secret = newSecret(session)
	now := ss.now().UTC()
	err = ss.store.Sessions.Insert(ctx, &model.Session{
		Digest: ss.digest(secret), Account: user.ID, Browser: browser, CreatedAt: now, ExpiresAt: now.Add(SessionLifetime),
	})
	if err != nil {
		return "", err
	}
	// A password change ends existing sessions. If it ran before this insert, the password differs by now.
	current, err := ss.accounts.ByID(ctx, user.ID)
	if err == nil && current.Password != user.Password {
		err = ErrSignInFailed
	}
	if err != nil {
		return "", errors.Join(err, ss.SignOut(ctx, secret))
	}
	return secret, nil
}

// SignOut ends a session by its secret, on this instance at once and on others within 5 seconds.
func (ss *Sessions) SignOut(ctx context.Context, secret string) error {
	if secretKind(secret) != session {
		return nil
	}
	return ss.End(ctx, ss.digest(secret))
}

// Invalidate removes a session (the Session of a viewer.Viewer) from the credential cache, so
// that its next request reads the account.
func (ss *Sessions) Invalidate(session string) { ss.cache.invalidate(session) }

// End is SignOut for the Session of a viewer.Viewer.
func (ss *Sessions) End(ctx context.Context, session string) error {
	err := replaceNotFound(ss.store.Sessions.Delete(ctx, session), nil)
	ss.cache.invalidate(session)
	return err
}

// FormToken returns the anti-forgery token of a form for the browser that has a secret cookie. It
// reveals nothing of the cookie.
func (ss *Sessions) FormToken(cookie string) string { return ss.digest("form " + cookie) }

// IsFormToken reports whether a form token belongs to a cookie, in constant time.
func (ss *Sessions) IsFormToken(cookie, token string) bool {
	return cookie != "" && equalDigests(ss.FormToken(cookie), token)
}
