package httpapi

import (
	"net/http"
	"strconv"
	"sync/atomic"
	"time"
)

// stamp writes moments as headers have them. It remembers the last one, since moments that are
// asked for one after another mostly lie in one second.
type stamp struct{ last atomic.Pointer[stamped] }

type stamped struct {
	second int64
	text   string
}

func (s *stamp) of(t time.Time) string {
	second := t.Unix()
	if last := s.last.Load(); last != nil && last.second == second {
		return last.text
	}
	next := &stamped{second, t.UTC().Format(http.TimeFormat)}
	s.last.Store(next)
	return next.text
}

// counted writes a number within a text. It remembers the last one, as stamp does.
type counted struct{ last atomic.Pointer[countedText] }

type countedText struct {
	n    int64
	text string
}

func (c *counted) of(before string, n int64, after string) string {
	if last := c.last.Load(); last != nil && last.n == n {
		return last.text
	}
	next := &countedText{n, before + strconv.FormatInt(n, 10) + after}
	c.last.Store(next)
	return next.text
}
