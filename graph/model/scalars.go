package model

import (
	"errors"
	"io"
	"math"
	"strconv"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"
)

// The errors for values that do not fit. Callers never see them: validation and the coercion of variables reject such
// values first.
var (
	errDateTime = errors.New("the value must be a date-time such as 2026-03-19T23:45:48Z")
	errUUID     = errors.New("the value must be a uuid")
)

// MarshalFloat writes a Float as AppendFloat does.
func MarshalFloat(f float64) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) {
		var buf [32]byte
		_, _ = w.Write(AppendFloat(buf[:0], f))
	})
}

// AppendFloat writes a Float in plain decimals: whole numbers without a fraction, and never an exponent, since strict
// clients parse only digits.
func AppendFloat(to []byte, f float64) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return append(to, "null"...)
	}
	return strconv.AppendFloat(to, f, 'f', -1, 64)
}

// UnmarshalFloat reads a Float given as a number.
func UnmarshalFloat(v any) (float64, error) { return graphql.UnmarshalFloat(v) }

// The two forms of a date-time: with six fractional digits, or without any.
const (
	dateTime      = "2006-01-02T15:04:05.000000Z"
	dateTimeWhole = "2006-01-02T15:04:05Z"
)

// FormatDateTime returns a time in UTC, with microseconds unless they are 0.
func FormatDateTime(t time.Time) string { return string(appendTime(nil, t)) }

func appendTime(to []byte, t time.Time) []byte {
	t = t.UTC()
	if t.Nanosecond()/1000 == 0 {
		return t.AppendFormat(to, dateTimeWhole)
	}
	return t.AppendFormat(to, dateTime)
}

// MarshalDateTime writes a DateTime as AppendDateTime does.
func MarshalDateTime(t time.Time) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) {
		var buf [32]byte
		_, _ = w.Write(AppendDateTime(buf[:0], t))
	})
}

// AppendDateTime writes a DateTime: FormatDateTime in quotes.
func AppendDateTime(to []byte, t time.Time) []byte {
	return append(appendTime(append(to, '"'), t), '"')
}

// UnmarshalDateTime reads an RFC 3339 date-time.
func UnmarshalDateTime(v any) (time.Time, error) {
	s, _ := v.(string)
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return time.Time{}, errDateTime
	}
	return t.UTC(), nil
}

// MarshalUUID writes a uuid in the stored form.
func MarshalUUID(s string) graphql.Marshaler { return graphql.MarshalString(s) }

// UnmarshalUUID reads a uuid with or without dashes in any case.
func UnmarshalUUID(v any) (string, error) {
	s, _ := v.(string)
	if id, ok := ParseUUID(s); ok {
		return id, nil
	}
	return "", errUUID
}

// ParseUUID returns a uuid in lower case with dashes. It accepts any case, with or without dashes, and
// reports false for anything else.
func ParseUUID(s string) (string, bool) {
	if len(s) != 36 && len(s) != 32 { // the library accepts more forms
		return "", false
	}
	id, err := uuid.Parse(s)
	if err != nil {
		return "", false
	}
	return id.String(), true
}
