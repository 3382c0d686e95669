package auth

import (
	"context"
	"errors"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// ErrOtherPepper means that the credentials of a store were made with another pepper.
var ErrOtherPepper = errors.New("the pepper is not the service's, which would reject the credential")

// pepperID is the id of the only record of a pepper.
const pepperID = "current"

// CheckPepper returns ErrOtherPepper if the store has the hash of another pepper. The hash is Argon2id with a random
// salt, as for passwords: guessing a short pepper costs 19 MiB and 30 ms for each guess.
func (a *Accounts) CheckPepper(ctx context.Context) error {
	_, err := a.checkPepper(ctx)
	return err
}

// checkPepper also returns the record, nil if the store has none.
func (a *Accounts) checkPepper(ctx context.Context) (*model.Pepper, error) {
	found, err := a.store.Peppers.ByID(ctx, []string{pepperID})
	if err != nil || found[0] == nil {
		return nil, err
	}
	same, err := a.passwords.matches(ctx, string(a.pepper), found[0].Hash)
	if err == nil && !same {
		err = ErrOtherPepper
	}
	return found[0], err
}

// ClaimPepper is CheckPepper, and stores the hash of the pepper in a store that has none.
func (a *Accounts) ClaimPepper(ctx context.Context) error {
	record, err := a.checkPepper(ctx)
	if err != nil || record != nil {
		return err
	}
	hash, err := a.passwords.hash(ctx, string(a.pepper))
	if err != nil {
		return err
	}
	err = a.store.Peppers.Insert(ctx, &model.Pepper{ID: pepperID, Hash: hash})
	if errors.Is(err, mongo.ErrTaken) { // another process was faster
		err = a.CheckPepper(ctx)
	}
	return err
}

// ReplacePepper stores the hash of the pepper in place of another's.
func (a *Accounts) ReplacePepper(ctx context.Context) error {
	hash, err := a.passwords.hash(ctx, string(a.pepper))
	if err != nil {
		return err
	}
	return a.store.Peppers.Edit(ctx, pepperID, func(p *model.Pepper) error { p.Hash = hash; return nil })
}
