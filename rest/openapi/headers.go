package openapi

import (
	"gamedata/rest/transform"
)

// header describes one header of answers (WIRE §1.1, §1.2).
type header struct {
	name, about string
	schema      object
}

var (
	whole = object{{"type", "integer"}, {"minimum", 0}}
	line  = object{{"type", "string"}}
)

// every answer has these.
var always = []header{
	{"Version", "Version of the contract: `v3.7.0`.", line},
	{"Cache-Control", "`max-age=` the endpoint's cache time in seconds, then `public` (one answer serves everybody) or `private`. Errors: `max-age=0, private, no-store`.", line},
	{"Expires", "When the cached object ends; it can be sooner than now + max-age.", line},
	{"RateLimit-Limit", "Requests the caller's counter of the bucket allows per minute.", whole},
	{"RateLimit-Remaining", "Requests that would pass right now.", whole},
	{"RateLimit-Reset", "Seconds, 0 to 60, until the counter is full again.", whole},
	{"RateLimit-Bucket", "The bucket that was charged.", object{{"type", "string"}, {"enum", []string{
		"PLAYER", "GUILD",
		"ITEMS", "MAP", "LEADERBOARDS", "SHARED",
	}}}},
	{"Link", "`rel=\"alternate\"`: where the answer is explained as a GraphQL operation.", line},
}

// some answers have these.
var (
	allow = header{"Allow", "The methods of the endpoint.", line}
	age   = header{
		"Age", "Whole seconds since the cached object was made; only when it came from the cache.",
		whole,
	}
	etag         = header{"ETag", "Name of these very bytes; `If-None-Match` with it is answered with 304.", line}
	cacheStatus  = header{"Cache-Status", "`gamedata; hit; ttl=` seconds left, when the answer came from the cache; below 0 it is a stale one, served while the store fails.", line}
	retryAfter   = header{"Retry-After", "Seconds to wait, at least 1.", object{{"type", "integer"}, {"minimum", 1}}}
	authenticate = header{"WWW-Authenticate", "`Bearer error=\"invalid_token\"`.", line}
)

// refs are the headers of a response.
func refs(lists ...[]header) object {
	var out object
	for _, list := range lists {
		for _, h := range list {
			out = append(out, member{h.name, ref("headers", h.name)})
		}
	}
	return out
}

// headerComponents describes all headers once, those that operations send fields in included.
func headerComponents(fields []header) object {
	var out object
	for _, list := range [][]header{always, {allow, age, etag, cacheStatus, retryAfter, authenticate}, fields} {
		for _, h := range list {
			out = append(out, member{h.name, object{{"description", h.about}, {"schema", h.schema}}})
		}
	}
	return out
}

// sent are the headers that an operation sends fields in.
func sent(p *transform.Plan) []header {
	var out []header
	for _, f := range p.Fields {
		if f.Header != "" {
			about := Paragraph(f.Field.Description) + " Written `2026-07-24 23:01:10.000000+00:00`."
			out = append(out, header{f.Header, about, line})
		}
	}
	return out
}
