package app

import (
	"bytes"
	"os"
	"testing"
	"time"

	"gamedata/internal/config"
)

// Without a setting, only a terminal ends at once.
func TestDrainDelay(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	file, err := os.Create(t.TempDir() + "/log")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if got := drainDelay(config.AutoDuration{}, null); got != autoDrainDelay {
		t.Errorf("to %s: got %s", os.DevNull, got)
	}
	if got := drainDelay(config.AutoDuration{}, file); got != autoDrainDelay {
		t.Errorf("to a file: got %s", got)
	}
	if got := drainDelay(config.AutoDuration{}, new(bytes.Buffer)); got != autoDrainDelay {
		t.Errorf("to a buffer: got %s", got)
	}
	if terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0); err == nil {
		defer terminal.Close()
		if got := drainDelay(config.AutoDuration{}, terminal); got != 0 {
			t.Errorf("on a terminal: got %s", got)
		}
	}
	fixed := config.AutoDuration{Fixed: true, Duration: time.Minute}
	if got := drainDelay(fixed, new(bytes.Buffer)); got != time.Minute {
		t.Errorf("fixed: got %s", got)
	}
}
