package embedded

import (
	"sync"
	"sync/atomic"
)

// Stats counts what a server has done since it was opened.
type Stats struct {
	Commands          map[string]int64 // by name, refused ones included, unknown ones not
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

// Stats returns the counters as they are now. Subtract two of them to see what one query did.
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
