package embedded

import (
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
)

// bulkWrite runs inserts, updates and deletes on several collections. Writes before a rejected one stay.
func bulkWrite(c *command) error {
	ops, namespaces := c.writes("ops"), c.namespaces()
	if !c.flag("errorsOnly", false) {
		c.reject(errorf(codeInvalidOptions, "bulkWrite needs errorsOnly"))
	}
	if c.err != nil {
		return c.err
	}
	var all bulkReport
	err := c.write(len(c.body)+sizeOf(ops), func(w target) error {
		all = bulkReport{}
		for i, op := range ops {
			var one writeReport
			kind, err := c.runOp(w, op, namespaces, &one)
			if err != nil && !one.fail(i, err) {
				return err
			}
			all.add(i, kind, &one)
			if err != nil && c.ordered() {
				break
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	all.write(c)
	return c.firstBatch("admin.$cmd.bulkWrite", &list{docs: all.errors}, batchOptions{size: maxBatchDocs})
}

// namespaces reads the argument nsInfo.
func (c *command) namespaces() (names []string) {
	for _, info := range c.list("nsInfo") {
		ns := info.lookup("ns")
		if ns.kind != bson.TypeString {
			c.reject(c.mismatch("nsInfo.ns", ns, "string"))
			return nil
		}
		names = append(names, string(ns.text()))
		c.reject(checkNamespace(string(ns.text())))
	}
	return names
}

// runOp runs one op. The first field of the op is named after its kind and holds a position in nsInfo.
func (c *command) runOp(w target, op raw, namespaces []string, report *writeReport) (kind string, err error) {
	first := op.elements()
	name, at, _ := first.next()
	n, ok := at.integer()
	if !ok || n < 0 || n >= int64(len(namespaces)) {
		return "", errorf(codeBadValue, "BulkWrite ops entry has an invalid nsInfo index.")
	}
	if err := c.expired(); err != nil {
		return "", err
	}
	kind = string(name)
	run := map[string]func(target, *statement, int, *writeReport) error{
		"insert": c.addOne, "update": c.updateOne, "delete": c.removeOne,
	}[kind]
	if run == nil {
		return kind, errorf(codeBadValue, "BulkWrite ops entry is no insert, update or delete: '%s'", kind)
	}
	st, err := c.parseStatement(kind, namespaces[n], op)
	if err == nil {
		err = run(w, st, 0, report)
	}
	return kind, err
}

func (c *command) addOne(w target, st *statement, _ int, report *writeReport) error {
	_, err := insertOne(w, st.namespace, st.document)
	if err == nil {
		report.n++
	}
	return err
}

// bulkReport collects the counts and errors for the reply to bulkWrite.
type bulkReport struct {
	inserted, matched, modified, upserted, deleted int64
	errors                                         []raw
}

// add adds the counts of one op.
func (all *bulkReport) add(at int, kind string, one *writeReport) {
	switch kind {
	case "insert":
		all.inserted += one.n
	case "delete":
		all.deleted += one.n
	case "update":
		upserted := int64(len(one.upserted))
		all.matched += one.n - upserted
		all.modified += one.modified
		all.upserted += upserted
	}
	for _, e := range one.errors {
		all.errors = append(all.errors, document(func(dst []byte) []byte {
			dst = bsoncore.AppendInt32Element(bsoncore.AppendDoubleElement(dst, "ok", 0), "idx", int32(at))
			return e.failure.appendError(bsoncore.AppendInt32Element(dst, "n", 0))
		}))
	}
}

func (all *bulkReport) write(c *command) {
	c.rejected = len(all.errors) > 0
	c.dst = appendCount(c.dst, "nInserted", all.inserted)
	c.dst = appendCount(c.dst, "nMatched", all.matched)
	c.dst = appendCount(c.dst, "nModified", all.modified)
	c.dst = appendCount(c.dst, "nUpserted", all.upserted)
	c.dst = appendCount(c.dst, "nDeleted", all.deleted)
	c.dst = appendCount(c.dst, "nErrors", int64(len(all.errors)))
}
