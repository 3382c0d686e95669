package mongo

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	"gamedata/mongo/conn"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
)

// Game servers in other languages write records too, so a record may not decode: a fraction where an integer belongs.
// Lists leave such a record out, and reads by key fail for its key alone. Only the service writes records of accounts,
// so a malformed one fails the read.

// MalformedError is returned by a read by keys when records cannot be decoded. The values returned with it are valid,
// except at the positions in Failures.
type MalformedError struct {
	Failures map[int]error // by the position of the key
}

func (e *MalformedError) Error() string {
	for _, err := range e.Failures {
		return err.Error() // all are logged when they are found
	}
	return "malformed records"
}

// checked is a record with checks beyond decoding; one that fails them is malformed.
type checked interface{ Check() error }

// malformed is a record that cannot be decoded.
type malformed struct {
	record bson.Raw
	err    error
}

func (m malformed) id() string {
	id := m.record.Lookup("_id")
	if text, ok := id.StringValueOK(); ok {
		return text
	}
	return id.String()
}

// decodeEach decodes every record of a cursor as a struct of type t. It leaves out and reports malformed ones.
func decodeEach(ctx context.Context, c *conn.Collection, cursor *driver.Cursor, t reflect.Type) (
	found []any, bad []malformed, err error,
) {
	for cursor.Next(ctx) {
		record := reflect.New(t).Interface()
		err := decode(cursor.Current, record, cursor.Decode)
		if r, ok := record.(checked); ok && err == nil {
			err = r.Check()
		}
		if err != nil {
			if describe(c.Name()).Export != GameData {
				return nil, nil, err
			}
			m := malformed{append(bson.Raw{}, cursor.Current...), err}
			m.err = fmt.Errorf("malformed record %s of %s: %w", m.id(), c.Name(), err)
			c.ReportMalformed(m.id(), err)
			bad = append(bad, m)
			continue
		}
		found = append(found, record)
	}
	return found, bad, cursor.Err()
}

// failures returns a MalformedError for the keys of records that a read by a field could not decode; nil
// if there are none.
func failures(keys []string, field string, bad []malformed) error {
	e := &MalformedError{Failures: map[int]error{}}
	for _, m := range bad {
		value, _ := m.record.Lookup(strings.Split(field, ".")...).StringValueOK()
		for i, key := range keys {
			if key == value {
				e.Failures[i] = m.err
			}
		}
	}
	if len(e.Failures) == 0 {
		return nil
	}
	return e
}

// checkPage is the number of records that one command of Export.Malformed reads.
const checkPage = 1000

// Malformed decodes every player, character, guild and territory, and returns the errors of the malformed ones.
func (s *ExportStore) Malformed(ctx context.Context) ([]error, error) {
	in := func(name string) *conn.Collection { return s.db.Collection(name).Quiet() }
	var out []error
	for _, check := range []func() ([]error, error){
		func() ([]error, error) { return malformedIn(ctx, in(Players), playerUUID) },
		func() ([]error, error) { return malformedIn(ctx, in(Characters), characterUUID) },
		func() ([]error, error) { return malformedIn(ctx, in(Guilds), guildUUID) },
		func() ([]error, error) { return malformedIn(ctx, in(Territories), territoryName) },
	} {
		bad, err := check()
		if out = append(out, bad...); err != nil {
			return out, err
		}
	}
	return out, nil
}

func malformedIn[T any](ctx context.Context, c *conn.Collection, id func(*T) string) (out []error, err error) {
	s := scan[T]{in: c, size: checkPage, key: id, malformed: func(m malformed) { out = append(out, m.err) }}
	for _, err := range s.pages(ctx) {
		if err != nil {
			return out, err
		}
	}
	return out, nil
}
