package config

import (
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
