package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gamedata/graph/model"
)

var eventRetentionRange = Range[time.Duration]{Low: time.Minute, High: 10 * 365 * 24 * time.Hour}

// Events says how long the event log stores its entries: the types in byType as they say, others as long as all.
type Events struct {
	all    time.Duration
	byType eventRetentions
}

func (c *Events) add(s *Settings) {
	c.byType = eventRetentions{}
	for _, k := range model.EventKinds {
		if k.Retention != model.EventRetention {
			c.byType[k.Type] = k.Retention
		}
	}
	s.Duration(&c.all, "event-retention", model.EventRetention, eventRetentionRange,
		"how long the event log stores events, {range}; applies to new events")
	s.Var(c.byType, "event-retention-by-type",
		"how long it stores events of single types, such as playerCameOnline=1h,territoryCaptured=720h")
}

// Retention returns how long each type of events is stored; nil for settings that were not read.
func (c *Events) Retention() map[model.EventType]time.Duration {
	if c.byType == nil {
		return nil
	}
	out := map[model.EventType]time.Duration{}
	for _, k := range model.EventKinds {
		out[k.Type] = c.all
		if d, ok := c.byType[k.Type]; ok {
			out[k.Type] = d
		}
	}
	return out
}

// eventRetentions are durations by type of events. As a flag it accumulates: a later value adds to earlier ones.
type eventRetentions map[model.EventType]time.Duration

// Set reads TYPE=DURATION, several separated by commas.
func (r eventRetentions) Set(text string) error {
	for _, part := range strings.Split(text, ",") {
		name, value, ok := strings.Cut(strings.TrimSpace(part), "=")
		if !ok {
			return errors.New("want values such as playerCameOnline=1h, separated by commas")
		}
		kind, ok := model.EventType(name).Kind()
		if !ok {
			return fmt.Errorf("unknown type of events %q; types are %s", name, eventTypes())
		}
		d, err := time.ParseDuration(value)
		if err != nil || !eventRetentionRange.contains(d) {
			return fmt.Errorf("%s must be 1m to 87600h", name)
		}
		r[kind.Type] = d
	}
	return nil
}

func eventTypes() string {
	names := make([]string, len(model.EventKinds))
	for i, k := range model.EventKinds {
		names[i] = string(k.Type)
	}
	return strings.Join(names, ", ")
}

// String gives the durations as Set reads them, sorted.
func (r eventRetentions) String() string {
	var out []string
	for t, d := range r {
		out = append(out, fmt.Sprintf("%s=%s", t, d))
	}
	slices.Sort(out)
	return strings.Join(out, ",")
}

// Type names the kind of value in the help.
func (r eventRetentions) Type() string { return "type=duration" }

// SetNested sets a value that the settings file nests below the flag's name.
func (r eventRetentions) SetNested(name, value string) error { return r.Set(name + "=" + value) }
