package httpapi

import (
	"cmp"
	"strconv"
	"time"
)

// The doors, as answers tell which one fetched what they are made of.
const (
	SourceREST    = "rest"
	SourceGraphQL = "graphql"
)

// cacheStatus is the value of Cache-Status (RFC 9211): whether the answer was kept and for how
// much longer it is fresh, less than 0 when it is served while the store fails; else why it was
// made. detail names the door that fetched the oldest record in it.
func (a *Answer) cacheStatus(left time.Duration) string {
	switch {
	case a.sealed != nil && (a.Hit || left < 0):
		return a.sealed.hits.of("gamedata; hit; ttl=", int64(left/time.Second), a.sealed.status)
	case a.Hit || left < 0:
		return "gamedata; hit; ttl=" + strconv.Itoa(int(left/time.Second)) + a.statusEnd()
	case a.joined:
		return "gamedata; fwd=miss; collapsed" + a.statusEnd()
	case a.sealed != nil:
		return "gamedata; fwd=miss; stored" + a.statusEnd()
	}
	return "gamedata; fwd=miss" + a.statusEnd()
}

func (a *Answer) statusEnd() string {
	switch {
	case a.sealed != nil:
		return a.sealed.status
	case a.Source == "":
		return ""
	}
	return "; detail=" + a.Source
}

// tail ends the body of an answer that is open: what changes from one request to the next. A
// GET may be kept by caches on the way, whose headers tell it; what a body said would be wrong
// there.
func (a *Answer) tail(to []byte, post bool, age, left time.Duration) []byte {
	if post {
		status := "miss"
		switch {
		case a.MaxAge <= 0: // a time left below 0 would say that it is stale
			status, left = "bypass", 0
		case left < 0:
			status = "stale"
		case a.Hit:
			status = "hit"
		}
		to = append(to, `,"status":"`...)
		to = append(to, status...)
		to = append(to, `","age":`...)
		to = strconv.AppendInt(to, int64(age/time.Second), 10)
		to = append(to, `,"ttl":`...)
		to = strconv.AppendInt(to, int64(left/time.Second), 10)
		to = append(to, `,"filledBy":"`...)
		to = append(to, cmp.Or(a.Source, SourceGraphQL)...)
		to = append(to, '"')
	}
	return append(to, openEnd...)
}

// openEnd closes extensions.cache, extensions and the body.
const openEnd = "}}}"
