package embedded

import (
	"bytes"
	"fmt"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
)

const maxIndexes = 64

// createIndexes creates the missing indexes and fills them from the existing documents, all or none.
func createIndexes(c *command) error {
	namespace, specs := c.namespace(), c.list("indexes")
	switch {
	case c.err != nil:
		return c.err
	case len(specs) == 0:
		return errorf(codeBadValue, "Must specify at least one index to create")
	}
	var records []indexRecord
	for _, spec := range specs {
		record, err := parseIndexSpec(spec)
		if err != nil {
			return err
		}
		records = append(records, record)
	}
	return c.s.update(0, func(w *writer) error {
		existing := w.cat.collections[namespace]
		fresh, err := newIndexes(existing, records)
		if err != nil || existing != nil && len(fresh) == 0 {
			return err
		}
		builds, err := w.prepare(existing, fresh)
		if err != nil {
			return err
		}
		coll, err := w.collection(namespace)
		if err != nil {
			return err
		}
		return w.build(coll, builds)
	})
}

// newIndexes returns the indexes that do not exist yet, and rejects conflicts with existing ones.
func newIndexes(c *collection, wanted []indexRecord) ([]indexRecord, error) {
	var known, fresh []indexRecord
	if c != nil {
		for _, ix := range c.indexes {
			known = append(known, ix.indexRecord)
		}
	}
	for _, record := range wanted {
		if bytes.Equal(record.Key, idKey) {
			continue // every collection has this index
		}
		same, err := existing(known, record)
		if err != nil {
			return nil, err
		}
		if !same {
			known, fresh = append(known, record), append(fresh, record)
		}
	}
	if len(known) > maxIndexes {
		return nil, errorf(codeCannotCreateIndex, "add index fails, too many indexes")
	}
	return fresh, nil
}

var (
	idKey   = document(func(dst []byte) []byte { return bsoncore.AppendInt32Element(dst, "_id", 1) })
	idIndex = indexRecord{Name: "_id_", Key: bson.Raw(idKey), Unique: true}
)

// existing reports whether an index exists. The same name for another key, or the same key under another
// name or with other options, is an error.
func existing(known []indexRecord, record indexRecord) (bool, error) {
	for _, k := range known {
		sameKey := compareDocs(raw(k.Key), raw(record.Key), true) == 0 && bytes.Equal(k.Partial, record.Partial)
		sameUse := k.Unique == record.Unique
		sameTime := (k.Expire == nil) == (record.Expire == nil) && (k.Expire == nil || *k.Expire == *record.Expire)
		switch {
		case k.Name == record.Name && (!sameKey || !sameUse):
			return false, errorf(codeIndexKeyConflict, "An existing index has the same name as the requested index '%s' "+
				"but another key or other options. When index names are not specified, they are auto generated and can "+
				"cause conflicts.", k.Name)
		case k.Name == record.Name && sameTime:
			return true, nil
		case k.Name == record.Name, sameKey && sameUse:
			return false, errorf(codeIndexOptionsConflict,
				"An equivalent index already exists with a different name or different options: %s", k.Name)
		}
	}
	return false, nil
}

