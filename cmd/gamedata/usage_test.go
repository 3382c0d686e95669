package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"gamedata/internal/config"
)

// The help of serve lists every flag once, under the headings in their order.
func TestFlagGroups(t *testing.T) {
	_, help, _ := run("serve", "--help")
	at := -1
	for _, group := range config.FlagGroups {
		next := strings.Index(help, "\n"+group+":\n")
		if next <= at {
			t.Errorf("the heading %s is missing or too early in\n%s", group, help)
		}
		at = next
	}
	serveCommand().Flags().VisitAll(func(flag *pflag.Flag) {
		if config.GroupOf(flag) == "" {
			t.Errorf("--%s has no group", flag.Name)
		}
		if n := len(regexp.MustCompile(`(?m)^ +--`+flag.Name+`(?: |$)`).FindAllString(help, -1)); n != 1 {
			t.Errorf("--%s is listed %d times, want once", flag.Name, n)
		}
	})
}
