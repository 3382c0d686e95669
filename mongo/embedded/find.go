package embedded

import "time"

// query is the common part of find and similar commands.
type query struct {
	namespace   string
	filter      allOf
	sort        []sortField
	skip, limit int64
	projection  *projection
	hint        value
	countOnly   bool // documents are counted, not read
}

// find replies with the documents that match a filter.
func find(c *command) error {
	q := query{
		namespace: c.namespace(), filter: c.filter("filter"), sort: c.sort(), projection: c.projection("projection"),
		skip: c.count("skip"), limit: c.number("limit"), hint: c.body.lookup("hint"),
	}
	batch := c.batchSize(c.body.lookup("batchSize"))
	if c.err != nil {
		return c.err
	}
	batch.single = c.flag("singleBatch", false)
	if q.limit < 0 {
		q.limit, batch.single = -q.limit, true
	}
	return c.view(func(snap snapshot) error {
		source, err := c.s.open(snap, q, c.deadline)
		if err != nil {
			return err
		}
		return c.firstBatch(q.namespace, source, batch)
	})
}

// plan chooses how a query is served; nil when the collection does not exist. What a transaction has written itself is
// in no index.
func (q *query) plan(snap snapshot) (*plan, error) {
	c := snap.cat.collections[q.namespace]
	name, err := hint(q.hint, c)
	if c == nil || err != nil {
		return nil, err
	}
	p, err := newPlan(c, q.filter, q.sort, name)
	if p != nil && snap.own[q.namespace] != nil {
		p.own, p.sorted = q.filter, len(q.sort) == 0
	}
	return p, err
}

func (s *Server) open(snap snapshot, q query, deadline time.Time) (stream, error) {
	p, err := q.plan(snap)
	if err != nil {
		return nil, err
	}
	if p == nil {
		return &list{}, nil
	}
	sc := s.newScan(p, snap, deadline)
	sc.keysOnly = q.countOnly
	var source stream = sc
	if p.sorted {
		sc.cover = newCoverage(p, q.projection)
	} else {
		keep := int64(0)
		if q.limit > 0 {
			keep = q.skip + q.limit
		}
		sorted, err := sortAll(source, q.sort, keep, false)
		sc.report()
		if err != nil {
			return nil, err
		}
		source = sorted
	}
	source = newWindow(source, q.skip, q.limit)
	if q.projection != nil {
		source = &projected{stream: source, projection: q.projection}
	}
	return source, nil
}
