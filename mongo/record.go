package mongo

import (
	"bytes"
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"

	"gamedata/graph/model"
)

// declaration declares a type of records to the store. The tags of the struct describe the fields, see
// graph/internal/generate.
type declaration[T Stored] struct {
	collection string
	id         func(*T) string // the value of the collection's key field
	// fold sets the fields that are derived from others; may be nil.
	fold func(*T)
	// deleted is the type of records of Deletions, and updated the field updatedAt; without them mirrors do not follow
	// the records.
	deleted string
	updated func(*T) *time.Time
	// added is the field with the time at which the record was added; nil for records without a past.
	added func(*T) *time.Time
	// guards are the access rules of fields by name; shares reports whether everyone may see that a field changed. Both
	// are nil for records without access rules.
	guards map[string][]model.AccessRule
	shares func(record *T, field string) bool
	// tags returns the tags of the record in caches.
	tags func(*T) []string
	// names returns the tags of lookups of the record by name; nil if it has no names.
	names func(*T) []string
	// references returns the writes that remove references to a deleted record.
	references func(*T) []operation
}

// recordType is the declaration of a type for code that is compiled once for all types: its records are pointers to
// structs. Generic code would be compiled again in every package that imports this one.
type recordType struct {
	collection string
	goType     reflect.Type
	fields     []storedField
	id         func(record any) string
	fold       func(record any)
	deleted    string
	updated    func(record any) *time.Time
	added      func(record any) *time.Time
	shares     func(record any, field string) bool
	tags       func(record any) []string
	names      func(record any) []string
	references func(record any) []operation
}

type storedField struct {
	index     int
	name      string
	omitEmpty bool
	volatile  bool // a change of it does not count for updatedAt
	played    bool // it changes while the player plays
	guarded   bool // an access rule hides it
	purge     bool // caches must not serve an old value
	lookup    bool // the record is looked up by it
	// parts are the fields of the struct behind the pointer; an update writes only the changed ones.
	parts []storedField
}

// recordTypes are the types of records that Save writes, by the type of their struct.
var recordTypes = map[reflect.Type]*recordType{}

// Stored are the types of records that Save writes. recordtypes.go registers each.
type Stored interface {
	model.Player | model.Character | model.Guild | model.Territory | model.Item | model.FormerGuild | model.Account |
		model.LinkCode | model.Session | model.Application | model.AuthCode | model.AccessToken | model.Webhook |
		model.Competition | model.FeedToken | model.Pepper | FeedKey
}

func register[T Stored](d declaration[T]) bool {
	t := reflect.TypeFor[T]()
	r := &recordType{
		collection: d.collection, goType: t, fields: fieldsOf(t, d.guards), id: untyped(d.id), deleted: d.deleted,
		updated: untyped(d.updated), added: untyped(d.added), tags: untyped(d.tags), names: untyped(d.names),
		references: untyped(d.references),
	}
	if d.fold != nil {
		r.fold = func(record any) { d.fold(record.(*T)) }
	}
	if d.shares != nil {
		r.shares = func(record any, field string) bool { return d.shares(record.(*T), field) }
	}
	recordTypes[t] = r
	return true
}

// untyped returns a function of records for records of any type.
func untyped[T Stored, R any](f func(*T) R) func(any) R {
	if f == nil {
		return nil
	}
	return func(record any) R { return f(record.(*T)) }
}

// registerPlain registers a type of records that nothing else depends on.
func registerPlain[T Stored](collection string, id func(*T) string) bool {
	return register(declaration[T]{collection: collection, id: id})
}

func recordTypeOf[T Stored]() *recordType { return recordTypes[reflect.TypeFor[T]()] }

func (r *recordType) idField() string { return describe(r.collection).key() }

// filter selects the stored version of a record.
func (r *recordType) filter(record any) bson.D {
	return bson.D{{Key: r.idField(), Value: r.id(record)}}
}

// storedName returns the name of a field in records, and the options of its tag, as the driver reads them with its
// option UseJSONStructTags.
func storedName(f reflect.StructField) (name, options string) {
	tag, ok := f.Tag.Lookup("bson")
	if !ok {
		tag = f.Tag.Get("json")
	}
	name, options, _ = strings.Cut(tag, ",")
	return cmp.Or(name, strings.ToLower(f.Name)), options
}

