package app

import (
	"io"
	"os"
	"time"

	"gamedata/internal/config"
)

// autoDrainDelay gives load balancers that check readiness every second time to notice.
const autoDrainDelay = 3 * time.Second

// drainDelay chooses a delay that is set to auto: users of a terminal do not want to wait.
func drainDelay(d config.AutoDuration, out io.Writer) time.Duration {
	switch {
	case d.Fixed:
		return d.Duration
	case isTerminal(out):
		return 0
	}
	return autoDrainDelay
}

// isTerminal reports whether w is a terminal. The only other character device that programs write to is os.DevNull.
func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}
