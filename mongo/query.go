package mongo

import (
	"bytes"
	"context"
	"reflect"
	"slices"
	"unicode/utf8"

	"gamedata/mongo/conn"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// findOptions are the driver's options of a query.
type findOptions = options.Lister[options.FindOptions]

// find reads every record that a filter matches, except malformed ones.
func find[T any](ctx context.Context, c *conn.Collection, filter bson.D, opts ...findOptions) ([]*T, error) {
	found, _, err := findAll[T](ctx, c, filter, opts...)
	return found, err
}

// findAll is find, but returns the malformed records too.
func findAll[T any](ctx context.Context, c *conn.Collection, filter bson.D, opts ...findOptions) (
	[]*T, []malformed, error,
) {
	found, bad, err := findRecords(ctx, c, reflect.TypeFor[T](), filter, opts...)
	return typed[T](found), bad, err
}

// findRecords is findAll for structs of type t. It is compiled once for all types.
func findRecords(ctx context.Context, c *conn.Collection, t reflect.Type, filter bson.D, opts ...findOptions) (
	found []any, bad []malformed, err error,
) {
	found, err = conn.Find(ctx, c, filter, func(ctx context.Context, cursor *driver.Cursor) (found []any, err error) {
		found, bad, err = decodeEach(ctx, c, cursor, t)
		return found, err
	}, opts...)
	return found, bad, err
}

// typed returns records as pointers to their structs.
func typed[T any](records []any) []*T {
	if records == nil {
		return nil
	}
	out := make([]*T, len(records))
	for i, r := range records {
		out[i], _ = r.(*T) // nil for a missing record
	}
	return out
}

// findInOrder reads the records whose field has one of the keys, in the order of the keys; nil for an unknown key. It
// returns a MalformedError if a record is malformed.
func findInOrder[T any](ctx context.Context, c *conn.Collection, field string, keys []string, key func(*T) string,
	opts ...findOptions,
) ([]*T, error) {
	found, bad, err := findAll[T](ctx, c, bson.D{{Key: field, Value: in(keys)}}, opts...)
	if err != nil {
		return nil, err
	}
	return inKeyOrder(keys, found, key), failures(keys, field, bad)
}

// findGrouped reads the records whose field has one of the keys, grouped in the order of the keys. It returns a
// MalformedError if a record is malformed.
func findGrouped[T any](ctx context.Context, c *conn.Collection, field string, keys []string, key func(*T) string,
	opts ...findOptions,
) ([][]*T, error) {
	found, bad, err := findAll[T](ctx, c, bson.D{{Key: field, Value: in(keys)}}, opts...)
	if err != nil {
		return nil, err
	}
	return groupedByKey(keys, found, key), failures(keys, field, bad)
}

const (
	// MaxCount is the most records that a count returns if an index alone can count them.
	MaxCount = 100_000
	// MaxRecordCount is the most records that a count returns if it has to read each record.
	MaxRecordCount = 10_000
)

// countUpTo counts the records that a filter matches; nil if there are more than most.
func countUpTo(ctx context.Context, c *conn.Collection, filter bson.D, most int) (*int, error) {
	n, err := c.Count(conn.WithLongTimeout(ctx), filter, options.Count().SetLimit(int64(most+1)))
	if err != nil || n > most {
		return nil, err
	}
	return &n, nil
}

// inKeyOrder places records at the positions of their keys; nil for an unknown key.
func inKeyOrder[K comparable, T any](keys []K, records []*T, key func(*T) K) []*T {
	byKey := make(map[K]*T, len(records))
	for _, r := range records {
		byKey[key(r)] = r
	}
	return each(keys, func(k K) *T { return byKey[k] })
}

// groupedByKey groups records at the positions of their keys, in the order read.
func groupedByKey[T any](keys []string, records []*T, key func(*T) string) [][]*T {
	byKey := make(map[string][]*T, len(keys))
	for _, r := range records {
		byKey[key(r)] = append(byKey[key(r)], r)
	}
	return each(keys, func(k string) []*T { return byKey[k] })
}

// in matches any of the keys; without keys it matches nothing.
func in(keys []string) bson.D {
	if keys == nil { // would be encoded as null, which $in rejects
		keys = []string{}
	}
	return bson.D{{Key: "$in", Value: keys}}
}

// each returns the results of f for the elements of a list, in order.
func each[T, U any](list []T, f func(T) U) []U {
	out := make([]U, len(list))
	for i, v := range list {
		out[i] = f(v)
	}
	return out
}

// projection selects fields besides _id.
func projection(fields ...string) bson.D { return allOnes(fields) }

func sortedBy(fields ...string) *options.FindOptionsBuilder {
	return options.Find().SetSort(allOnes(fields))
}

func allOnes(fields []string) bson.D {
	return each(fields, func(f string) bson.E { return bson.E{Key: f, Value: 1} })
}

// hasPrefix matches records whose field begins with a text. It is a range that an index serves; the text is not a
// pattern.
func hasPrefix(field, text string) bson.D {
	span := bson.D{{Key: "$gte", Value: text}}
	if end := prefixEnd(text); end != "" {
		span = append(span, bson.E{Key: "$lt", Value: end})
	}
	return bson.D{{Key: field, Value: span}}
}

// prefixEnd returns the least text, by code point, that is greater than all texts with a prefix;
// empty when there is none.
func prefixEnd(text string) string {
	for text != "" {
		last, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
		switch {
		case last == utf8.MaxRune:
		case last+1 == surrogates:
			return text + string(afterSurrogates)
		default:
			return text + string(last+1)
		}
	}
	return ""
}

// The code points from surrogates up to afterSurrogates are not in UTF-8.
const surrogates, afterSurrogates rune = 0xD800, 0xE000

// foldAll folds keys, in their order.
func foldAll(keys []string) []string { return each(keys, Fold) }

// insert adds new records with as few commands as the protocol allows.
func insert[T any](ctx context.Context, c *conn.Collection, records []T) error {
	if len(records) == 0 {
		return nil
	}
	return c.InsertMany(conn.WithLongTimeout(ctx), records)
}

// encode encodes a record as the store's driver does.
func encode(record any) (bson.Raw, error) {
	var out bytes.Buffer
	encoder := bson.NewEncoder(bson.NewDocumentWriter(&out))
	encoder.UseJSONStructTags()
	err := encoder.Encode(record)
	return out.Bytes(), err
}

// keyed is a record with the value of its collection's key field.
type keyed struct{ key, record any }

// replaceEach replaces each record that has the same key, or adds it. Nothing follows these records.
func replaceEach(ctx context.Context, d database, collection string, records []keyed) error {
	field := describe(collection).key()
	for part := range slices.Chunk(records, maxReplaced) {
		_, err := d.bulkUpdate(ctx, collection, each(part, func(r keyed) driver.WriteModel {
			filter := bson.D{{Key: field, Value: r.key}}
			return driver.NewReplaceOneModel().SetFilter(filter).SetReplacement(r.record).SetUpsert(true)
		}))
		if err != nil {
			return err
		}
	}
	return nil
}

// maxReplaced is the number of records that one command replaces.
const maxReplaced = 1000