func fieldsOf(t reflect.Type, guards map[string][]model.AccessRule) (out []storedField) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options := storedName(f)
		if name == "-" || name == "_id" {
			continue
		}
		declared := strings.Split(f.Tag.Get("record"), ",")
		out = append(out, storedField{
			index: i, name: name, omitEmpty: slices.Contains(strings.Split(options, ","), "omitempty"),
			volatile: slices.Contains(declared, "volatile"), played: slices.Contains(declared, "played"),
			guarded: len(guards[name]) > 0,
			purge:   slices.Contains(declared, "purge"), lookup: slices.Contains(declared, "name"),
		})
		if f.Type != reflect.PointerTo(t) {
			out[len(out)-1].parts = partsOf(f.Type)
		}
	}
	return out
}

// partsOf returns the fields of the struct that a type points to; nil for a type that is not stored field by field.
func partsOf(t reflect.Type) []storedField {
	if t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Struct || t.Elem() == timeType {
		return nil
	}
	parts := fieldsOf(t.Elem(), nil)
	if len(parts) < t.Elem().NumField() {
		return nil
	}
	return parts
}

// changed returns the fields in which two versions of a record differ.
func (r *recordType) changed(before, after any) []storedField {
	return changedFields(r.fields, reflect.ValueOf(before).Elem(), reflect.ValueOf(after).Elem())
}

func changedFields(fields []storedField, from, to reflect.Value) (out []storedField) {
	for _, f := range fields {
		if !reflect.DeepEqual(from.Field(f.index).Interface(), to.Field(f.index).Interface()) {
			out = append(out, f)
		}
	}
	return out
}

// adopt keeps the stored value wherever the incoming one would be stored identically: a time in another zone, an empty
// list.
func (r *recordType) adopt(stored, record any) error {
	from, to := reflect.ValueOf(stored).Elem(), reflect.ValueOf(record).Elem()
	for _, f := range r.changed(stored, record) {
		same, err := sameValue(from.Field(f.index), to.Field(f.index))
		if err != nil {
			return fmt.Errorf("%s of %s: %w", f.name, r.collection, err)
		}
		if same {
			to.Field(f.index).Set(from.Field(f.index))
		}
	}
	return nil
}

// sameValue reports whether two values are stored identically.
func sameValue(a, b reflect.Value) (bool, error) {
	first, err := encode(bson.D{{Key: "v", Value: a.Interface()}})
	if err != nil {
		return false, err
	}
	second, err := encode(bson.D{{Key: "v", Value: b.Interface()}})
	return bytes.Equal(first, second), err
}

// counts reports whether mirrors see the change of a field: a player's only if everyone may see it. A field that
// changes while a player plays shows that they are playing.
func (r *recordType) counts(f storedField, after any) bool {
	switch {
	case f.volatile:
		return false
	case r.shares == nil || !f.guarded && !f.played:
		return true
	}
	return r.shares(after, f.name)
}

// update returns the update of a record to another version, nil if they are the same.
func (r *recordType) update(changed []storedField, before, after any, counted bool, now time.Time) bson.D {
	var set, unset bson.D
	assign := func(f storedField, path string, v reflect.Value) {
		if f.omitEmpty && isEmpty(v) {
			unset = append(unset, bson.E{Key: path, Value: ""})
		} else {
			set = append(set, bson.E{Key: path, Value: v.Interface()})
		}
	}
	from, to := reflect.ValueOf(before).Elem(), reflect.ValueOf(after).Elem()
	for _, f := range changed {
		a, b := from.Field(f.index), to.Field(f.index)
		switch {
		case f.name == UpdatedField, f.name == addedField:
		case f.parts != nil && !a.IsNil() && !b.IsNil():
			for _, part := range changedFields(f.parts, a.Elem(), b.Elem()) {
				assign(part, f.name+"."+part.name, b.Elem().Field(part.index))
			}
		default:
			assign(f, f.name, b)
		}
	}
	if counted {
		set = append(set, bson.E{Key: UpdatedField, Value: now})
	}
	var out bson.D
	if set != nil {
		out = append(out, bson.E{Key: "$set", Value: set})
	}
	if unset != nil {
		out = append(out, bson.E{Key: "$unset", Value: unset})
	}
	return out
}

func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.String:
		return v.Len() == 0
	default:
		return v.IsZero()
	}
}

type operation struct {
	collection string
	model      driver.WriteModel
}
