package embedded

import (
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// count replies with the number of documents that match a filter.
func count(c *command) error {
	q := query{
		namespace: c.namespace(), filter: c.filter("query"), skip: c.count("skip"), limit: c.number("limit"),
		hint: c.body.lookup("hint"),
	}
	if c.err != nil {
		return c.err
	}
	q.limit = max(q.limit, -q.limit)
	return c.view(func(snap snapshot) error {
		p, err := q.plan(snap)
		if err != nil {
			return err
		}
		n := int64(0)
		if p != nil {
			if p.ranges == nil && len(p.filter) == 0 { // the keys are on far fewer pages than the documents
				p = wholeIndex(p.collection, p.collection.indexes[0], nil, nil)
			}
			sc := c.s.newScan(p, snap, c.deadline)
			defer sc.report()
			sc.keysOnly = true
			for _, err := range documents(newWindow(sc, q.skip, q.limit)) {
				if err != nil {
					return err
				}
				n++
			}
		}
		c.dst = appendCount(c.dst, "n", n)
		return nil
	})
}

// distinct replies with the distinct values of a field; array elements count individually.
func distinct(c *command) error {
	q := query{namespace: c.namespace(), filter: c.filter("query"), hint: c.body.lookup("hint")}
	key := c.body.lookup("key")
	switch {
	case c.err != nil:
		return c.err
	case key.kind != bson.TypeString:
		return c.mismatch("key", key, "string")
	}
	if err := checkPath(string(key.text())); err != nil {
		return err
	}
	seen := distinctValues{}
	return c.view(func(snap snapshot) error {
		source, err := c.s.open(snap, q, c.deadline)
		if err != nil {
			return err
		}
		defer source.detach()
		field := parsePath(string(key.text()))
		for d, err := range documents(source) {
			if err != nil {
				return err
			}
			anyAt(d, field, &seen, false)
			if seen.size > maxDocument {
				return errorf(17217, "distinct too big, 16mb cap")
			}
		}
		slices.SortFunc(seen.values, compareValues)
		c.dst = appendValue(c.dst, "values", array(seen.values))
		return nil
	})
}

type distinctValues struct {
	known  map[string]struct{}
	values []value
	size   int
}

func (s *distinctValues) test(v value) bool {
	if v.kind == bson.TypeArray {
		for _, e := range v.doc().all() {
			s.add(e)
		}
	} else if v.kind != 0 {
		s.add(v)
	}
	return false
}

func (s *distinctValues) add(v value) {
	if s.known == nil {
		s.known = map[string]struct{}{}
	}
	key := string(appendKey(nil, v))
	if _, twice := s.known[key]; twice {
		return
	}
	s.known[key] = struct{}{}
	s.values = append(s.values, v)
	s.size += len(v.data) + 8
}
