package config

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"gamedata/graph/model"
)

func TestEventRetention(t *testing.T) {
	read := func(args ...string) (*Store, error) {
		var c Store
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		c.AddCommand(flags)
		if err := flags.Parse(args); err != nil {
			return nil, err
		}
		return &c, c.Check()
	}
	standard, err := read()
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range model.EventKinds {
		if got := standard.Events.Retention()[k.Type]; got != k.Retention || got < time.Hour {
			t.Errorf("%s: got %s, want %s", k.Type, got, k.Retention)
		}
	}
	c, err := read("--event-retention", "2h", "--event-retention-by-type", "territoryCaptured=720h,playerCameOnline=1h",
		"--event-retention-by-type", "playerCameOnline=3m")
	if err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[model.EventType]time.Duration{
		model.EventTerritoryCaptured: 720 * time.Hour, model.EventPlayerCameOnline: 3 * time.Minute,
		model.EventPlayerWentOffline: 24 * time.Hour, model.EventGuildCreated: 2 * time.Hour,
	} {
		if got := c.Events.Retention()[kind]; got != want {
			t.Errorf("%s: got %s, want %s", kind, got, want)
		}
	}
	for _, args := range [][]string{
		{"--event-retention", "59s"},
		{"--event-retention", "90000h"},
		{"--event-retention-by-type", "playerCameOnline"},
		{"--event-retention-by-type", "rain=1h"},
		{"--event-retention-by-type", "warFinished=1s"},
	} {
		if _, err := read(args...); err == nil {
			t.Errorf("%q is accepted", args)
		}
	}
	if (&Events{}).Retention() != nil {
		t.Error("settings that were not read say something")
	}
}

// The documentation of events says how long each type is stored.
func TestDocumentedRetention(t *testing.T) {
	guide, err := os.ReadFile("../../docs/live-updates.md")
	if err != nil {
		t.Fatal(err)
	}
	const day = 24 * time.Hour
	spans := map[string]time.Duration{"1 day": day, "7 days": 7 * day, "90 days": 90 * day, "3 years": 3 * 365 * day}
	documented := map[model.EventType]time.Duration{}
	for line := range strings.Lines(string(guide)) {
		cells := strings.Split(strings.TrimSpace(line), " | ")
		if span, ok := spans[strings.TrimSuffix(cells[len(cells)-1], " |")]; ok {
			for name := range strings.SplitSeq(strings.Trim(cells[0], "| "), ", ") {
				documented[model.EventType(strings.Trim(name, "`"))] = span
			}
		}
	}
	for _, k := range model.EventKinds {
		if !k.Internal && documented[k.Type] != k.Retention {
			t.Errorf("%s is stored for %v, documented %v", k.Type, k.Retention, documented[k.Type])
		}
	}
}
