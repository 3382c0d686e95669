package main

import (
	"strings"
	"testing"
)

// A mistyped command or flag is an error that names those it may have meant.
func TestDidYouMean(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"serv":                     `unknown command or argument "serv" for "gamedata": did you mean seed or serve?`,
		"serve --lisen :1":         "unknown flag: --lisen: did you mean --listen?",
		"token creat":              `unknown command or argument "creat" for "gamedata token": did you mean create?`,
		"serve --nothing-like-it":  "unknown flag: --nothing-like-it\n",
		"something":                "unknown command or argument \"something\" for \"gamedata\"\n",
		"jobs run leaderboards -q": "unknown shorthand flag: 'q' in -q\n",
	} {
		t.Run(line, func(t *testing.T) {
			var stdout, stderr strings.Builder
			if code := Run(t.Context(), strings.Fields(line), &stdout, &stderr); code != 2 {
				t.Errorf("got exit status %d, want 2", code)
			}
			if !strings.Contains(stderr.String(), want) {
				t.Errorf("got %q, want %q", stderr.String(), want)
			}
		})
	}
}