// parseIndexSpec reads one index description; unknown options are rejected.
func parseIndexSpec(spec raw) (indexRecord, error) {
	var r indexRecord
	for name, v := range spec.all() {
		switch name {
		case "key":
			if v.kind != bson.TypeEmbeddedDocument {
				return r, errorf(codeTypeMismatch, "The field 'key' must be an object, but got %s", v.kind)
			}
			if err := checkIndexKey(v.doc()); err != nil {
				return r, err
			}
			r.Key = bytes.Clone(v.data)
		case "name":
			if v.kind != bson.TypeString {
				return r, errorf(codeTypeMismatch, "The field 'name' must be a string, but got %s", v.kind)
			}
			r.Name = string(v.text())
		case "unique":
			r.Unique = v.truthy()
		case "expireAfterSeconds":
			n, ok := v.integer()
			if !v.isNumber() || !ok || n < 0 || n > 1<<31-1 {
				return r, errorf(codeCannotCreateIndex, "TTL index 'expireAfterSeconds' must be a number between 0 and %d", 1<<31-1)
			}
			r.Expire = &n
		case "partialFilterExpression":
			if v.kind != bson.TypeEmbeddedDocument {
				return r, errorf(codeTypeMismatch, "The field 'partialFilterExpression' must be an object")
			}
			if _, err := parseFilter(v.doc()); err != nil {
				return r, err
			}
			r.Partial = bytes.Clone(v.data)
		default:
			return r, errorf(codeInvalidIndexOption, "The field '%s' is not valid for an index specification", name)
		}
	}
	fields := 0
	for range raw(r.Key).all() {
		fields++
	}
	switch {
	case fields == 0:
		return r, errorf(codeFailedToParse, "The 'key' field is a required property of an index specification")
	case r.Name == "":
		return r, errorf(codeFailedToParse, "The 'name' field is a required property of an index specification")
	case r.Expire != nil && fields > 1:
		return r, errorf(codeCannotCreateIndex, "TTL indexes are single-field indexes, compound indexes do not support TTL")
	case r.Expire != nil && bytes.Equal(r.Key, idKey):
		return r, errorf(codeInvalidIndexOption, "The field 'expireAfterSeconds' is not valid for an _id index specification")
	}
	return r, nil
}

func checkIndexKey(key raw) error {
	seen := map[string]bool{}
	for name, v := range key.all() {
		switch {
		case !isDirection(v):
			return errorf(codeCannotCreateIndex, "Values in the index key pattern must be 1 or -1, not %s", show(v))
		case seen[name]:
			return errorf(codeBadValue, "The field '%s' appears in the index key pattern more than once", name)
		}
		if err := checkPath(name); err != nil {
			return err
		}
		for _, part := range parsePath(name) {
			if _, number := position(part); number {
				return errorf(codeCannotCreateIndex, "Index key contains a part that cannot be indexed: '%s'", name)
			}
		}
		seen[name] = true
	}
	return nil
}

type build struct {
	ix      *index
	entries [][]byte
}

// prepare computes the entries of new indexes and rejects duplicates before anything is changed.
func (w *writer) prepare(c *collection, records []indexRecord) ([]build, error) {
	var builds []build
	for _, record := range records {
		ix, err := newIndex(record)
		if err != nil {
			return nil, err
		}
		builds = append(builds, build{ix: ix})
	}
	if c == nil {
		return builds, nil
	}
	cursor := w.tx.Bucket(bucketName('d', c.id)).Cursor()
	for k, v := cursor.First(); k != nil; k, v = cursor.Next() {
		for i := range builds {
			b := &builds[i]
			entries, multikey, err := b.ix.entries(raw(v))
			if err != nil {
				return nil, err
			}
			for f, array := range multikey {
				b.ix.Multikey[f] = b.ix.Multikey[f] || array
			}
			for _, e := range entries {
				b.entries = append(b.entries, withRecord(e, recordOf(k)))
			}
		}
	}
	for _, b := range builds {
		slices.SortFunc(b.entries, bytes.Compare)
		if err := checkBuild(c, b); err != nil {
			return nil, err
		}
	}
	return builds, nil
}

func checkBuild(c *collection, b build) error {
	for i := 1; b.ix.Unique && i < len(b.entries); i++ {
		x, y := b.entries[i-1], b.entries[i]
		if n := len(x) - recordSize; len(x) == len(y) && bytes.Equal(x[:n], y[:n]) {
			return duplicate(c, b.ix)
		}
	}
	return nil
}

func (w *writer) build(c *collection, builds []build) error {
	next := c.withIndexes(c.indexes)
	for _, b := range builds {
		ix, err := w.createIndex(b.ix.indexRecord)
		if err != nil {
			return err
		}
		bucket := w.tx.Bucket(bucketName('i', ix.ID))
		bucket.FillPercent = 0.9
		for _, e := range b.entries {
			if err := bucket.Put(e, nil); err != nil {
				return fmt.Errorf("build index %s: %w", ix.Name, err)
			}
		}
		next.indexes = append(next.indexes, ix)
	}
	return w.change(c.namespace, next)
}
