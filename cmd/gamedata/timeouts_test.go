package main

import (
	"os"
	"testing"
)

// patience gives every program and verb of the tests time: they may run on a slow machine beside
// much other work, and a store that is only slow is no failure. Tests of what happens when time
// runs out say so by flags, which count before the environment.
var longTimeouts = map[string]string{
	"GAMEDATA_STORE_TIMEOUT":           "1m",
	"GAMEDATA_STORE_SELECTION_TIMEOUT": "1m",
	"GAMEDATA_STORE_START_TIMEOUT":     "1m",
	"GAMEDATA_REQUEST_TIMEOUT":         "2m",
	"GAMEDATA_QUEUE_WAIT":              "1m",
}

func TestMain(m *testing.M) {
	for name, value := range longTimeouts {
		_ = os.Setenv(name, value) // fails for bad names alone
	}
	os.Exit(m.Run())
}

// withoutPatience is for tests of the environment itself.
func clearTimeouts(t *testing.T) {
	for name := range longTimeouts {
		t.Setenv(name, "") // brought back at the end of the test
		_ = os.Unsetenv(name)
	}
}
