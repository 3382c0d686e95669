package embedded

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.etcd.io/bbolt"
	"go.mongodb.org/mongo-driver/v2/bson"
)

// The file holds one bucket "catalog" (namespace → collectionRecord), one bucket "d"+id for each collection (record
// number → document) and one bucket "i"+id for each index (keys and record number, see index.go). The sequence
// of the catalog bucket counts its changes, so a snapshot knows which catalog belongs to it; the sequence of bucket
// "ids" assigns ids, the sequence of an index on _id is the number of documents.
var (
	catalogBucket = []byte("catalog")
	idBucket      = []byte("ids")
)

// catalog lists the collections at one moment. It never changes once a snapshot may see it.
type catalog struct {
	generation  uint64
	collections map[string]*collection // by namespace: database.collection
}

// collection is one collection; indexes[0] is the index on _id.
type collection struct {
	namespace string
	id        uint32
	indexes   []*index
}

// collectionRecord and indexRecord are the stored forms.
type collectionRecord struct {
	ID      uint32        `bson:"id"`
	Indexes []indexRecord `bson:"indexes"`
}

type indexRecord struct {
	ID       uint32   `bson:"id"`
	Name     string   `bson:"name"`
	Key      bson.Raw `bson:"key"`
	Unique   bool     `bson:"unique"`
	Expire   *int64   `bson:"expire"` // seconds
	Partial  bson.Raw `bson:"partial,omitempty"`
	Multikey []bool   `bson:"multikey"`
}

func bucketName(kind byte, id uint32) []byte { return binary.BigEndian.AppendUint32([]byte{kind}, id) }

func (c *collection) name() string {
	_, name, _ := strings.Cut(c.namespace, ".")
	return name
}

func (c *collection) index(name string) *index {
	for _, ix := range c.indexes {
		if ix.Name == name {
			return ix
		}
	}
	return nil
}

func loadCatalog(tx *bbolt.Tx) (*catalog, error) {
	b := tx.Bucket(catalogBucket)
	cat := &catalog{generation: b.Sequence(), collections: map[string]*collection{}}
	err := b.ForEach(func(k, v []byte) error {
		var record collectionRecord
		if err := bson.Unmarshal(bytes.Clone(v), &record); err != nil {
			return fmt.Errorf("catalog entry %q: %w", k, err)
		}
		c := &collection{namespace: string(k), id: record.ID}
		for _, r := range record.Indexes {
			ix, err := newIndex(r)
			if err != nil {
				return fmt.Errorf("catalog entry %q, index %q: %w", k, r.Name, err)
			}
			c.indexes = append(c.indexes, ix)
		}
		cat.collections[c.namespace] = c
		return nil
	})
	return cat, err
}

// snapshot is a read transaction with the catalog that belongs to it.
type snapshot struct {
	tx  *bbolt.Tx
	cat *catalog
	own map[string]*overlay // of the client's transaction, by namespace; nil without one
}

// view runs a function on a snapshot. Nothing it reads may be used afterwards.
func (s *Server) view(run func(snapshot) error) error {
	snap, err := s.openSnapshot()
	if err != nil {
		return err
	}
	defer func() { _ = snap.tx.Rollback() }()
	return s.guarded(snap.tx, func() error { return run(snap) })
}

// view runs a function on the snapshot of the command's transaction, or on a new one.
func (c *command) view(run func(snapshot) error) error {
	if c.tx != nil {
		return run(c.tx.snap)
	}
	return c.s.view(run)
}

// openSnapshot opens a snapshot; its transaction must be rolled back.
func (s *Server) openSnapshot() (snap snapshot, err error) {
	if snap.tx, err = s.begin(false); err != nil {
		return snap, err
	}
	err = s.guarded(snap.tx, func() (err error) {
		if snap.cat, err = s.catalogOf(snap.tx); err != nil {
			return s.note(err)
		}
		return nil
	})
	if err != nil {
		_ = snap.tx.Rollback()
	}
	return snap, err
}

// guarded runs a function that reads a snapshot. A panic that the file caused becomes an error.
func (s *Server) guarded(tx *bbolt.Tx, run func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			_ = tx.Rollback()
			err = s.recovered(r)
		}
	}()
	return run()
}

// catalogOf returns the catalog of a transaction that has not changed it.
func (s *Server) catalogOf(tx *bbolt.Tx) (*catalog, error) {
	if cat := s.catalog.Load(); cat != nil && cat.generation == tx.Bucket(catalogBucket).Sequence() {
		return cat, nil
	}
	cat, err := loadCatalog(tx)
	if err == nil {
		s.catalog.Store(cat)
	}
	return cat, err
}

// change stores a new version of a collection.
func (w *writer) change(namespace string, c *collection) error {
	b := w.tx.Bucket(catalogBucket)
	generation, err := b.NextSequence()
	if err != nil {
		return err
	}
	w.cat = &catalog{generation: generation, collections: maps.Clone(w.cat.collections)}
	w.cat.collections[namespace] = c
	record := collectionRecord{ID: c.id}
	for _, ix := range c.indexes {
		record.Indexes = append(record.Indexes, ix.indexRecord)
	}
	encoded, err := bson.Marshal(record)
	if err != nil {
		return err
	}
	return b.Put([]byte(namespace), encoded)
}

// collection returns the collection with a name, and creates it with its _id index if it is missing.
func (w *writer) collection(namespace string) (*collection, error) {
	if c := w.cat.collections[namespace]; c != nil {
		return c, nil
	}
	if err := checkNamespace(namespace); err != nil {
		return nil, err
	}
	id, err := w.newID()
	if err != nil {
		return nil, err
	}
	if _, err := w.tx.CreateBucket(bucketName('d', id)); err != nil {
		return nil, err
	}
	c := &collection{namespace: namespace, id: id}
	ix, err := w.createIndex(idIndex)
	if err != nil {
		return nil, err
	}
	c.indexes = []*index{ix}
	return c, w.change(namespace, c)
}

func (w *writer) createIndex(record indexRecord) (*index, error) {
	var err error
	if record.ID, err = w.newID(); err != nil {
		return nil, err
	}
	ix, err := newIndex(record)
	if err != nil {
		return nil, err
	}
	_, err = w.tx.CreateBucket(bucketName('i', record.ID))
	return ix, err
}

func (w *writer) newID() (uint32, error) {
	id, err := w.tx.Bucket(idBucket).NextSequence()
	return uint32(id), err
}

func (c *collection) withIndexes(indexes []*index) *collection {
	return &collection{c.namespace, c.id, slices.Clone(indexes)}
}

func checkNamespace(namespace string) error {
	database, name, _ := strings.Cut(namespace, ".")
	switch {
	case database == "" || len(database) > 63 || strings.ContainsAny(database, "/\\. \"$\x00"):
		return errorf(codeInvalidNamespace, "Invalid database name: '%s'", database)
	case name == "" || len(namespace) > 255 || strings.ContainsAny(name, "$\x00") || name[0] == '.' ||
		strings.HasPrefix(name, "system."):
		return errorf(codeInvalidNamespace, "Invalid collection name: '%s'", name)
	}
	return nil
}
