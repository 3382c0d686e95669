package auth

import (
	"context"
	"errors"

	"gamedata/graph/model"
)

// ErrOtherPepper means that a store's credentials were created with another pepper.
var ErrOtherPepper = errors.New("the pepper is not the service's, which would reject the credential")

// pepperID is the id of the only pepper record.
const pepperID = "current"

// CheckPepper compares the pepper with the hash in the store; known reports whether there is one. The hash is Argon2id
// with a random salt, as for passwords: guessing a short pepper costs 19 MiB and 30 ms for each guess.
func (a *Accounts) CheckPepper(ctx context.Context) (known bool, err error) {
	found, err := a.store.Peppers.ByID(ctx, []string{pepperID})
	if err != nil || found[0] == nil {
		return false, err
	}
	same, err := a.passwords.matches(ctx, string(a.pepper), found[0].Hash)
	if err == nil && !same {
		err = ErrOtherPepper
	}
	return true, err
}

// SetPepper stores the hash of the pepper.
func (a *Accounts) SetPepper(ctx context.Context) error {
	hash, err := a.passwords.hash(ctx, string(a.pepper))
	if err != nil {
		return err
	}
	return a.store.Peppers.Put(ctx, []*model.Pepper{{ID: pepperID, Hash: hash}})
}
