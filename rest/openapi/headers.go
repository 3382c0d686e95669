package openapi

import (
	"gamedata/rest/transform"
)

// always lists the headers of every response.
var always = []string{
	"Version", "Cache-Control", "Expires", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "RateLimit-Bucket",
	"Link",
}

// refs returns references to the headers of a response.
func refs(lists ...[]string) object {
	var out object
	for _, list := range lists {
		for _, name := range list {
			out = append(out, member{name, ref("headers", name)})
		}
	}
	return out
}

// sent describes the headers of an operation's @header fields.
func sent(p *transform.Plan) object {
	var out object
	for _, f := range p.Fields {
		if f.Header != "" {
			about := Paragraph(f.Field.Description) + " Written `2026-07-24 23:01:10.000000+00:00`."
			out = append(out, member{f.Header, object{{"description", about}, {"schema", object{{"type", "string"}}}}})
		}
	}
	return out
}
