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
	filter := c.filter("filter")
	if !c.flag("nameOnly", false) {
		c.reject(errorf(codeInvalidOptions, "listCollections needs nameOnly"))
	}
	if c.err != nil {
		return c.err
	}
	var docs []raw
	err := c.s.view(func(snap snapshot) error {
		for _, coll := range snap.cat.in(c.db) {
			d := document(func(dst []byte) []byte {
				return appendString(appendString(dst, "name", coll.name()), "type", "collection")
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

// choose returns the indexes to drop: "*" for all but _id, or a name.
func (c *collection) choose(which value) ([]*index, error) {
	if which.kind != bson.TypeString {
		return nil, errorf(codeTypeMismatch, "BSON field 'dropIndexes.index' must be a string")
	}
	name := string(which.text())
	ix := c.index(name)
	switch {
	case name == "*":
		return c.indexes[1:], nil
	case ix == nil:
		return nil, errorf(codeIndexNotFound, "index not found with name [%s]", name)
	case ix == c.indexes[0]:
		return nil, errorf(codeInvalidOptions, "cannot drop _id index")
	}
	return []*index{ix}, nil
}

// create creates a collection.
func create(c *command) error {
	namespace := c.namespace()
	if c.err != nil {
		return c.err
	}
	return c.s.update(0, func(w *writer) error {
		if w.cat.collections[namespace] != nil {
			return errorf(codeNamespaceExists, "Collection %s already exists.", namespace)
		}
		_, err := w.collection(namespace)
		return err
	})
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
