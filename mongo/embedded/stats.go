package embedded

import (
	"sync"
	"sync/atomic"
)

// Stats counts the work of a server since it was opened.
type Stats struct {
	Commands          map[string]int64 // by name, with rejected commands, without unknown ones
	CollectionScans   int64            // queries that read a whole collection
	KeysExamined      int64            // index entries read
	DocumentsExamined int64            // documents read
}

type counters struct {
	commands          sync.Map // name → *atomic.Int64
	collectionScans   atomic.Int64
	keysExamined      atomic.Int64
	documentsExamined atomic.Int64
}

func (c *counters) count(name string) {
	n, ok := c.commands.Load(name)
	if !ok {
		n, _ = c.commands.LoadOrStore(name, new(atomic.Int64))
	}
	n.(*atomic.Int64).Add(1)
}

// Stats returns the current counters. The difference of two Stats is the work in between.
func (s *Server) Stats() Stats {
	out := Stats{
		Commands: map[string]int64{}, CollectionScans: s.stats.collectionScans.Load(),
		KeysExamined: s.stats.keysExamined.Load(), DocumentsExamined: s.stats.documentsExamined.Load(),
	}
	s.stats.commands.Range(func(name, n any) bool {
		out.Commands[name.(string)] = n.(*atomic.Int64).Load()
		return true
	})
	return out
}
