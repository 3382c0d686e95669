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
	var q query
	var err error
	if q.namespace, err = c.namespace(); err != nil {
		return err
	}
	if q.filter, err = c.filter("filter"); err != nil {
		return err
	}
	if q.sort, err = c.sort("sort"); err != nil {
		return err
	}
	fields, err := c.doc("projection")
	if err != nil {
		return err
	}
	if q.projection, err = parseProjection(fields); err != nil {
		return err
	}
	if q.skip, err = c.count("skip"); err != nil {
		return err
	}
	if q.limit, err = c.number("limit"); err != nil {
		return err
	}
	q.hint = c.body.lookup("hint")
	batch, err := readBatchSize(c.body.lookup("batchSize"))
	if err != nil {
		return err
	}
	batch.single = c.flag("singleBatch", false)
	if q.limit < 0 {
		q.limit, batch.single = -q.limit, true
	}
	return c.s.view(func(snap snapshot) error {
		source, err := c.s.open(snap, q, c.deadline)
		if err != nil {
			return err
		}
		return c.firstBatch(q.namespace, source, batch)
	})
}

func (c *command) filter(field string) (allOf, error) {
	d, err := c.doc(field)
	if err != nil {
		return nil, err
	}
	return parseFilter(d)
}

func (c *command) sort(field string) ([]sortField, error) {
	d, err := c.doc(field)
	if err != nil {
		return nil, err
	}
	return parseSort(d)
}

// plan chooses how a query is served; nil when the collection does not exist.
func (q *query) plan(snap snapshot) (*plan, error) {
	c := snap.cat.collections[q.namespace]
	name, err := hint(q.hint, c)
	if c == nil || err != nil {
		return nil, err
	}
	return newPlan(c, q.filter, q.sort, name)
}

// open returns the documents of a query.
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
