package conn

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"slices"
	"strings"

	driver "go.mongodb.org/mongo-driver/v2/mongo"
)

// ErrUnavailable is wrapped by every error which means that the store did not answer: a timeout, a
// broken connection, no server to select. A retry may succeed.
var ErrUnavailable = errors.New("the store does not answer")

// ErrConflict is wrapped, beside ErrUnavailable, by the error of a transaction that conflicts with another one that
// does not end, for example because its instance died. Nothing was written.
var ErrConflict = errors.New("another instance is changing the same records")

// ErrWriteRefused is wrapped, beside ErrUnavailable, by the errors of a store that cannot be written, because its disk
// is full or read-only, or an operator blocks writes. The store still answers reads.
var ErrWriteRefused = errors.New("the store accepts no writes")

// ErrDamaged is wrapped, beside ErrUnavailable, by the errors of an embedded store whose file is corrupt. It serves the
// data that it can still read, and accepts no writes.
var ErrDamaged = errors.New("the store's file is damaged")

// damagedCode is the error code of the embedded server for a damaged file.
const damagedCode = 18000000

// damagedError is the error of a store whose file is damaged. Its text is the server's.
type damagedError struct{ error }

func (e damagedError) Unwrap() []error { return []error{ErrUnavailable, ErrDamaged, e.error} }

func (e damagedError) Error() string {
	if command := (driver.CommandError{}); errors.As(e.error, &command) {
		return command.Message
	}
	return ErrDamaged.Error()
}

// Translate wraps a driver error that means the store did not answer in ErrUnavailable. A cancelled call says nothing
// about the store. The errors of this package are translated.
func Translate(err error) error {
	switch {
	case err == nil, errors.Is(err, ErrUnavailable), errors.Is(err, context.Canceled), isConflict(err):
		return err
	case HasCode(err, damagedCode):
		return damagedError{err}
	case driver.IsTimeout(err), driver.IsNetworkError(err), errors.Is(err, context.DeadlineExceeded),
		errors.Is(err, driver.ErrClientDisconnected), isConnError(err), isTransient(err):
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	case HasCode(err, refusedCodes...):
		return fmt.Errorf("%w: %w: %w", ErrUnavailable, ErrWriteRefused, err)
	}
	return err
}

// HasCode reports whether the server returned one of the error codes, for the command or for one of its writes.
func HasCode(err error, codes ...int) bool {
	var e interface{ ErrorCodes() []int }
	return errors.As(err, &e) && slices.ContainsFunc(e.ErrorCodes(), func(code int) bool {
		return slices.Contains(codes, code)
	})
}

// refusedCodes are the codes of a store that cannot be written: OutOfDiskSpace and UserWritesBlocked.
var refusedCodes = []int{14031, 371}

// isConnError reports whether a connection to the server broke, even while it was being made or because another call
// found it broken: the driver does not label these errors.
func isConnError(err error) bool {
	var conn net.Error
	return errors.As(err, &conn) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || isPoolCleared(err)
}

// isPoolCleared reports whether a call got no connection because another call found the connections broken.
func isPoolCleared(err error) bool {
	var e interface{ Retryable() bool }
	return errors.As(err, &e) && e.Retryable()
}

// isRetryable reports whether a read may succeed when it is retried at once, by the driver's rules: an established
// connection broke, or the error has a retryable code or label. A retry would add to the load of a server that is
// overloaded or out of time.
func isRetryable(err error) bool {
	if driver.IsTimeout(err) {
		return false
	}
	if driver.IsNetworkError(err) || isPoolCleared(err) {
		return true
	}
	var e driver.LabeledError
	overloaded := errors.As(err, &e) && e.HasErrorLabel("SystemOverloadedError")
	return !overloaded && (e != nil && slices.ContainsFunc(retryableLabels, e.HasErrorLabel) ||
		HasCode(err, retryableCodes...))
}

// isTransient reports whether the server says that it cannot answer now: a new primary is being elected, the server
// shuts down, or it cannot reach the members that it needs. The code of a write error or of a write concern error
// counts like the code of the whole command.
func isTransient(err error) bool {
	var e driver.LabeledError
	return errors.As(err, &e) && slices.ContainsFunc(transientLabels, e.HasErrorLabel) ||
		HasCode(err, slices.Collect(maps.Keys(transientCodes))...)
}

// transientLabels are the labels by which a server says that a retry may succeed.
var transientLabels = []string{
	"TransientTransactionError", "RetryableWriteError", "RetryableReadError", "RetryableError", "SystemOverloadedError",
}

// retryableLabels are the labels of errors after which a read is tried again.
var retryableLabels = []string{"RetryableReadError", "RetryableError"}

// transientCodes are the codes of errors after which a retry may succeed, with their names. After a retryable code the
// driver would retry a read at once; after Interrupted, for instance, it would not: an operator has ended the read.
var transientCodes = map[int]struct {
	name      string
	retryable bool
}{
	6:     {"HostUnreachable", true},
	7:     {"HostNotFound", true},
	50:    {"MaxTimeMSExpired", false},
	64:    {"WriteConcernTimeout", false},
	89:    {"NetworkTimeout", true},
	91:    {"ShutdownInProgress", true},
	133:   {"FailedToSatisfyReadPreference", false},
	134:   {"ReadConcernMajorityNotAvailableYet", true},
	189:   {"PrimarySteppedDown", true},
	202:   {"NetworkInterfaceExceededTimeLimit", false},
	262:   {"ExceededTimeLimit", true},
	317:   {"ConnectionPoolExpired", false},
	365:   {"TemporarilyUnavailable", false},
	402:   {"ResourceExhausted", false},
	9001:  {"SocketException", true},
	10058: {"LegacyNotPrimary", false},
	10107: {"NotWritablePrimary", true},
	11600: {"InterruptedAtShutdown", true},
	11601: {"Interrupted", false},
	11602: {"InterruptedDueToReplStateChange", true},
	13435: {"NotPrimaryNoSecondaryOk", true},
	13436: {"NotPrimaryOrSecondary", true},
}

var retryableCodes = slices.DeleteFunc(slices.Collect(maps.Keys(transientCodes)), func(code int) bool {
	return !transientCodes[code].retryable
})

// IsDuplicateKey reports whether a write, or one of several, failed because its key exists. Engines that speak
// MongoDB's protocol use its text, but not always its code.
func IsDuplicateKey(err error) bool {
	var e interface{ ErrorCodes() []int }
	return HasCode(err, 11000, 11001, 12582) || errors.As(err, &e) && strings.Contains(err.Error(), "E11000")
}

// Codes of errors that end a transaction, which then runs again: another transaction changed the same record, or the
// server aborted it.
const (
	writeConflict     = 112
	noSuchTransaction = 251
)

// isConflict reports whether a transaction ended because of another one. A conflict says nothing about the store's
// state.
func isConflict(err error) bool { return HasCode(err, writeConflict, noSuchTransaction) }
