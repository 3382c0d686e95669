package tabular

import (
	"strconv"
	"strings"
)

// Wanted reads the lines of an Accept header (RFC 9110 §12.5.1). A table is wanted by its own
// name alone, text/csv or application/x-ndjson, when it is liked more than JSON, or as much as
// JSON that is only meant by a wildcard. Of both the one liked more, then the first, counts.
func Wanted(accept []string) Format {
	best, quality := None, 0.0
	exact, wild := -1.0, 0.0 // of JSON, by its name and by a wildcard
	group := -1.0
	for part := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		name, parameters, _ := strings.Cut(part, ";")
		q, ok := Weight(parameters)
		if !ok {
			continue
		}
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "text/csv":
			if q > quality {
				best, quality = CSV, q
			}
		case "application/x-ndjson":
			if q > quality {
				best, quality = NDJSON, q
			}
		case "application/json", "application/graphql-response+json":
			exact = max(exact, q)
		case "application/*":
			group = max(group, q)
		case "*/*":
			wild = max(wild, q)
		}
	}
	if group >= 0 {
		wild = group
	}
	if exact >= 0 && exact >= quality || exact < 0 && wild > quality {
		return None
	}
	return best
}

// Weight reads the weight among the parameters of a media range, 1 when there is none.
func Weight(parameters string) (float64, bool) {
	for p := range strings.SplitSeq(parameters, ";") {
		name, value, _ := strings.Cut(p, "=")
		if strings.EqualFold(strings.TrimSpace(name), "q") {
			q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			return q, err == nil && q >= 0 && q <= 1
		}
	}
	return 1, true
}
