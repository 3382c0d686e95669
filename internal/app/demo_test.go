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
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// A failing simulation is logged once and restarted until it goes on.
func TestSimulationRestarts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		ctx, cancel := context.WithCancel(t.Context())
		begin, tries := time.Now(), 0
		logger := slog.New(slog.NewTextHandler(&log, nil))
		keepSimulating(ctx, simulator.Options{Start: begin}, logSimulation(logger), func(o simulator.Options) error {
			tries++
			if tries < 4 {
				return errors.New("the store sleeps")
			}
			o.OnStep(begin)
			o.OnStep(begin)
			cancel()
			return nil
		})
		if waited := time.Since(begin); tries != 4 || waited != 3*simulationRetry {
			t.Errorf("%d tries in %s", tries, waited)
		}
		if said := log.String(); strings.Count(said, "the store sleeps") != 1 || strings.Count(said, "goes on") != 1 {
			t.Error(said)
		}
	})
}

// Only one simulation can run on a store.
func TestSimulationsExcludeEachOther(t *testing.T) {
	t.Parallel()
	store, _ := mongotest.Open(t)
	play := simulateOn(t.Context(), store)
	err := store.Leases.With(t.Context(), "simulation", "another", func(context.Context, *mongo.Lease) error {
		if err := play(simulator.Options{}); !errors.Is(err, mongo.ErrBusy) {
			t.Errorf("beside another: got %v, want ErrBusy", err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if err := play(simulator.Options{}); !errors.Is(err, simulator.ErrEmpty) { // it has the lease and reads the store
		t.Errorf("after the first has ended: got %v, want ErrEmpty", err)
	}
}
