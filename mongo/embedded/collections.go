package embedded

import (
	"maps"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// gathered replies with a cursor over documents created for this reply.
func (c *command) gathered(namespace string, docs []raw) error {
	batch := c.cursorOptions()
	if c.err != nil {
		return c.err
	}
	return c.firstBatch(namespace, &list{docs: docs}, batch)
}

// cursorOptions reads the cursor document of commands other than find.
func (c *command) cursorOptions() batchOptions {
	return c.batchSize(c.doc("cursor").lookup("batchSize"))
}

func listCollections(c *command) error {
	filter, nameOnly := c.filter("filter"), c.flag("nameOnly", false)
	if c.err != nil {
		return c.err
	}
	var docs []raw
	err := c.s.view(func(snap snapshot) error {
		for _, coll := range snap.cat.in(c.db) {
			d := document(func(dst []byte) []byte {
				dst = appendString(dst, "name", coll.name())
				dst = appendString(dst, "type", "collection")
				if nameOnly {
					return dst
				}
				dst = appendDoc(dst, "options", emptyDoc)
				dst = appendDoc(dst, "info", document(func(dst []byte) []byte { return appendBool(dst, "readOnly", false) }))
				return appendDoc(dst, "idIndex", coll.indexes[0].describe())
			})
			if filter.matches(d) {
				docs = append(docs, d)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.gathered(c.db+".$cmd.listCollections", docs)
}

func (cat *catalog) in(database string) []*collection {
	var found []*collection
	for _, namespace := range slices.Sorted(maps.Keys(cat.collections)) {
		if strings.HasPrefix(namespace, database+".") {
			found = append(found, cat.collections[namespace])
		}
	}
	return found
}

func listDatabases(c *command) error {
	filter := c.filter("filter")
	if c.err != nil {
		return c.err
	}
	return c.s.view(func(snap snapshot) error {
		names := map[string]bool{}
		for _, coll := range snap.cat.collections {
			names[coll.database()] = true
		}
		var docs []value
		for _, name := range slices.Sorted(maps.Keys(names)) {
			d := document(func(dst []byte) []byte {
				dst = appendString(dst, "name", name)
				if !c.flag("nameOnly", false) {
					dst = appendInt64(dst, "sizeOnDisk", 0) // one file holds all databases
					dst = appendBool(dst, "empty", false)
				}
				return dst
			})
			if filter.matches(d) {
				docs = append(docs, docValue(d))
			}
		}
		c.dst = appendValue(c.dst, "databases", array(docs))
		c.dst = appendInt64(c.dst, "totalSize", snap.tx.Size())
		return nil
	})
}

func listIndexes(c *command) error {
	namespace := c.namespace()
	if c.err != nil {
		return c.err
	}
	var docs []raw
	err := c.s.view(func(snap snapshot) error {
		coll := snap.cat.collections[namespace]
		if coll == nil {
			return errorf(codeNamespaceNotFound, "ns does not exist: %s", namespace)
		}
		for _, ix := range coll.indexes {
			docs = append(docs, ix.describe())
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.gathered(namespace, docs)
}

// describe returns an index as listIndexes shows it.
func (ix *index) describe() raw {
	return document(func(dst []byte) []byte {
		dst = appendInt32(dst, "v", 2)
		dst = appendDoc(dst, "key", raw(ix.Key))
		dst = appendString(dst, "name", ix.Name)
		if ix.Unique && ix.Name != "_id_" {
			dst = appendBool(dst, "unique", true)
		}
		if ix.Sparse {
			dst = appendBool(dst, "sparse", true)
		}
		if ix.Expire != nil {
			dst = appendCount(dst, "expireAfterSeconds", *ix.Expire)
		}
		if len(ix.Partial) > 0 {
			dst = appendDoc(dst, "partialFilterExpression", raw(ix.Partial))
		}
		return dst
	})
}

func dropIndexes(c *command) error {
	namespace := c.namespace()
	if c.err != nil {
		return c.err
	}
	which := c.body.lookup("index")
	was := 0
	err := c.s.update(0, func(w *writer) error {
		coll := w.cat.collections[namespace]
		if coll == nil {
			return errorf(codeNamespaceNotFound, "ns not found %s", namespace)
		}
		was = len(coll.indexes)
		dropped, err := coll.choose(which)
		if err != nil || len(dropped) == 0 {
			return err
		}
		isDropped := func(ix *index) bool { return slices.Contains(dropped, ix) }
		remaining := slices.DeleteFunc(slices.Clone(coll.indexes), isDropped)
		for _, ix := range dropped {
			if err := w.tx.DeleteBucket(bucketName('i', ix.ID)); err != nil {
				return err
			}
		}
		return w.change(namespace, coll.withIndexes(remaining))
	})
	if err != nil {
		return err
	}
	c.dst = appendInt32(c.dst, "nIndexesWas", int32(was))
	return nil
}

// choose returns the indexes to drop: "*" for all but _id, a name, a key, or a list of names.
func (c *collection) choose(which value) ([]*index, error) {
	var names []string
	switch which.kind {
	case bson.TypeString:
		if string(which.text()) == "*" {
			return c.indexes[1:], nil
		}
		names = []string{string(which.text())}
	case bson.TypeArray:
		for _, v := range which.doc().all() {
			if v.kind != bson.TypeString {
				return nil, errorf(codeTypeMismatch, "dropIndexes needs names of indexes")
			}
			names = append(names, string(v.text()))
		}
	case bson.TypeEmbeddedDocument:
		for _, ix := range c.indexes {
			if compareDocs(raw(ix.Key), which.doc(), true) == 0 {
				names = append(names, ix.Name)
			}
		}
		if len(names) == 0 {
			return nil, errorf(codeIndexNotFound, "can't find index with key: %s", bson.Raw(which.data))
		}
	default:
		return nil, errorf(codeTypeMismatch, "BSON field 'dropIndexes.index' must be a string, an array or an object")
	}
	var found []*index
	for _, name := range names {
		ix := c.index(name)
		if ix == nil {
			return nil, errorf(codeIndexNotFound, "index not found with name [%s]", name)
		}
		if ix == c.indexes[0] {
			return nil, errorf(codeInvalidOptions, "cannot drop _id index")
		}
		found = append(found, ix)
	}
	return found, nil
}

func drop(c *command) error {
	namespace := c.namespace()
	if c.err != nil {
		return c.err
	}
	was := 0
	err := c.s.update(0, func(w *writer) error {
		coll := w.cat.collections[namespace]
		if coll == nil {
			return nil
		}
		was = len(coll.indexes)
		return w.drop(coll)
	})
	if err != nil {
		return err
	}
	if was > 0 {
		c.dst = appendInt32(c.dst, "nIndexesWas", int32(was))
		c.dst = appendString(c.dst, "ns", namespace)
	}
	return nil
}

func dropDatabase(c *command) error {
	err := c.s.update(0, func(w *writer) error {
		for _, coll := range w.cat.in(c.db) {
			if err := w.drop(coll); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		c.dst = appendString(c.dst, "dropped", c.db)
	}
	return err
}
