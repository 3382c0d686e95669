package site

import (
	"cmp"
	"net/url"
	"time"

	"gamedata/graph"
)

// choiceLinks are links of which one is chosen.
type choiceLinks struct {
	Label string
	Links []choiceLink
}

type choiceLink struct {
	Text, Path string
	Chosen     bool
}

const day = 24 * time.Hour

// spans are the lengths of a history on offer.
var spans = []struct {
	days, text string
	length     time.Duration
}{
	{"7", "7 days", 7 * day},
	{"30", "30 days", 30 * day},
	{"90", "90 days", 90 * day},
	{"365", "1 year", 365 * day},
	{"1825", "5 years", 1825 * day},
}

// daysParameter is how many days a chart goes back.
const daysParameter = "days"

// beginOfSpan sets the variable from, the beginning of a history of some days: 90 if none are given.
func beginOfSpan(now time.Time, given url.Values) *graph.Error {
	if bad := checkFormat(given); bad != nil {
		return bad
	}
	chosen := "90"
	if values := given[daysParameter]; len(values) > 0 {
		chosen = values[0]
	}
	for _, s := range spans {
		if s.days == chosen {
			given["from"] = []string{now.UTC().Truncate(day).Add(-s.length).Format(time.RFC3339)}
			return nil
		}
	}
	return errDays
}

var errDays = graph.Errorf(graph.InvalidQueryParams, "This page does not know the value of days in its address.")

// choose returns links to the same page with other values of a parameter; the first value is the default one.
func (c *renderContext) choose(label, parameter, fallback, fragment string, options []option) choiceLinks {
	out := choiceLinks{Label: label}
	chosen := cmp.Or(c.Value(parameter), fallback)
	for _, o := range options {
		value := o.Value
		if value == fallback {
			value = ""
		}
		out.Links = append(out.Links, choiceLink{o.Text, c.Link(parameter, value) + "#" + fragment, o.Value == chosen})
	}
	return out
}

// chooseSpan returns links to the same page with other lengths of its history.
func (c *renderContext) chooseSpan(fragment string) choiceLinks {
	var options []option
	for _, s := range spans {
		options = append(options, option{Value: s.days, Text: s.text})
	}
	return c.choose("Time", daysParameter, "90", fragment, options)
}
