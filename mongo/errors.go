package mongo

import (
	"errors"

	driver "go.mongodb.org/mongo-driver/v2/mongo"

	"gamedata/mongo/conn"
)

// Errors of conn that callers distinguish.
var (
	ErrUnavailable  = conn.ErrUnavailable
	ErrConflict     = conn.ErrConflict
	ErrDamaged      = conn.ErrDamaged
	ErrTooManyCalls = conn.ErrTooManyCalls
)

// Errors of writes.
var (
	// ErrNotFound means that the record to change is not in the store.
	ErrNotFound = errors.New("no such record")
	// ErrTaken means that another record has the same unique value, such as the name or the player.
	ErrTaken = errors.New("already taken")
	// ErrTooLarge means that changes are too large for one transaction.
	ErrTooLarge = errors.New("too large for one transaction")
	// ErrGuildName is wrapped by the errors of writes that would give two guilds one name, case
	// ignored.
	ErrGuildName = errors.New("guild names must be unique")
)

// matchError returns the error of an update of one record: ErrNotFound when none matched.
func matchError(r *driver.UpdateResult, err error) error {
	if err == nil && r.MatchedCount == 0 {
		return ErrNotFound
	}
	return err
}

// retryUpsert runs upserts, and runs them again if another process added one of the records at the same moment: now it
// exists. The first error may hide that another upsert failed too.
func retryUpsert(upsert func() error) error {
	err := upsert()
	if conn.IsDuplicateKey(err) {
		err = upsert()
	}
	return err
}
