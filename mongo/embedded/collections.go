package embedded

import (
	"maps"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
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
				return bsoncore.AppendStringElement(bsoncore.AppendStringElement(dst, "name", coll.name()), "type", "collection")
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

// onCollection makes a command of a function that needs the name of the command's collection.
func onCollection(run func(c *command, namespace string) error) func(*command) error {
	return func(c *command) error {
		namespace := c.namespace()
		if c.err != nil {
			return c.err
		}
		return run(c, namespace)
	}
}

func listIndexes(c *command, namespace string) error {
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
		dst = bsoncore.AppendInt32Element(dst, "v", 2)
		dst = bsoncore.AppendDocumentElement(dst, "key", raw(ix.Key))
		dst = bsoncore.AppendStringElement(dst, "name", ix.Name)
		if ix.Unique && ix.Name != "_id_" {
			dst = bsoncore.AppendBooleanElement(dst, "unique", true)
		}
		if ix.Expire != nil {
			dst = appendCount(dst, "expireAfterSeconds", *ix.Expire)
		}
		if len(ix.Partial) > 0 {
			dst = bsoncore.AppendDocumentElement(dst, "partialFilterExpression", raw(ix.Partial))
		}
		return dst
	})
}

func dropIndexes(c *command, namespace string) error {
	which := c.body.lookup("index")
	return c.s.update(0, func(w *writer) error {
		coll := w.cat.collections[namespace]
		if coll == nil {
			return errorf(codeNamespaceNotFound, "ns not found %s", namespace)
		}
		dropped, err := coll.choose(which)
		if err != nil {
			return err
		}
		if err := w.tx.DeleteBucket(bucketName('i', dropped.ID)); err != nil {
			return err
		}
		remaining := slices.Clone(coll.indexes)
		remaining = slices.DeleteFunc(remaining, func(ix *index) bool { return ix == dropped })
		return w.change(namespace, coll.withIndexes(remaining))
	})
}

// choose returns the index to drop, by name.
func (c *collection) choose(which value) (*index, error) {
	if which.kind != bson.TypeString {
		return nil, errorf(codeTypeMismatch, "BSON field 'dropIndexes.index' must be a string")
	}
	switch ix := c.index(string(which.text())); ix {
	case nil:
		return nil, errorf(codeIndexNotFound, "index not found with name [%s]", which.text())
	case c.indexes[0]:
		return nil, errorf(codeInvalidOptions, "cannot drop _id index")
	default:
		return ix, nil
	}
}

func create(c *command, namespace string) error {
	return c.s.update(0, func(w *writer) error {
		if w.cat.collections[namespace] != nil {
			return errorf(codeNamespaceExists, "Collection %s already exists.", namespace)
		}
		_, err := w.collection(namespace)
		return err
	})
}
