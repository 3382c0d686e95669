package embedded

import (
	"errors"
	"fmt"
)

// code is an error code of MongoDB.
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
	codeInterrupted          code = 11601
	codeInvalidPipeline      code = 168
	codeParallelArrays       code = 171
	codeInvalidIndexOption   code = 197
	codeSortMemory           code = 292
	codeUnknownField         code = 40415
	codeUnknownStage         code = 40324
	codeDuplicateKey         code = 11000
	codeDocumentTooLarge     code = 10334
	codeKeyTooLong           code = 17280
)

var codeNames = map[code]string{
	codeInternal: "InternalError", codeBadValue: "BadValue", codeFailedToParse: "FailedToParse",
	codeTypeMismatch: "TypeMismatch", codeOverflow: "Overflow", codeIllegalOperation: "IllegalOperation",
	codeInvalidBSON: "InvalidBSON", codeNamespaceNotFound: "NamespaceNotFound", codeIndexNotFound: "IndexNotFound",
	codePathNotViable: "PathNotViable", codeConflictingUpdate: "ConflictingUpdateOperators",
	codeCursorNotFound: "CursorNotFound", codeMaxTimeExpired: "MaxTimeMSExpired",
	codeDollarPrefixed: "DollarPrefixedFieldName", codeEmptyFieldName: "EmptyFieldName",
	codeCommandNotFound: "CommandNotFound", codeImmutableField: "ImmutableField",
	codeCannotCreateIndex: "CannotCreateIndex", codeInvalidOptions: "InvalidOptions",
	codeInvalidNamespace: "InvalidNamespace", codeIndexOptionsConflict: "IndexOptionsConflict",
	codeIndexKeyConflict: "IndexKeySpecsConflict", codeInterrupted: "InterruptedAtShutdown",
	codeInvalidPipeline: "InvalidPipelineOperator", codeParallelArrays: "CannotIndexParallelArrays",
	codeInvalidIndexOption: "InvalidIndexSpecificationOption",
	codeSortMemory:         "QueryExceededMemoryLimitNoDiskUseAllowed",
	codeUnknownField:       "IDLUnknownField", codeDuplicateKey: "DuplicateKey",
	codeDocumentTooLarge: "BSONObjectTooLarge", codeKeyTooLong: "KeyTooLong",
}

// String is MongoDB's name of the code.
func (c code) String() string {
	if name, ok := codeNames[c]; ok {
		return name
	}
	return fmt.Sprintf("Location%d", int32(c))
}

// failure is an error the client is told about. It never leaves a half-done document behind, so the transaction
// it happened in may go on; any other error rolls the transaction back.
type failure struct {
	code    code
	message string
	// keyPattern and keyValue are set for duplicate keys.
	keyPattern, keyValue raw
}

func (f *failure) Error() string { return f.message }

func errorf(c code, format string, args ...any) error {
	return &failure{code: c, message: fmt.Sprintf(format, args...)}
}

// asFailure finds what to tell the client; an unexpected error is told as an internal one.
func asFailure(err error) *failure {
	var f *failure
	if errors.As(err, &f) {
		return f
	}
	return &failure{code: codeInternal, message: "internal error: " + err.Error()}
}

// appendError writes the fields that command errors and write errors have in common.
func (f *failure) appendError(dst []byte) []byte {
	dst = appendInt32(dst, "code", int32(f.code))
	dst = appendString(dst, "errmsg", f.message)
	if f.keyPattern != nil {
		dst = appendDoc(dst, "keyPattern", f.keyPattern)
		dst = appendDoc(dst, "keyValue", f.keyValue)
	}
	return dst
}

// reply is the whole answer to a failed command.
func (f *failure) reply(dst []byte) []byte {
	dst, at := openDoc(dst)
	dst = appendDouble(dst, "ok", 0)
	dst = f.appendError(dst)
	dst = appendString(dst, "codeName", f.code.String())
	return closeDoc(dst, at)
}
