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

// A failing simulation is logged once and restarted until it goes on.
func TestSimulationRestarts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		ctx, cancel := context.WithCancel(t.Context())
		begin, tries := time.Now(), 0
		logger := slog.New(slog.NewTextHandler(&log, nil))
		always := func(error, bool) bool { return true }
		err := keepSimulating(ctx, simulator.Options{}, always, logSimulation(logger), func(o simulator.Options) error {
			tries++
			if tries < 4 {
				return errors.New("the store sleeps")
			}
			o.OnStep(begin)
			o.OnStep(begin)
			cancel()
			return nil
		})
		if waited := time.Since(begin); tries != 4 || waited != 3*simulationRetry || err != nil {
			t.Errorf("%d tries in %s, %v", tries, waited, err)
		}
		if said := log.String(); strings.Count(said, "the store sleeps") != 1 || strings.Count(said, "goes on") != 1 {
			t.Error(said)
		}
	})
}
