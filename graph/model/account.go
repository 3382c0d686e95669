package model

import "time"

// The records below hold digests of secrets, never a secret: what a digest is made of is
// decided where credentials are checked. None of them is a type of the schema.

// Account is the record of one user.
type Account struct {
	ID       string `bson:"_id"`
	Name     string `bson:"name"`
	NameFold string `bson:"nameFold"` // folded for lookups without case; the store fills it
	// Profiles are the uuids of the linked players, the primary one first. A player is linked
	// to one account at most.
	Profiles []string `bson:"profiles,omitempty"`
	// Tokens are the API tokens, at most MaxTokens, in the order they were made.
	Tokens []*APIToken `bson:"tokens,omitempty"`
	// TokenDeleted is when a token was last deleted (SPEC §5 rule 5); nil when none was.
	TokenDeleted *time.Time `bson:"tokenDeleted,omitempty"`
	// Password is the argon2id hash of the password; empty for an account that an operator
	// made, whom nobody can sign in as.
	Password string    `bson:"password,omitempty"`
	Created  time.Time `bson:"created"`
}

// MaxTokens is how many API tokens an account may have, and MaxProfiles how many players may
// be linked to one (SPEC §8; the latter is ours).
const (
	MaxTokens   = 3
	MaxProfiles = 16
)

// APIToken is one API token of an account.
type APIToken struct {
	ID string `bson:"id"`
	// Name is unique in the account and never changes.
	Name        string `bson:"name"`
	Description string `bson:"description"`
	// Prefix is how the token's value begins, for people to recognise it.
	Prefix string `bson:"prefix"`
	// Public is true in Public Mode: the token acts as a guest.
	Public  bool      `bson:"public"`
	Digest  string    `bson:"digest"`
	Created time.Time `bson:"created"`
}

// Grant is what one user granted one application, all its living tokens together.
type Grant struct {
	// ID names it where its use is counted.
	ID          string
	Application *Application
	Scopes      []string // in the order people are shown them
	Since       time.Time
	Expires     time.Time // of the token that lives longest
}

// Usage is what a credential was used for.
type Usage struct {
	// LastUsed is to the minute; nil when it was not used for more than a year.
	LastUsed *time.Time
	// Charged is what it was charged in the last month, by bucket.
	Charged map[string]int64
}

// Session is somebody signed in on the website.
type Session struct {
	Digest  string    `bson:"_id"`
	Account string    `bson:"account"`
	Created time.Time `bson:"created"`
	Expires time.Time `bson:"expires"`
}

// Application is an OAuth2 application.
type Application struct {
	ID   string `bson:"_id"` // the client id
	Name string `bson:"name"`
	// Account is the id of the account that registered it.
	Account string `bson:"account"`
	// Place is which of the account's applications it is; no two share one. Applications that
	// operators made have none.
	Place *int `bson:"place,omitempty"`
	// SecretDigest is of the client secret; empty for a public application, which has none.
	SecretDigest string `bson:"secretDigest,omitempty"`
	// RedirectURIs are where users may be sent back to, compared byte for byte.
	RedirectURIs []string `bson:"redirectURIs"`
	// Scopes are those the application may ask for (WIRE §5.1).
	Scopes  []string  `bson:"scopes"`
	Created time.Time `bson:"created"`
}

// Private reports whether the application keeps a secret.
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

// AuthCode is an authorization code (WIRE §5.2): one user agreed that one application gets an
// access token, and an application redeems it, once.
type AuthCode struct {
	Digest      string   `bson:"_id"`
	App         string   `bson:"app"`
	RedirectURI string   `bson:"redirectURI"`
	Account     string   `bson:"account"`
	Scopes      []string `bson:"scopes"`
	// Challenge is what the code_verifier is compared with; empty for a private application
	// that sent none.
	Challenge string    `bson:"challenge,omitempty"`
	Expires   time.Time `bson:"expires"`
	// Used is when the code was redeemed, and Token the digest of the access token that was
	// given for it: whoever comes with the code again may end that one.
	Used  *time.Time `bson:"used,omitempty"`
	Token string     `bson:"token,omitempty"`
	// Forget is when the record has no more use.
	Forget time.Time `bson:"forget"`
}

// LinkCode is a code that the game shows a player, to link him to an account; it works once.
type LinkCode struct {
	Digest  string    `bson:"_id"`
	Player  string    `bson:"player"`
	Expires time.Time `bson:"expires"`
}
