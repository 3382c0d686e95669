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
	if q.namespace, err = c.namespace(); err != nil {
		return q, err
	}
	q.hint = c.body.lookup("hint")
	field, ok := map[string]string{
		"find": "filter", "count": "query", "distinct": "query",
		"findAndModify": "query",
	}[c.name]
	switch {
	case ok:
		if q.filter, err = c.filter(field); err == nil && c.name != "count" && c.name != "distinct" {
			q.sort, err = c.sort("sort")
		}
	case c.name == "update" || c.name == "delete":
		statements, listErr := c.list(c.name + "s")
		if listErr != nil || len(statements) != 1 {
			return q, errorf(codeInvalidOptions, "explained writes must have exactly one statement")
		}
		q.filter, err = parseFilter(statements[0].lookup("q").doc())
	case c.name == "aggregate":
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
	return q, err
}

// describe returns a plan in MongoDB's terms.
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
