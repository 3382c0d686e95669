package config

import "fmt"

// UsageError is a mistake in the command line, the environment or the settings file. The program exits with status 2.
type UsageError struct{ Err error }

// Error returns the text of the wrapped error.
func (e UsageError) Error() string { return e.Err.Error() }

// Unwrap gives the wrapped error.
func (e UsageError) Unwrap() error { return e.Err }

// Usagef formats a UsageError like fmt.Errorf.
func Usagef(format string, args ...any) error { return UsageError{fmt.Errorf(format, args...)} }
