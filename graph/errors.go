package graph

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// Code is the kind of an error. GraphQL responses have it in extensions.code; the REST API maps it
// to a status and a name.
type Code string

// The codes of both APIs.
const (
	NotFound                Code = "NOT_FOUND"
	MultipleObjectsReturned Code = "MULTIPLE_OBJECTS_RETURNED"
	MalformedPrefix         Code = "MALFORMED_PREFIX"
	InvalidQueryParams      Code = "INVALID_QUERY_PARAMS"
	MalformedPayload        Code = "MALFORMED_PAYLOAD"
	InvalidForm             Code = "INVALID_FORM"
	InvalidToken            Code = "INVALID_TOKEN"
	Forbidden               Code = "FORBIDDEN"
	CrossSite               Code = "CROSS_SITE"
	MethodNotAllowed        Code = "METHOD_NOT_ALLOWED"
	PayloadTooLarge         Code = "PAYLOAD_TOO_LARGE"
	URITooLong              Code = "URI_TOO_LONG"
	UnsupportedMediaType    Code = "UNSUPPORTED_MEDIA_TYPE"
	Misdirected             Code = "MISDIRECTED_REQUEST"
	TooManyRequests         Code = "TOO_MANY_REQUESTS"
	Internal                Code = "INTERNAL"
	ServiceUnavailable      Code = "SERVICE_UNAVAILABLE"
)

// The codes of REST only. In GraphQL an unknown key is null, and the extensions list what access rules hide.
const (
	NoCharacterFound       Code = "NO_CHARACTER_FOUND"
	InvalidCharacterUUID   Code = "INVALID_CHARACTER_UUID"
	InvalidTree            Code = "INVALID_TREE"
	InvalidLeaderboardType Code = "INVALID_LEADERBOARD_TYPE"
)

// The codes of GraphQL only.
const (
	// ParseFailed: the text is not a GraphQL document.
	ParseFailed Code = "GRAPHQL_PARSE_FAILED"
	// ValidationFailed: the document does not match the schema, or does not name an operation.
	ValidationFailed Code = "GRAPHQL_VALIDATION_FAILED"
	// LimitExceeded: the document is larger than Limits allow.
	LimitExceeded Code = "LIMIT_EXCEEDED"
	// PersistedQueryNotFound: no document is stored under the hash.
	PersistedQueryNotFound Code = "PERSISTED_QUERY_NOT_FOUND"
	// BadVariables: a variable does not fit its type.
	BadVariables Code = "BAD_VARIABLES"
	// SessionRequired: the operation needs a session; tokens are not enough.
	SessionRequired Code = "SESSION_REQUIRED"
	// NotAcceptable: a table was requested of an operation without exactly one list, or a subscription cannot be sent.
	NotAcceptable Code = "NOT_ACCEPTABLE"
	// TooSlow: the client did not receive the events of a subscription fast enough.
	TooSlow Code = "TOO_SLOW"
)

// Error is an error that callers see; every other error is hidden from them. Wrap it (fmt.Errorf with
// %w) to add a cause for the log.
type Error struct {
	Code Code
	// Detail is one sentence for people. It does not repeat input.
	Detail string
	// Objects lists the candidates of MultipleObjectsReturned: each marshals to a JSON object with a member "uuid".
	Objects []any
	// RetryAfter is the number of seconds to wait after TooManyRequests; 0 if unknown.
	RetryAfter int
	// Suggestions lists known names similar to an unknown name, the most similar first.
	Suggestions []string
	// Argument is the argument of the root field with which Detail begins, if any.
	Argument string
}

// Error returns the detail.
func (e *Error) Error() string { return e.Detail }

// Errorf returns an error with a formatted detail.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Detail: fmt.Sprintf(format, args...)}
}

// The errors with sentences fixed by docs/spec/wire.md, "Errors".
var (
	ErrNotFound               = &Error{Code: NotFound, Detail: "Resource not found."}
	ErrNoCharacter            = &Error{Code: NoCharacterFound, Detail: "This player has no characters."}
	ErrInvalidCharacterUUID   = &Error{Code: InvalidCharacterUUID, Detail: "This player has no character with that uuid."}
	ErrInvalidTree            = &Error{Code: InvalidTree, Detail: "Unknown class tree identifier."}
	ErrInvalidLeaderboardType = &Error{
		Code:   InvalidLeaderboardType,
		Detail: "Unknown leaderboard type, see /leaderboards/types.",
	}
	ErrMalformedPrefix       = &Error{Code: MalformedPrefix, Detail: "A guild prefix has 1 to 4 letters or digits."}
	ErrMalformedSearch       = &Error{Code: InvalidQueryParams, Detail: "The search query is malformed."}
	ErrMalformedPayload      = &Error{Code: MalformedPayload, Detail: "The request body is not a JSON object."}
	ErrInvalidToken          = &Error{Code: InvalidToken, Detail: "The access token is missing or not valid."}
	ErrCharacterListHidden   = &Error{Code: Forbidden, Detail: "This player does not share the character list."}
	ErrCharacterDataHidden   = &Error{Code: Forbidden, Detail: "This player does not share character data."}
	ErrCharacterBuildsHidden = &Error{Code: Forbidden, Detail: "This player does not share character builds."}
	ErrNoOnlinePlayer        = &Error{Code: Forbidden, Detail: "No online player could be resolved for this request."}
	ErrCrossSite             = &Error{Code: CrossSite, Detail: "Cross-site requests are not accepted here."}
	ErrMethodNotAllowed      = &Error{Code: MethodNotAllowed, Detail: "This method is not allowed here."}
	ErrPayloadTooLarge       = &Error{Code: PayloadTooLarge, Detail: "The request body is too large."}
	ErrURITooLong            = &Error{Code: URITooLong, Detail: "The request URI is too long."}
	ErrUnsupportedMediaType  = &Error{Code: UnsupportedMediaType, Detail: "Send application/json."}
	ErrMisdirected           = &Error{
		Code: Misdirected, Detail: "This host name is not served here. The operator can add it to --allowed-hosts.",
	}
	ErrPlayerNotBuilt       = &Error{Code: Internal, Detail: "The player could not be built."}
	ErrTreeNotRendered      = &Error{Code: Internal, Detail: "The ability tree could not be rendered."}
	ErrTerritoriesNotLoaded = &Error{Code: Internal, Detail: "The territories could not be loaded."}
	ErrClassesNotLoaded     = &Error{Code: Internal, Detail: "The classes could not be loaded."}
	ErrInternal             = &Error{Code: Internal, Detail: "Internal error."}
	ErrUnavailable          = &Error{Code: ServiceUnavailable, Detail: "The service is not available right now."}
)

