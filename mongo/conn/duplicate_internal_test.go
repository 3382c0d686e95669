package conn

import (
	"errors"
	"fmt"
	"testing"

	driver "go.mongodb.org/mongo-driver/v2/mongo"
)

// A duplicate key is recognised in every form in which an engine reports it.
func TestIsDuplicateKey(t *testing.T) {
	bulk := func(code int, text string) error {
		return driver.BulkWriteException{WriteErrors: []driver.BulkWriteError{
			{WriteError: driver.WriteError{Code: code, Message: text}},
		}}
	}
	write := func(code int, text string) error {
		return driver.WriteException{WriteErrors: []driver.WriteError{{Code: code, Message: text}}}
	}
	const text = "E11000 duplicate key error collection: gamedata.leases index: _id_"
	for name, c := range map[string]struct {
		err  error
		want bool
	}{
		"command":              {driver.CommandError{Code: 11000, Message: text}, true},
		"command, other code":  {driver.CommandError{Code: 1, Message: text}, true},
		"write":                {write(11000, text), true},
		"write, other code":    {write(1, text), true},
		"bulk":                 {bulk(11000, ""), true},
		"bulk, other code":     {bulk(1, text), true},
		"wrapped":              {fmt.Errorf("leases: %w", driver.CommandError{Code: 11000}), true},
		"another server error": {driver.CommandError{Code: 13, Message: "not authorized"}, false},
		"another error":        {errors.New(text), false},
		"none":                 {nil, false},
	} {
		if got := IsDuplicateKey(c.err); got != c.want {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}
