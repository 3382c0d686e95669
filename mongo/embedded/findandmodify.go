package embedded

import "go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"

// findAndModify updates, replaces, deletes or inserts one document and replies with it, before or after the change. It
// runs in the write transaction, so only one of many concurrent callers gets a given former version.
func findAndModify(c *command) error {
	st := &statement{query: query{namespace: c.namespace(), filter: c.filter("query")}, condition: c.doc("query")}
	removing, fresh := c.flag("remove", false), c.flag("new", false)
	st.upsert = c.flag("upsert", false)
	change := c.body.lookup("update")
	switch {
	case c.err != nil:
		return c.err
	case removing && (change.kind != 0 || st.upsert || fresh):
		return errorf(codeFailedToParse, "Cannot specify remove=true with an update, upsert=true or new=true")
	case !removing && change.kind == 0:
		return errorf(codeFailedToParse, "Either an update or remove=true must be specified")
	case !removing:
		var err error
		if st.change, err = parseModification(change); err != nil {
			return err
		}
	}
	start := len(c.dst)
	return c.write(len(c.body), func(w target) error {
		c.dst = c.dst[:start]
		answer, after, err := c.modifyOne(w, st)
		if err != nil {
			return err
		}
		if fresh {
			answer = after
		}
		if answer == nil {
			c.dst = appendValue(c.dst, "value", null)
		} else {
			c.dst = bsoncore.AppendDocumentElement(c.dst, "value", answer)
		}
		return nil
	})
}

// modifyOne changes, deletes or inserts a document and returns it before and after; nil when it did not exist.
func (c *command) modifyOne(w target, st *statement) (before, after raw, err error) {
	found, err := c.match(w, st)
	switch {
	case err != nil || len(found) == 0 && !st.upsert:
	case len(found) == 0:
		after, err = upsert(w, st)
	case st.change == nil:
		snap := w.snapshot()
		coll := snap.cat.collections[st.namespace]
		before = snap.record(coll, found[0])
		err = w.replace(coll, found[0], before, nil)
	default:
		before, after, _, err = modify(w, st.namespace, found[0], st.change)
	}
	return before, after, err
}
