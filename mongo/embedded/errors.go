package embedded

import (
	"errors"
	"fmt"
	"strings"
	"syscall"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
)

type code int32

const (
	codeInternal             code = 1
	codeBadValue             code = 2
	codeFailedToParse        code = 9
	codeTypeMismatch         code = 14
	codeOverflow             code = 15
	codeIllegalOperation     code = 20
	codeInvalidBSON          code = 22
	codeNamespaceNotFound    code = 26
	codeIndexNotFound        code = 27
	codePathNotViable        code = 28
	codeConflictingUpdate    code = 40
	codeCursorNotFound       code = 43
	codeMaxTimeExpired       code = 50
	codeDollarPrefixed       code = 52
	codeEmptyFieldName       code = 56
	codeCommandNotFound      code = 59
	codeImmutableField       code = 66
	codeCannotCreateIndex    code = 67
	codeInvalidOptions       code = 72
	codeInvalidNamespace     code = 73
	codeIndexOptionsConflict code = 85
	codeIndexKeyConflict     code = 86
	codeNamespaceExists      code = 48
	codeWriteConflict        code = 112
	codeTransactionTooOld    code = 225
	codeNoTransaction        code = 251
	codeTransactionCommitted code = 256
	codeTransactionTooLarge  code = 257
	codeNotInTransaction     code = 263
	codeInterrupted          code = 11601
	codeParallelArrays       code = 171
	codeInvalidIndexOption   code = 197
	codeSortMemory           code = 292
	codeUnknownField         code = 40415
	codeUnknownStage         code = 40324
	codeDuplicateKey         code = 11000
	codeDocumentTooLarge     code = 10334
	codeOutOfDiskSpace       code = 14031
	codeKeyTooLong           code = 17280
	codeDamaged              code = 18000000 // not a code of MongoDB
)

// failure is an error that is sent to the client. A command that fails with it leaves no document half changed, so its
// transaction may continue; any other error rolls the transaction back.
type failure struct {
	code      code
	message   string
	transient bool // the client may run its whole transaction again
}

func (f *failure) Error() string { return f.message }

func errorf(c code, format string, args ...any) error {
	return &failure{code: c, message: fmt.Sprintf(format, args...)}
}

// refusals are the errors of a disk that accepts no writes. A failing disk may be unreadable too.
var refusals = []syscall.Errno{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EFBIG, syscall.EIO}

// asFailure returns the failure to send to the client; an unexpected error becomes an internal one.
func asFailure(err error) *failure {
	var f *failure
	if errors.As(err, &f) {
		return f
	}
	for _, refused := range refusals {
		// bbolt includes some of these errors as text only.
		if errors.Is(err, refused) || strings.Contains(err.Error(), refused.Error()) {
			return &failure{code: codeOutOfDiskSpace, message: "the store cannot be written: " + err.Error()}
		}
	}
	return &failure{code: codeInternal, message: "internal error: " + err.Error()}
}

// appendError writes the fields that command errors and write errors have in common.
func (f *failure) appendError(dst []byte) []byte {
	return bsoncore.AppendStringElement(bsoncore.AppendInt32Element(dst, "code", int32(f.code)), "errmsg", f.message)
}

// reply is the reply to a failed command.
func (f *failure) reply(dst []byte) []byte {
	dst, at := openDoc(dst)
	dst = bsoncore.AppendDoubleElement(dst, "ok", 0)
	dst = f.appendError(dst)
	if f.transient {
		dst = appendList(dst, "errorLabels", "TransientTransactionError")
	}
	return closeDoc(dst, at)
}

// duplicate returns the error for a document whose entry in a unique index belongs to another document.
func duplicate(c *collection, ix *index) error {
	return errorf(codeDuplicateKey, "E11000 duplicate key error collection: %s index: %s", c.namespace, ix.Name)
}

// show formats a value for a message.
func show(v value) string { return bson.RawValue{Type: v.kind, Value: v.data}.String() }
