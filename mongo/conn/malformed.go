package conn

import (
	"log/slog"
	"sync"
	"time"
)

// ReportMalformed counts and logs a record that cannot be decoded.
func (c *Collection) ReportMalformed(id string, err error) {
	if !c.quiet {
		c.conn.malformed.report(c.name, id, err)
	}
}

// Quiet returns the collection without reports of malformed records.
func (c *Collection) Quiet() *Collection { return &Collection{c.conn, c.name, c.level, true} }

const (
	// malformedInterval is the time between two log messages about one record.
	malformedInterval = 10 * time.Minute
	// maxMalformed bounds the records whose last message is remembered; other records are logged once some are
	// forgotten.
	maxMalformed = 1000
)

// malformedLog reports malformed records: each is counted, and logged once in malformedInterval.
type malformedLog struct {
	log   *slog.Logger
	count func(collection, id string)

	mu     sync.Mutex
	logged map[string]time.Time // by collection and id
}

func (l *malformedLog) report(collection, id string, err error) {
	if l.count != nil {
		l.count(collection, id)
	}
	if l.due(collection+" "+id, time.Now()) {
		l.log.Error("malformed record left out", "collection", collection, "id", id, "error", err)
	}
}

// due reports whether to log a record now.
func (l *malformedLog) due(key string, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now.Sub(l.logged[key]) < malformedInterval {
		return false
	}
	if len(l.logged) >= maxMalformed {
		for other, at := range l.logged {
			if now.Sub(at) >= malformedInterval {
				delete(l.logged, other)
			}
		}
		if len(l.logged) >= maxMalformed {
			return false
		}
	}
	l.logged[key] = now
	return true
}
