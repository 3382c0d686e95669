package app_test

import (
	"context"
	"testing"
	"time"

	"gamedata/internal/app"
	"gamedata/internal/app/apptest"
	"gamedata/internal/demo/simulator"
)

// A simulation waits while the store is away and goes on when it is back. It ends with its context.
func TestSimulationOutlivesTheStore(t *testing.T) {
	t.Parallel()
	svc := newTestService(t)
	store := svc.secondStore()
	ctx, cancel := context.WithCancel(t.Context())
	hours, failures := make(chan time.Time, 1000), make(chan error, 10)
	ended := make(chan error, 1)
	go func() {
		ended <- app.SimulateUntilDone(ctx, store, simulator.Options{
			Seed: 1, Start: apptest.Now(), Players: 60, OnHour: func(h simulator.Hour) {
				select {
				case hours <- h.To:
				default:
				}
			},
		}, func(err error) { failures <- err })
	}()
	reached := <-hours
	svc.stopStore()
	if err := <-failures; err == nil {
		t.Error("the loss of the store is not reported")
	}
	svc.startStore()
	if err := <-failures; err != nil {
		t.Errorf("reported twice: %v", err)
	}
	for next := range hours {
		if next.After(reached.Add(2 * time.Hour)) {
			break
		}
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if len(failures) > 0 {
		t.Error("more failures were reported")
	}
}
