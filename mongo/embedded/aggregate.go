package embedded

import (
	"bytes"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// aggregate counts documents that match a filter, in groups. The pipeline is a $match, an optional $limit and a $group.
func aggregate(c *command) error {
	q := query{namespace: c.namespace()}
	pipeline := c.body.lookup("pipeline")
	if pipeline.kind != bson.TypeArray {
		c.reject(c.mismatch("pipeline", pipeline, "array"))
	}
	batch := c.cursorOptions()
	if c.err != nil {
		return c.err
	}
	g, err := q.parsePipeline(pipeline.doc())
	if err != nil {
		return err
	}
	return c.view(func(snap snapshot) error {
		source, err := c.s.open(snap, q, c.deadline)
		if err != nil {
			return err
		}
		groups, err := g.count(source)
		source.detach()
		if err != nil {
			return err
		}
		return c.firstBatch(q.namespace, groups, batch)
	})
}

func (q *query) parsePipeline(pipeline raw) (g *grouping, err error) {
	for _, v := range pipeline.all() {
		if !v.isDoc() {
			return nil, errorf(codeTypeMismatch, "Each element of the 'pipeline' array must be an object")
		}
		it := v.doc().elements()
		key, arg, ok := it.next()
		if _, _, more := it.next(); !ok || more {
			return nil, errorf(40323, "A pipeline stage specification object must contain exactly one field.")
		}
		switch name := string(key); {
		case name == "$match" && q.filter == nil && arg.isDoc():
			q.filter, err = parseFilter(arg.doc())
		case name == "$limit" && q.filter != nil && q.limit == 0 && g == nil:
			var whole bool
			q.limit, whole = arg.integer()
			if !whole || q.limit < 1 {
				err = errorf(15958, "invalid argument to $limit stage: %s", show(arg))
			}
		case name == "$group" && q.filter != nil && g == nil && arg.isDoc():
			g, err = parseGroup(arg.doc())
		default:
			err = errorf(codeUnknownStage, "stage %s is not supported: a pipeline is a $match, a $limit and a $group", name)
		}
		if err != nil {
			return nil, err
		}
	}
	if g == nil {
		return nil, errorf(codeUnknownStage, "a pipeline is a $match and a $group")
	}
	q.countOnly = g.by == nil
	return g, nil
}

// grouping counts documents by the value of a field, or all of them.
type grouping struct {
	by     path
	id     value    // of the only group, when there is no field
	counts []string // the names of the counts
}

func parseGroup(arg raw) (*grouping, error) {
	g := &grouping{}
	for name, v := range arg.all() {
		one := v
		if v.isDoc() {
			one = v.doc().lookup("$sum")
		}
		switch n, _ := one.integer(); {
		case name == "_id" && v.kind == bson.TypeString && strings.HasPrefix(string(v.text()), "$"):
			field := string(v.text()[1:])
			if err := checkPath(field); err != nil {
				return nil, err
			}
			g.by = parsePath(field)
		case name == "_id" && v.isNumber():
			g.id = v
		case name != "_id" && v.isDoc() && n == 1:
			g.counts = append(g.counts, name)
		default:
			return nil, errorf(15952, "'%s' of $group is not supported: _id is a field or a number, the others {$sum: 1}",
				name)
		}
	}
	if g.by == nil && g.id.kind == 0 {
		return nil, errorf(15955, "a group specification must include an _id")
	}
	return g, nil
}

// count reads all documents; groups come in the order in which they first appeared.
func (g *grouping) count(source stream) (*list, error) {
	type group struct {
		id value
		n  int64
	}
	byID := map[string]*group{}
	var order []*group
	size := 0
	var key []byte
	for d, err := range documents(source) {
		if err != nil {
			return nil, err
		}
		id := g.id
		if g.by != nil {
			if id, err = valueAt(d, g.by); err != nil {
				return nil, err
			}
		}
		key = appendKey(key[:0], id)
		found := byID[string(key)]
		if found == nil {
			found = &group{id: value{id.kind, bytes.Clone(id.data)}} // the stream reuses the memory of id
			byID[string(key)] = found
			order = append(order, found)
			size += len(key) + len(id.data) + 64
		}
		found.n++
		if size > maxGathered {
			return nil, errorf(codeSortMemory,
				"Exceeded memory limit for $group of %d bytes, and spilling to disk is not available", maxGathered)
		}
	}
	out := &list{}
	for _, found := range order {
		out.docs = append(out.docs, document(func(dst []byte) []byte {
			dst = appendValue(dst, "_id", found.id)
			for _, name := range g.counts {
				dst = appendCount(dst, name, found.n)
			}
			return dst
		}))
	}
	return out, nil
}

// valueAt follows a path through documents; null if the path leads nowhere.
func valueAt(d raw, p path) (value, error) {
	v := d.lookup(p[0])
	for _, part := range p[1:] {
		switch v.kind {
		case bson.TypeEmbeddedDocument:
			v = v.doc().lookup(part)
		case bson.TypeArray:
			return missing, errorf(codeBadValue, "$group by a field in an array is not supported: '%s'", p)
		default:
			return null, nil
		}
	}
	if v.kind == 0 {
		return null, nil
	}
	return v, nil
}
