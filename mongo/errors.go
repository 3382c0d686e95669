package mongo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"

	driver "go.mongodb.org/mongo-driver/v2/mongo"
)

// ErrUnavailable is wrapped by every error which means that the store did not answer: a timeout, a
// broken connection, no server to select. A retry may succeed.
var ErrUnavailable = errors.New("the store does not answer")

// Errors of writes.
var (
	// ErrNotFound means that the record to change is not in the store.
	ErrNotFound = errors.New("no such record")
	// ErrTaken means that another record has the name, or the player.
	ErrTaken = errors.New("already taken")
	// ErrFull means that the account has as many entries as it may have.
	ErrFull = errors.New("limit reached")
	// ErrGuildName is wrapped by the errors of writes that would give two guilds one name, case
	// ignored.
	ErrGuildName = errors.New("guild names must be unique")
)

// translateError wraps a driver error that means the store did not answer in ErrUnavailable.
func translateError(err error) error {
	switch {
	case err == nil, errors.Is(err, context.Canceled):
		return err
	case driver.IsTimeout(err), driver.IsNetworkError(err), errors.Is(err, context.DeadlineExceeded),
		errors.Is(err, driver.ErrClientDisconnected), isConnError(err), isTransient(err):
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return err
}

// isConnError reports whether a connection to the server broke, also while it was being made or
// because another call found it broken: the driver does not label those errors.
func isConnError(err error) bool {
	var conn net.Error
	var retry interface{ Retryable() bool }
	return errors.As(err, &conn) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.As(err, &retry) && retry.Retryable()
}

// isTransient reports whether the server says that it cannot answer now: another one becomes
// primary, or it shuts down.
func isTransient(err error) bool {
	var e driver.ServerError
	return errors.As(err, &e) && (e.HasErrorLabel("TransientTransactionError") || e.HasErrorLabel("RetryableWriteError") ||
		slices.ContainsFunc(transientCodes, e.HasErrorCode))
}

// transientCodes are ShutdownInProgress, InterruptedAtShutdown, InterruptedDueToReplStateChange,
// PrimarySteppedDown, NotWritablePrimary, NotPrimaryNoSecondaryOk and NotPrimaryOrSecondary.
var transientCodes = []int{91, 11600, 11602, 189, 10107, 13435, 13436}

// insertError returns the error of an insertion: ErrTaken for a duplicate key.
func insertError(_ *driver.InsertOneResult, err error) error {
	if driver.IsDuplicateKeyError(err) {
		return ErrTaken
	}
	return translateError(err)
}

// matchError returns the error of an update of one record: ErrNotFound when none matched.
func matchError(r *driver.UpdateResult, err error) error {
	if err == nil && r.MatchedCount == 0 {
		return ErrNotFound
	}
	return translateError(err)
}
