package app

import (
	"io"
	"time"

	"gamedata/internal/config"
	"gamedata/internal/terminal"
)

// autoDrainDelay gives load balancers that check readiness every second time to notice.
const autoDrainDelay = 3 * time.Second

// drainDelay chooses a delay that is set to auto: users of a terminal do not want to wait.
func drainDelay(d config.AutoDuration, out io.Writer) time.Duration {
	switch {
	case d.Fixed:
		return d.Duration
	case terminal.Is(out):
		return 0
	}
	return autoDrainDelay
}
