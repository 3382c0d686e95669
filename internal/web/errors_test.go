package web

import (
	"testing"
	"time"

	"gamedata/graph"
)

func TestErrorPage(t *testing.T) {
	for name, c := range map[string]struct {
		err        *graph.Error
		status     int
		retryAfter string
		text       string
	}{
		"detail":        {graph.Errorf(graph.NotFound, "No such token."), 404, "", "No such token."},
		"internal":      {graph.ErrInternal, 500, "", "Something went wrong on our side. We have logged it."},
		"unavailable":   {graph.ErrUnavailable, 503, "5", "The service is temporarily unavailable. Try again in a moment."},
		"one second":    {TooManyRequests(time.Second), 429, "1", "Too many requests. Try again in 1 second."},
		"a few seconds": {TooManyRequests(1500 * time.Millisecond), 429, "2", "Too many requests. Try again in 2 seconds."},
	} {
		t.Run(name, func(t *testing.T) {
			status, header, text := ErrorPage(c.err)
			if got := header.Get("Retry-After"); status != c.status || got != c.retryAfter || text != c.text {
				t.Errorf("got %d, Retry-After %q, %q; want %d, %q, %q", status, got, text, c.status, c.retryAfter, c.text)
			}
		})
	}
	if _, header, _ := ErrorPage(graph.ErrInvalidToken); len(header) != 1 {
		t.Errorf("got headers %v, want WWW-Authenticate", header)
	}
}
