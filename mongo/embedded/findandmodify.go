package embedded

// findAndModify updates, replaces, deletes or inserts one document and replies with it, before or after the change.
// It runs in the write transaction, so of many callers that change a document only one gets its former version.
func findAndModify(c *command) error {
	q := query{namespace: c.namespace(), filter: c.filter("query"), sort: c.sort()}
	st := &statement{query: q, condition: c.doc("query")}
	if c.err != nil {
		return c.err
	}
	removing, fresh := c.flag("remove", false), c.flag("new", false)
	st.upsert = c.flag("upsert", false)
	change := c.body.lookup("update")
	switch {
	case removing && change.kind != 0:
		return errorf(codeFailedToParse, "Cannot specify both an update and remove=true")
	case removing && st.upsert:
		return errorf(codeFailedToParse, "Cannot specify both upsert=true and remove=true ")
	case removing && fresh:
		return errorf(codeFailedToParse,
			"Cannot specify both new=true and remove=true; 'remove' always returns the deleted document")
	case removing:
	case change.kind == 0:
		return errorf(codeFailedToParse, "Either an update or remove=true must be specified")
	default:
		var err error
		if st.change, err = parseModification(change); err != nil {
			return err
		}
	}
	start := len(c.dst)
	return c.write(len(c.body), func(w target) error {
		c.dst = c.dst[:start]
		var o outcome
		if err := c.modifyOne(w, st, &o); err != nil {
			return err
		}
		answer := o.before
		if fresh {
			answer = o.after
		}
		c.appendOutcome(&o, answer, removing)
		return nil
	})
}

// outcome is what happened to the one document.
type outcome struct {
	found, inserted bool
	before, after   raw
}

func (c *command) modifyOne(w target, st *statement, o *outcome) error {
	found, err := c.match(w, st)
	if err != nil {
		return err
	}
	snap := w.snapshot()
	switch {
	case len(found) == 0 && st.upsert:
		o.inserted = true
		o.after, err = upsert(w, st)
	case len(found) == 0:
	case st.change == nil:
		coll := snap.cat.collections[st.namespace]
		o.found, o.before = true, snap.record(coll, found[0])
		err = w.replace(coll, found[0], o.before, nil)
	default:
		o.found = true
		o.before, o.after, _, err = modify(w, st.namespace, found[0], st.change)
	}
	return err
}

func (c *command) appendOutcome(o *outcome, answer raw, removing bool) {
	n := int32(0)
	if o.found || o.inserted {
		n = 1
	}
	c.dst = appendDoc(c.dst, "lastErrorObject", document(func(dst []byte) []byte {
		dst = appendInt32(dst, "n", n)
		if removing {
			return dst
		}
		dst = appendBool(dst, "updatedExisting", o.found)
		if o.inserted {
			dst = appendValue(dst, "upserted", o.after.lookup("_id"))
		}
		return dst
	}))
	if answer == nil {
		c.dst = appendValue(c.dst, "value", null)
	} else {
		c.dst = appendDoc(c.dst, "value", answer)
	}
}
