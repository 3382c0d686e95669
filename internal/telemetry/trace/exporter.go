package trace

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"sync/atomic"

	sdk "go.opentelemetry.io/otel/sdk/trace"
)

// checkEnvironment refuses what the exporter would pass over, and send spans somewhere else.
func checkEnvironment() error {
	for _, name := range []string{"OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"} {
		text := os.Getenv(name)
		if u, err := url.Parse(text); text != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" ||
			u.Host == "") {
			return errors.New(name + ": want an address such as http://127.0.0.1:4318")
		}
	}
	for _, name := range []string{"OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"} {
		if text := os.Getenv(name); text != "" && text != "http/protobuf" {
			return fmt.Errorf("%s: spans are sent as http/protobuf alone", name)
		}
	}
	return nil
}

// told is an exporter that tells the log when a collector takes no spans, and when it takes them
// again: once each.
type told struct {
	sdk.SpanExporter
	log  *slog.Logger
	lost atomic.Bool
}

var _ sdk.SpanExporter = (*told)(nil)

// ExportSpans implements sdk.SpanExporter. Spans that are not taken are gone.
func (t *told) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	err := t.SpanExporter.ExportSpans(ctx, spans)
	switch lost := err != nil; {
	case t.lost.Swap(lost) == lost:
	case lost:
		t.log.Warn("the collector takes no spans", "error", err)
	default:
		t.log.Info("the collector takes spans again")
	}
	return nil
}
