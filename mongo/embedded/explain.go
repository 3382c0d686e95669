package embedded

import (
	"go.mongodb.org/mongo-driver/v2/bson"
)

// explain reports how a find, count, distinct, aggregate, update, delete or findAndModify would find its documents:
// queryPlanner.winningPlan names the index, or COLLSCAN. Nothing is run.
func explain(c *command) error {
	if !c.argument.isDoc() {
		return errorf(codeTypeMismatch, "explain needs a command")
	}
	inner := *c
	inner.body = c.argument.doc()
	it := inner.body.elements()
	name, argument, _ := it.next()
	inner.name, inner.argument = string(name), argument
	q, err := inner.explained()
	if err != nil {
		return err
	}
	return c.s.view(func(snap snapshot) error {
		p, err := q.plan(snap)
		if err != nil {
			return err
		}
		c.dst = appendDoc(c.dst, "queryPlanner", document(func(dst []byte) []byte {
			dst = appendString(dst, "namespace", q.namespace)
			return appendDoc(dst, "winningPlan", p.describe())
		}))
		return nil
	})
}

// explained finds the query inside of a command.
func (c *command) explained() (q query, err error) {
	q = query{namespace: c.namespace(), hint: c.body.lookup("hint")}
	if c.err != nil {
		return q, c.err
	}
	switch c.name {
	case "find":
		q.filter, q.sort = c.filter("filter"), c.sort()
	case "findAndModify":
		q.filter, q.sort = c.filter("query"), c.sort()
	case "count", "distinct":
		q.filter = c.filter("query")
	case "update", "delete":
		statements := c.list(c.name + "s")
		if c.err != nil || len(statements) != 1 {
			return q, errorf(codeInvalidOptions, "explained writes must have exactly one statement")
		}
		q.filter, err = parseFilter(statements[0].lookup("q").doc())
	case "aggregate":
		pipeline := c.body.lookup("pipeline")
		if pipeline.kind != bson.TypeArray {
			return q, c.mismatch("pipeline", pipeline, "array")
		}
		var parsed query
		if parsed, _, err = parsePipeline(pipeline.doc()); err == nil {
			parsed.namespace, parsed.hint = q.namespace, q.hint
			q = parsed
		}
	default:
		err = errorf(codeCommandNotFound, "Explain failed due to unknown command: %s", c.name)
	}
	c.reject(err)
	return q, c.err
}

func (p *plan) describe() raw {
	return document(func(dst []byte) []byte {
		if p == nil {
			return appendString(dst, "stage", "EOF")
		}
		if !p.sorted {
			sorted := *p
			sorted.sorted = true
			return appendDoc(appendString(dst, "stage", "SORT"), "inputStage", sorted.describe())
		}
		if p.ranges == nil {
			return appendString(dst, "stage", "COLLSCAN")
		}
		dst = appendString(dst, "stage", "FETCH")
		return appendDoc(dst, "inputStage", document(func(dst []byte) []byte {
			if p.index == nil {
				return appendString(dst, "stage", "OR")
			}
			dst = appendString(dst, "stage", "IXSCAN")
			dst = appendDoc(dst, "keyPattern", raw(p.index.Key))
			dst = appendString(dst, "indexName", p.index.Name)
			direction := "forward"
			if p.backward {
				direction = "backward"
			}
			return appendString(dst, "direction", direction)
		}))
	})
}