// ErrMultiple returns the error for a name shared by several objects.
func ErrMultiple(candidates []any) *Error {
	return &Error{Code: MultipleObjectsReturned, Detail: "Query returned multiple results.", Objects: candidates}
}

// ErrorOf converts an error of a response. An error without a code becomes ErrInternal.
func ErrorOf(err *gqlerror.Error) *Error {
	known, code := new(Error), codeOf(err)
	switch {
	case errors.As(err, &known):
		return known
	case code == "":
		return ErrInternal
	}
	return &Error{Code: code, Detail: err.Message}
}

// WithoutNotFound drops the errors about missing root objects, which are null in the data.
func WithoutNotFound(errs gqlerror.List) gqlerror.List {
	return slices.DeleteFunc(slices.Clone(errs), func(err *gqlerror.Error) bool {
		return len(err.Path) == 1 && codeOf(err) == NotFound
	})
}

func codeOf(err *gqlerror.Error) Code {
	switch code := err.Extensions["code"].(type) {
	case Code:
		return code
	case string:
		return Code(code)
	}
	return ""
}

// Extensions returns the extensions of the GraphQL error: everything but Detail.
func (e *Error) Extensions() map[string]any {
	m := map[string]any{"code": string(e.Code)}
	if e.Code == MultipleObjectsReturned {
		m["objects"] = e.Objects
	}
	if e.RetryAfter > 0 {
		m["retryAfter"] = e.RetryAfter
	}
	if len(e.Suggestions) > 0 {
		m["suggestions"] = e.Suggestions
	}
	return m
}

// presenter converts errors into the form that callers see, and logs hidden ones.
type presenter struct{ log *slog.Logger }

// presentField is present for an error of a field. Once the response has maxErrors it returns nil, which gqlgen
// ignores: each field of a list may fail, and gqlgen compares the path of each field with all errors.
func (p presenter) presentField(ctx context.Context, err error) *gqlerror.Error {
	if run := runOf(ctx); run != nil && run.errors.Add(1) > maxErrors {
		return nil
	}
	return p.present(ctx, err)
}

// present returns an error with a code. Errors that callers may not see become ErrInternal and are logged.
func (p presenter) present(ctx context.Context, err error) *gqlerror.Error {
	out := &gqlerror.Error{Path: graphql.GetPath(ctx)}
	var g *gqlerror.Error
	if errors.As(err, &g) {
		out.Locations = g.Locations
		if g.Path != nil {
			out.Path = g.Path
		}
	}
	if fc := graphql.GetFieldContext(ctx); out.Locations == nil && fc != nil && fc.Field.Field != nil {
		if at := fc.Field.Position; at != nil {
			out.Locations = []gqlerror.Location{{Line: at.Line, Column: at.Column}}
		}
	}
	known := new(Error)
	switch {
	case errors.As(err, &known):
		if known.Code == Internal {
			p.logInternal(ctx, out, err)
		}
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		known = ErrUnavailable
	default:
		p.logInternal(ctx, out, err)
		known = ErrInternal
	}
	out.Message, out.Extensions, out.Err = known.Detail, known.Extensions(), known
	return out
}

// logInternal logs a hidden error once per operation.
func (p presenter) logInternal(ctx context.Context, at *gqlerror.Error, err error) {
	// gqlgen wraps an error with the path of the field; fields of one failed batch share the cause.
	cause := err
	var g *gqlerror.Error
	if errors.As(err, &g) && g.Err != nil {
		cause = g.Err
	}
	attrs := []any{"path", cut(at.Path.String(), maxMessage), "error", cause.Error()}
	if run := runOf(ctx); run != nil {
		if _, before := run.logged.LoadOrStore(cause.Error(), true); before {
			return
		}
		attrs = append(attrs, "operation", shorten(graphql.GetOperationContext(ctx).OperationName))
	}
	var r *recoveredPanic
	if errors.As(err, &r) {
		attrs = append(attrs, "stack", string(r.stack))
	}
	p.log.ErrorContext(ctx, "internal error", attrs...)
}

// recoveredPanic wraps a panic as an error, with the stack for the log.
type recoveredPanic struct {
	value any
	stack []byte
}

func (p *recoveredPanic) Error() string { return fmt.Sprintf("panic: %v", p.value) }

func recovered(_ context.Context, value any) error { return &recoveredPanic{value, debug.Stack()} }
