package site

import (
	"cmp"
	"net/url"
	"slices"
	"time"

	"gamedata/graph"
)

// choiceLinks are links; one of them is chosen.
type choiceLinks struct {
	Label string
	Links []choiceLink
}

type choiceLink struct {
	Text, Path string
	Chosen     bool
}

const day = 24 * time.Hour

// spans are the lengths of the history of a page's chart.
type spans struct {
	chosen string        // the default number of days
	step   time.Duration // the beginning is rounded down to it: variables are part of cache keys
	list   []span
}

type span struct {
	days, text string
	length     time.Duration // 0 means everything
	interval   string        // between points; empty if the operation has no such variable
}

// intervals maps the intervals of the schema that charts use to durations.
var intervals = map[string]time.Duration{"TEN_MINUTES": 10 * time.Minute, "HOUR": time.Hour, "DAY": day}

// from returns the beginning of the history that the page shows, zero for all of it.
func (c *renderContext) from() time.Time {
	at, _ := time.Parse(time.RFC3339, c.variable("from"))
	return at
}

// historySpans are the lengths of histories with one point a day.
var historySpans = spans{"90", day, []span{
	{"7", "7 days", 7 * day, ""},
	{"30", "30 days", 30 * day, ""},
	{"90", "90 days", 90 * day, ""},
	{"365", "1 year", 365 * day, ""},
	{"1825", "5 years", 1825 * day, ""},
}}

// boardSpans are the lengths of the history of leaderboards, which is limited to a year.
var boardSpans = spans{historySpans.chosen, historySpans.step, historySpans.list[:4]}

// daysParameter names the parameter for how many days a chart goes back.
const daysParameter = "days"

// begin sets the variables from and interval: where a history of some days begins, and the time between its points.
func (s spans) begin(now time.Time, given url.Values) *graph.Error {
	days := cmp.Or(given.Get(daysParameter), s.chosen)
	at := slices.IndexFunc(s.list, func(o span) bool { return o.days == days })
	if at < 0 {
		return noSuch("number of days")
	}
	if length := s.list[at].length; length > 0 {
		given.Set("from", now.UTC().Truncate(s.step).Add(-length).Format(time.RFC3339))
	}
	given.Set("interval", s.list[at].interval)
	return checkFormat(given)
}

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
func (c *renderContext) chooseSpan(s spans, fragment string) choiceLinks {
	var options []option
	for _, o := range s.list {
		options = append(options, option{Value: o.days, Text: o.text})
	}
	return c.choose("Time", daysParameter, s.chosen, fragment, options)
}
