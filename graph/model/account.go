package model

import "time"

// The records below contain digests of secrets, never a secret; internal/auth computes the digests.
// None of them is a type of the schema.

// Account is the record of one user.
type Account struct {
	ID       string `bson:"_id"`
	Name     string `bson:"name"`
	NameFold string `bson:"nameFold"` // folded for lookups without case; the store fills it
	// Profiles are the uuids of the linked players, the primary one first. A player is linked to one account at most.
	Profiles []string `bson:"profiles,omitempty"`
	// Tokens are the API tokens, at most MaxTokens, in order of creation.
	Tokens []*APIToken `bson:"tokens,omitempty"`
	// TokenDeleted is when a token was last deleted; nil when none was.
	TokenDeleted *time.Time `bson:"tokenDeleted,omitempty"`
	// Password is the argon2id hash of the password; empty for an account that an operator created, which cannot sign in.
	Password string    `bson:"password,omitempty"`
	Created  time.Time `bson:"created"`
}

// MaxTokens is how many API tokens an account may have, and MaxProfiles how many players may be linked to one.
const (
	MaxTokens   = 3
	MaxProfiles = 16
)

// APIToken is one API token of an account.
type APIToken struct {
	Key string `bson:"id"`
	// Name is unique in the account and never changes.
	Name        string `bson:"name"`
	Description string `bson:"description"`
	// Prefix is the beginning of the token's value, which helps users to recognise it.
	Prefix string `bson:"prefix"`
	// Public is true in Public Mode: the token acts as a guest.
	Public    bool      `bson:"public"`
	Digest    string    `bson:"digest"`
	CreatedAt time.Time `bson:"created"`
	// ExpiresAt is when it stops working; nil when it does not. An expired token stays for some time, for its owner to
	// see.
	ExpiresAt *time.Time `bson:"expires,omitempty"`
}

// ExpiredAt reports whether the token has expired at a time.
func (t *APIToken) ExpiredAt(now time.Time) bool {
	return t.ExpiresAt != nil && !now.Before(*t.ExpiresAt)
}

// Grant is what one user granted one application: all its unexpired tokens together.
type Grant struct {
	// Key identifies the grant and its usage.
	Key         string
	Application *Application
	Scopes      []string // in the order of Scopes
	GrantedAt   time.Time
	ExpiresAt   time.Time // of the token that expires last
}

// Usage is the usage of a credential.
type Usage struct {
	// LastUsedAt is exact to the minute; nil when unused for more than a year.
	LastUsedAt *time.Time
	// Charged is the sum of charges of the last month, by bucket.
	Charged map[string]int64
}

// Session is a sign-in on the website.
type Session struct {
	Digest string `bson:"_id"`
	// Key identifies the session to its user. It is derived from the digest and not stored.
	Key     string `bson:"-"`
	Account string `bson:"account"`
	// Browser is the browser and the system that signed in, in words; empty when unknown.
	Browser   string    `bson:"browser,omitempty"`
	CreatedAt time.Time `bson:"created"`
	ExpiresAt time.Time `bson:"expires"`
}

// Application is an OAuth2 application.
type Application struct {
	ClientID string `bson:"_id"`
	Name     string `bson:"name"`
	// Account is the id of the account that registered it.
	Account string `bson:"account"`
	// Place numbers the account's applications, which bounds how many there are. Applications that
	// operators created have none.
	Place *int `bson:"place,omitempty"`
	// SecretDigest is of the client secret; empty for a public application, which has none.
	SecretDigest string `bson:"secretDigest,omitempty"`
	// RedirectURIs are the allowed redirect URIs, compared byte for byte, but for ports of loopback addresses.
	RedirectURIs []string `bson:"redirectURIs"`
	// Scopes are the scopes that the application may request.
	Scopes    []string  `bson:"scopes"`
	CreatedAt time.Time `bson:"created"`
}

// Private reports whether the application has a secret.
func (a *Application) Private() bool { return a.SecretDigest != "" }

// AccessToken is an OAuth2 access token: what one user granted to one application.
type AccessToken struct {
	Digest  string    `bson:"_id"`
	Account string    `bson:"account"`
	App     string    `bson:"app"`
	Scopes  []string  `bson:"scopes"`
	Created time.Time `bson:"created"`
	Expires time.Time `bson:"expires"`
}

// AuthCode is an authorization code: the consent of one user, which one application exchanges once for an access token.
type AuthCode struct {
	Digest      string   `bson:"_id"`
	App         string   `bson:"app"`
	RedirectURI string   `bson:"redirectURI"`
	Account     string   `bson:"account"`
	Scopes      []string `bson:"scopes"`
	// Challenge is the code_challenge; empty for a private application that sent none.
	Challenge string    `bson:"challenge,omitempty"`
	Expires   time.Time `bson:"expires"`
	// Used is when the code was redeemed, and Token the digest of the access token that was issued
	// for it: redeeming the code again revokes that token.
	Used  *time.Time `bson:"used,omitempty"`
	Token string     `bson:"token,omitempty"`
	// Forget is when the record can be deleted.
	Forget time.Time `bson:"forget"`
}

// LinkCode is a code that the game shows a player, who links themselves to an account with it, once.
type LinkCode struct {
	Digest  string    `bson:"_id"`
	Player  string    `bson:"player"`
	Expires time.Time `bson:"expires"`
}

// Pepper is the record by which a store recognises the pepper of its credentials.
type Pepper struct {
	ID string `bson:"_id"`
	// Hash is the Argon2id hash of the pepper.
	Hash string `bson:"hash"`
}

// FeedToken lets a game server send events to the service.
type FeedToken struct {
	// Name identifies the sender; the keys of its events belong to the name.
	Name string `bson:"_id"`
	// Prefix is the beginning of the token's value.
	Prefix  string    `bson:"prefix"`
	Digest  string    `bson:"digest"`
	Created time.Time `bson:"created"`
	// Used is when it was last used, exact to the minute; nil if never.
	Used *time.Time `bson:"used,omitempty"`
}
