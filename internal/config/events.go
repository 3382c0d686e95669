package config

import (
	"fmt"
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
	s.Var(pairs{c.byType, "type=duration", "playerCameOnline=1h"}, "event-retention-by-type",
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

// eventRetentions are durations by type of events.
type eventRetentions map[model.EventType]time.Duration

func (r eventRetentions) set(name, value string) error {
	kind, ok := model.EventType(name).Kind()
	if !ok {
		var types []model.EventType
		for _, k := range model.EventKinds {
			types = append(types, k.Type)
		}
		return fmt.Errorf("unknown type of events %q; types are %s", name, joined(types))
	}
	d, err := time.ParseDuration(value)
	if err != nil || !eventRetentionRange.contains(d) {
		return fmt.Errorf("%s must be 1m to 87600h", name)
	}
	r[kind.Type] = d
	return nil
}

func (r eventRetentions) pairs() (out []string) {
	for t, d := range r {
		out = append(out, fmt.Sprintf("%s=%s", t, d))
	}
	return out
}
