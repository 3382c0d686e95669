// Package trace tells an OpenTelemetry collector how a request was answered: a span for the
// request, for each root field, batch and command to the store. It is configured by OpenTelemetry's
// own environment variables and does nothing without them. It knows no room: each calls a function
// it was handed.
package trace

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	otel "go.opentelemetry.io/otel/trace"
)

// Tracer makes spans. It is safe for concurrent use.
type Tracer struct {
	provider *sdk.TracerProvider
	tracer   otel.Tracer
}

// wanted tells whether the environment names a collector.
func wanted() bool {
	if strings.EqualFold(os.Getenv("OTEL_SDK_DISABLED"), "true") || strings.EqualFold(os.Getenv("OTEL_TRACES_EXPORTER"),
		"none") {
		return false
	}
	return os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") != "" || os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") != ""
}

// New returns a tracer when the environment names a collector, else nil. Spans are sent by OTLP over
// HTTP in the background; a collector that is away costs nothing but the spans, and a line of log.
func New(ctx context.Context, version string, log *slog.Logger) (*Tracer, error) {
	if !wanted() {
		return nil, nil
	}
	if err := checkEnvironment(); err != nil {
		return nil, err
	}
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_ENDPOINT: %w", err)
	}
	// What the environment says of the resource comes last and wins.
	about, err := resource.New(ctx, resource.WithAttributes(attribute.String("service.name", "gamedata"),
		attribute.String("service.version", version)), resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	provider := sdk.NewTracerProvider(sdk.WithBatcher(&told{SpanExporter: exporter, log: log}), sdk.WithResource(about))
	return &Tracer{provider, provider.Tracer("gamedata")}, nil
}

// Close sends what is left, for five seconds at most.
func (t *Tracer) Close() error {
	if t == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	return t.provider.Shutdown(ctx)
}

// Handler has a span for each request, within the trace of the caller when it names one
// (traceparent). The span tells the method alone: a path can hold a name.
func (t *Tracer) Handler(next http.Handler) http.Handler {
	if t == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := propagation.TraceContext{}.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
		ctx, span := t.tracer.Start(ctx, "request", otel.WithSpanKind(otel.SpanKindServer))
		defer span.End()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// Request tells the span of a request what came of it.
func (t *Tracer) Request(r *http.Request, door, operation string, status int, cache string) {
	span := otel.SpanFromContext(r.Context())
	if !span.IsRecording() {
		return
	}
	span.SetName(door + " " + operation)
	span.SetAttributes(attribute.String("gamedata.door", door), attribute.String("gamedata.operation", operation),
		attribute.Int("http.response.status_code", status), attribute.String("gamedata.cache", cache))
	if status >= 500 {
		span.SetStatus(codes.Error, "")
	}
}

// Field begins a root field.
func (t *Tracer) Field(ctx context.Context, name string) (context.Context, func()) {
	ctx, span := t.tracer.Start(ctx, "field "+name)
	return ctx, func() { span.End() }
}

// Batch begins a batch of a loader.
func (t *Tracer) Batch(ctx context.Context, loader string, keys int) (context.Context, func(error)) {
	ctx, span := t.tracer.Start(ctx, "batch "+loader, otel.WithAttributes(attribute.Int("gamedata.keys", keys)))
	return ctx, func(failure error) { end(span, failure) }
}

// Command begins a command to the store; nothing of its arguments is told. Commands of no request
// and no job, such as those that look after the connection, are not traced.
func (t *Tracer) Command(ctx context.Context, command, collection string) func(error) {
	if !otel.SpanContextFromContext(ctx).IsValid() {
		return func(error) {}
	}
	_, span := t.tracer.Start(ctx, "store "+command, otel.WithSpanKind(otel.SpanKindClient),
		otel.WithAttributes(attribute.String("db.system.name", "mongodb"), attribute.String("db.operation.name", command),
			attribute.String("db.collection.name", collection)))
	return func(failure error) { end(span, failure) }
}

func end(span otel.Span, failure error) {
	if failure != nil {
		span.SetStatus(codes.Error, "failed")
	}
	span.End()
}
