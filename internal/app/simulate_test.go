package app_test

import "testing"

// serve --demo plays until it ends, without a word in the log.
func TestDemoIsSimulated(t *testing.T) {
	var args []string
	for _, a := range demo(t) {
		if a != "--demo-still" {
			args = append(args, a)
		}
	}
	p := startService(t, args...)
	requestOK(t, p.base, "GET", "/v3/player/Salted", "")
	if code := p.stop(); code != 0 || p.stderr.String() != "" {
		t.Errorf("ended with %d: %s", code, p.stderr)
	}
}
