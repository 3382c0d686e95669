package model

import "time"

// The records below contain digests of secrets, never a secret; internal/auth computes the digests. The schema contains
// none of these types.

// Account is the record of one user.
type Account struct {
	ID       string `bson:"_id"`
	Name     string `bson:"name"`
	NameFold string `bson:"nameFold"` // folded for lookups without case; the store fills it
	// Profiles lists the uuids of the linked players, the primary one first. A player is linked to at most one account.
	Profiles []string `bson:"profiles,omitempty"`
	// Tokens are the API tokens, at most MaxTokens, in order of creation.
	Tokens []*APIToken `bson:"tokens,omitempty"`
	// TokenDeleted is when a token was last deleted; nil if never.
	TokenDeleted *time.Time `bson:"tokenDeleted,omitempty"`
	// Password is the argon2id hash of the password; empty for an account created by an operator, which cannot sign in.
	Password string    `bson:"password,omitempty"`
	Created  time.Time `bson:"created"`
}

// MaxTokens is the maximum number of API tokens of an account, and MaxProfiles of linked players.
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
	// ExpiresAt is when the token stops working; nil if never. An expired token is stored for some time, so that its
	// owner sees it.
	ExpiresAt *time.Time `bson:"expires,omitempty"`
}

// ExpiredAt reports whether the token has expired at a time.
func (t *APIToken) ExpiredAt(now time.Time) bool {
	return t.ExpiresAt != nil && !now.Before(*t.ExpiresAt)
}

// Grant combines all unexpired tokens that one user granted to one application.
type Grant struct {
	// Key identifies the grant and its usage.
	Key         string
	Application *Application
	Scopes      []string // in the order of Scopes
	GrantedAt   time.Time
	ExpiresAt   time.Time // when its last token expires
}

// Usage is the usage of a credential.
type Usage struct {
	// LastUsedAt is exact to the minute; nil if unused for more than a year.
	LastUsedAt *time.Time
	// Charged is the sum of the last month's charges, by bucket.
	Charged map[string]int64
}

// Session is a sign-in on the website.
type Session struct {
	Digest string `bson:"_id"`
	// Key identifies the session to its user. It is derived from the digest and not stored.
	Key     string `bson:"-"`
	Account string `bson:"account"`
	// Browser describes the browser and system of the sign-in; empty if unknown.
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
	// Place numbers the account's applications, which limits their number. Applications created by operators have none.
	Place *int `bson:"place,omitempty"`
	// SecretDigest is the digest of the client secret; empty for a public application, which has no secret.
	SecretDigest string `bson:"secretDigest,omitempty"`
	// RedirectURIs lists the allowed redirect URIs, compared byte for byte except for ports of loopback addresses.
	RedirectURIs []string `bson:"redirectURIs"`
	// Scopes lists the scopes that the application may request.
	Scopes    []string  `bson:"scopes"`
	CreatedAt time.Time `bson:"created"`
}

// Private reports whether the application has a secret.
func (a *Application) Private() bool { return a.SecretDigest != "" }

// AccessToken is an OAuth2 access token, granted by one user to one application.
type AccessToken struct {
	Digest  string    `bson:"_id"`
	Account string    `bson:"account"`
	App     string    `bson:"app"`
	Scopes  []string  `bson:"scopes"`
	Created time.Time `bson:"created"`
	Expires time.Time `bson:"expires"`
}

// AuthCode is an authorization code: it stands for one user's consent, and one application exchanges it once for an
// access token.
type AuthCode struct {
	Digest      string   `bson:"_id"`
	App         string   `bson:"app"`
	RedirectURI string   `bson:"redirectURI"`
	Account     string   `bson:"account"`
	Scopes      []string `bson:"scopes"`
	// Challenge is the code_challenge; empty if a private application sent none.
	Challenge string    `bson:"challenge,omitempty"`
	Expires   time.Time `bson:"expires"`
	// Used is when the code was redeemed, and Token the digest of the access token that was issued
	// for it: redeeming the code again revokes that token.
	Used  *time.Time `bson:"used,omitempty"`
	Token string     `bson:"token,omitempty"`
	// Forget is when the record can be deleted.
	Forget time.Time `bson:"forget"`
}

// LinkCode is a code that the game shows to a player. The player can use it once to link themselves to an account.
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
