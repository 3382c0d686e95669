package embedded

import (
	"errors"
	"log/slog"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
)

const (
	sweepInterval = time.Minute
	sweepBatch    = 1000 // expired documents that are deleted in one transaction
)

// sweepExpired deletes the documents that have expired by TTL indexes. It logs a failure, and the next sweep tries
// again.
func (s *Server) sweepExpired() {
	type expiring struct {
		namespace string
		ix        *index
	}
	var todo []expiring
	err := s.view(func(snap snapshot) error {
		for namespace, c := range snap.cat.collections {
			for _, ix := range c.indexes {
				if ix.Expire != nil {
					todo = append(todo, expiring{namespace, ix})
				}
			}
		}
		return nil
	})
	for _, e := range todo {
		for n := sweepBatch; n == sweepBatch && err == nil; {
			n, err = s.sweepIndex(e.namespace, e.ix)
		}
	}
	if err != nil && !errors.Is(err, errClosed) {
		slog.Error("embedded store: deleting expired documents failed", "error", err)
	}
}

// sweepIndex deletes up to sweepBatch documents whose date is old enough; only dates expire.
func (s *Server) sweepIndex(namespace string, ix *index) (deleted int, err error) {
	limit := s.options.now().Add(-time.Duration(*ix.Expire) * time.Second)
	err = s.update(0, func(w *writer) error {
		deleted = 0
		c := w.cat.collections[namespace]
		if c == nil || c.index(ix.Name) == nil || c.index(ix.Name).ID != ix.ID {
			return nil
		}
		until := value{bson.TypeDateTime, int64Value(limit.UnixMilli()).data}
		b := rangeBounds(&compares{value: until, below: true, equal: true})
		p := &plan{collection: c, index: ix}
		for _, sp := range b.spans {
			p.ranges = append(p.ranges, under(nil, sp, ix.fields[0].descending))
		}
		sc := s.newScan(p, w.snapshot(), time.Time{})
		sc.keysOnly = true
		defer sc.report()
		var found []uint64
		for _, err := range documents(newWindow(sc, 0, sweepBatch)) {
			if err != nil {
				return err
			}
			found = append(found, sc.number)
		}
		for _, number := range found {
			if err := w.replace(c, number, w.snapshot().record(c, number), nil); err != nil {
				return err
			}
		}
		deleted = len(found)
		return nil
	})
	return deleted, err
}
