package feed

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Code is the kind of an Error.
type Code = string

// The codes.
const (
	// Unknown: a record that the event refers to is not in the store.
	Unknown Code = "UNKNOWN"
	// Invalid: a field is missing, unknown, malformed or out of range.
	Invalid Code = "INVALID"
	// Conflict: the record is not in a state in which the event can happen, such as a rank for a player
	// without a guild, a name that is taken, or a rating for a season that has ended.
	Conflict Code = "CONFLICT"
)

// Error says why an event cannot be applied. Retrying the same event fails again.
type Error struct {
	Code Code
	// Field is the JSON field at fault; empty for no field or several.
	Field   string
	Message string
}

func (e *Error) Error() string { return e.Message }

func invalid(field, format string, args ...any) *Error {
	return &Error{Invalid, field, fmt.Sprintf(format, args...)}
}

func conflict(field, format string, args ...any) *Error {
	return &Error{Conflict, field, fmt.Sprintf(format, args...)}
}

// oneOf reports a text that is not one of some words.
func oneOf(field, text string, words []string) error {
	if !slices.Contains(words, text) {
		return invalid(field, "%s is %q; it must be one of %q", field, text, words)
	}
	return nil
}

// jsonError names the field of a value that could not be decoded.
func jsonError(err error) *Error {
	var wrong *Error
	var semantic *json.SemanticError
	if errors.Is(err, jsontext.ErrDuplicateName) {
		return invalid("", "a field is listed twice")
	}
	if !errors.As(err, &semantic) || semantic.JSONPointer == "" {
		return invalid("", "the fields are not a JSON object")
	}
	field := strings.ReplaceAll(strings.TrimPrefix(string(semantic.JSONPointer), "/"), "/", ".")
	switch {
	case errors.As(err, &wrong):
		return invalid(field, "%s: %s", field, wrong.Message)
	case errors.Is(err, json.ErrUnknownName):
		return invalid(field, "there is no field %s", field)
	case errors.Is(err, strconv.ErrRange):
		return invalid(field, "%s is out of range", field)
	case semantic.GoType == reflect.TypeFor[*time.Time]():
		return invalid(field, "%s is not a time such as 2026-03-20T12:00:00Z", field)
	}
	return invalid(field, "%s has the wrong type", field)
}
