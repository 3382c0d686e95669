package openapi

import (
	"gamedata/rest/transform"
)

type header struct {
	name, about string
	schema      object
}

var (
	whole = object{{"type", "integer"}, {"minimum", 0}}
	line  = object{{"type", "string"}}
)

// always are the headers of every response.
var always = []header{
	{"Version", "Version of the contract: `v3.7.0`.", line},
	{
		"Cache-Control",
		"`max-age=` the endpoint's cache time in seconds, then `public` (the same for each caller) or `private`. " +
			"Errors: `max-age=0, private, no-store`.",
		line,
	},
	{"Expires", "When the cached response expires; can be sooner than now + max-age.", line},
	{"RateLimit-Limit", "Requests per minute that the caller has in the bucket.", whole},
	{"RateLimit-Remaining", "Requests that are allowed right now.", whole},
	{"RateLimit-Reset", "Seconds, 0 to 60, until the counter is full again.", whole},
	{
		"RateLimit-Bucket", "The bucket that was charged.",
		object{{"type", "string"}, {"enum", []string{"PLAYER", "GUILD", "ITEMS", "MAP", "LEADERBOARDS", "SHARED"}}},
	},
	{"Link", "`rel=\"alternate\"`: the explanation of the response as a GraphQL operation.", line},
}

// Headers of some responses.
var (
	allow       = header{"Allow", "The methods of the endpoint.", line}
	age         = header{"Age", "Seconds since the response was cached; only if it came from the cache.", whole}
	etag        = header{"ETag", "Identifies the body; `If-None-Match` with it returns 304.", line}
	cacheStatus = header{"Cache-Status", "`gamedata; hit; ttl=` seconds left, if the response came from the cache; " +
		"negative if it is stale, served while the database is unavailable.", line}
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

// headerComponents describes all headers, including those of @header fields.
func headerComponents(fields []header) object {
	var out object
	for _, list := range [][]header{always, {allow, age, etag, cacheStatus, retryAfter, authenticate}, fields} {
		for _, h := range list {
			out = append(out, member{h.name, object{{"description", h.about}, {"schema", h.schema}}})
		}
	}
	return out
}

// sent are the headers of an operation's @header fields.
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
