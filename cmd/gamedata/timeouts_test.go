package main

import (
	"os"
	"testing"

	"gamedata/internal/app/apptest"
)

// longTimeouts keep tests from failing on a busy machine. Tests of timeouts override them by flags, which have
// precedence over the environment.
var longTimeouts = map[string]string{
	"GAMEDATA_STORE_TIMEOUT":   "1m",
	"GAMEDATA_REQUEST_TIMEOUT": "2m",
	"GAMEDATA_QUEUE_WAIT":      "1m",
	"GAMEDATA_DRAIN_DELAY":     "0s",
}

// runAsProgram is the variable that makes the test binary the program, for tests that kill it.
const runAsProgram = "TEST_RUN_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(runAsProgram) != "" {
		main()
		return
	}
	for name, value := range longTimeouts {
		_ = os.Setenv(name, value) // fails only for invalid names
	}
	os.Exit(apptest.Main(m))
}

func clearTimeouts(t *testing.T) {
	for name := range longTimeouts {
		t.Setenv(name, "") // restores the value at the end of the test
		_ = os.Unsetenv(name)
	}
}
