package embedded

import "time"

// query holds the common arguments of find and similar commands.
type query struct {
	namespace   string
	filter      allOf
	sort        []sortField
	skip, limit int64
	projection  projection
	countOnly   bool // documents are counted, not read
}

// find replies with the documents that match a filter.
func find(c *command) error {
	q := query{
		namespace: c.namespace(), filter: c.filter("filter"), sort: c.sort(), projection: c.projection(),
		skip: c.count("skip"), limit: c.count("limit"),
	}
	batch := c.batchSize(c.body.lookup("batchSize"))
	if c.err != nil {
		return c.err
	}
	batch.single = c.flag("singleBatch", false)
	return c.view(func(snap snapshot) error {
		source, err := c.s.open(snap, q, c.deadline)
		if err != nil {
			return err
		}
		return c.firstBatch(q.namespace, source, batch)
	})
}

// countAll replies with the number of documents in a collection.
func countAll(c *command, namespace string) error {
	return c.view(func(snap snapshot) error {
		n := uint64(0)
		if counted := snap.cat.collections[namespace]; counted != nil {
			n = snap.tx.Bucket(bucketName('i', counted.indexes[0].ID)).Sequence()
		}
		c.dst = appendCount(c.dst, "n", int64(n))
		return nil
	})
}

// plan chooses the plan of a query; nil when the collection does not exist. A transaction's own writes are in no index.
func (q *query) plan(snap snapshot) *plan {
	c := snap.cat.collections[q.namespace]
	if c == nil {
		return nil
	}
	p := newPlan(c, q.filter, q.sort)
	if p.index == nil && q.countOnly && len(q.filter) == 0 { // the keys are on far fewer pages than the documents
		ix := c.indexes[0]
		p = &plan{collection: c, index: ix, ranges: []span{{}}, sorted: true, unique: true}
	}
	if snap.own[q.namespace] != nil {
		p.own, p.sorted = q.filter, len(q.sort) == 0
	}
	return p
}

func (s *Server) open(snap snapshot, q query, deadline time.Time) (stream, error) {
	p := q.plan(snap)
	if p == nil {
		return &list{}, nil
	}
	sc := s.newScan(p, snap, deadline)
	sc.keysOnly = q.countOnly
	var source stream = sc
	if p.sorted {
		sc.cover = newCoverage(p, q.projection)
	} else {
		sorted, err := sortAll(source, q.sort)
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
