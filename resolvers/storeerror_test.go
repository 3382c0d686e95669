package resolvers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"gamedata/graph"
	"gamedata/mongo"
)

// Only an error that the store returns is a failure of the field. An operation without time left is unavailable, also
// when a connection broke at the same moment.
func TestStoreError(t *testing.T) {
	for _, c := range []struct {
		err  error
		want *graph.Error
	}{
		{io.EOF, graph.ErrPlayerNotBuilt},
		{fmt.Errorf("%w: %w", mongo.ErrUnavailable, io.EOF), graph.ErrUnavailable},
		{fmt.Errorf("%w: %w", context.DeadlineExceeded, io.EOF), graph.ErrUnavailable},
		{fmt.Errorf("%w: %w", context.Canceled, io.EOF), graph.ErrUnavailable},
	} {
		got := storeError(c.err, graph.ErrPlayerNotBuilt)
		var code *graph.Error
		if !errors.As(got, &code) || code != c.want || !errors.Is(got, c.err) {
			t.Errorf("%v: got %v, want %v", c.err, got, c.want)
		}
	}
}
