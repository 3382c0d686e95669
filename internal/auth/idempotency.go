package auth

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"gamedata/mongo"
)

// IdempotencyKeyLifetime is how long an idempotency key is known after its first use.
const IdempotencyKeyLifetime = 24 * time.Hour

const maxIdempotencyKey = 128 // characters

// Errors about idempotency keys. Their texts are shown to users.
var (
	ErrInvalidIdempotencyKey = errors.New("an idempotency key has 1 to 128 characters and no control characters")
	ErrIdempotencyKeyReused  = errors.New("the idempotency key was used for another input: choose another key")
	ErrReplayDeleted         = errors.New("what was created with this idempotency key was deleted since")
)

// Once calls create for an account. With a key it does so in a transaction, and only if the account did not use the key
// in the last 24 hours: otherwise it returns the id that create returned then, and replayed is true. The input is a
// struct whose type identifies the call; with another input the key is ErrIdempotencyKeyReused. Only a call that
// succeeds uses a key. create may run several times, each but the last without effect.
func (a *Accounts) Once(ctx context.Context, account string, key *string, input any,
	create func(context.Context) (id string, err error),
) (id string, replayed bool, err error) {
	if key == nil {
		id, err = create(ctx)
		return id, false, err
	}
	if *key == "" || !printable(*key, maxIdempotencyKey) {
		return "", false, ErrInvalidIdempotencyKey
	}
	text, err := json.Marshal(input)
	if err != nil {
		return "", false, err
	}
	digest := sha256.Sum256(fmt.Appendf(text, "%T", input))
	used, err := a.store.Idempotency.Once(ctx, mongo.IdempotencyKey{
		ID: account + " " + *key, Account: account, Digest: digest[:], Expires: a.now().UTC().Add(IdempotencyKeyLifetime),
	}, a.now(), func(ctx context.Context) (string, error) {
		id, err = create(ctx)
		return id, err
	})
	switch {
	case err != nil:
		return "", false, err
	case used == nil:
		return id, false, nil
	case !slices.Equal(used.Digest, digest[:]):
		return "", false, ErrIdempotencyKeyReused
	}
	return used.Created, true, nil
}
