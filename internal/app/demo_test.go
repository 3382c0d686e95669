package app

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"gamedata/internal/demo/simulator"
)

// A failing simulation is logged once and restarted until it works again.
func TestSimulationRestarts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		ctx, cancel := context.WithCancel(t.Context())
		begin, tries := time.Now(), 0
		keepSimulating(ctx, simulator.Options{}, slog.New(slog.NewTextHandler(&log, nil)), func(o simulator.Options) error {
			tries++
			if tries < 4 {
				return errors.New("the store sleeps")
			}
			o.OnStep()
			o.OnStep()
			cancel()
			return nil
		})
		if waited := time.Since(begin); tries != 4 || waited != 3*simulationRetry {
			t.Errorf("%d tries in %s", tries, waited)
		}
		if said := log.String(); strings.Count(said, "the store sleeps") != 1 || strings.Count(said, "works again") != 1 {
			t.Error(said)
		}
	})
}
