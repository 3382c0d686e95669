package telemetry

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Tracer creates spans for requests, root fields, batches and store commands. It is safe for
// concurrent use.
type Tracer struct {
	provider *sdktrace.TracerProvider
	tracer   trace.Tracer
}

// NewTracer returns a tracer configured by OpenTelemetry's environment variables, or nil if they name no collector. It
// sends spans by OTLP over HTTP in the background; if the collector is down, it drops spans and logs that once.
func NewTracer(ctx context.Context, version string, log *slog.Logger) (*Tracer, error) {
	if !tracingEnabled() {
		return nil, nil
	}
	if err := checkTracingEnvironment(); err != nil {
		return nil, err
	}
	otlp, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_ENDPOINT: %w", err)
	}
	// WithFromEnv comes last so that the environment overrides our attributes.
	res, err := resource.New(ctx, resource.WithAttributes(attribute.String("service.name", "gamedata"),
		attribute.String("service.version", version)), resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(&exporter{SpanExporter: otlp, log: log}),
		sdktrace.WithResource(res))
	return &Tracer{provider, provider.Tracer("gamedata")}, nil
}

func tracingEnabled() bool {
	if strings.EqualFold(os.Getenv("OTEL_SDK_DISABLED"), "true") ||
		strings.EqualFold(os.Getenv("OTEL_TRACES_EXPORTER"), "none") {
		return false
	}
	return os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") != "" || os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") != ""
}

// checkTracingEnvironment rejects values that the exporter would silently replace with its defaults.
func checkTracingEnvironment() error {
	for _, name := range []string{"OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"} {
		text := os.Getenv(name)
		u, err := url.Parse(text)
		if text != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "") {
			return errors.New(name + " must be a URL such as http://127.0.0.1:4318")
		}
	}
	for _, name := range []string{"OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"} {
		if text := os.Getenv(name); text != "" && text != "http/protobuf" {
			return fmt.Errorf("%s must be http/protobuf, the only supported protocol", name)
		}
	}
	return nil
}

// Close sends the remaining spans, for five seconds at most.
func (t *Tracer) Close() error {
	if t == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	return t.provider.Shutdown(ctx)
}

// Handler creates a span for each request, as a child of the caller's span if the request has a
// traceparent header. A nil tracer returns next.
func (t *Tracer) Handler(next http.Handler) http.Handler {
	if t == nil {
		return next
	}
	return otelhttp.NewHandler(next, "request", otelhttp.WithTracerProvider(t.provider),
		otelhttp.WithPropagators(propagation.TraceContext{}))
}

// Request names the span of a request after its API and operation.
func (t *Tracer) Request(ctx context.Context, api, operation, cache string) {
	span := trace.SpanFromContext(ctx)
	span.SetName(api + " " + operation)
	span.SetAttributes(attribute.String("gamedata.api", api), attribute.String("gamedata.operation", operation),
		attribute.String("gamedata.cache", cache))
}

// Field starts the span of a root field.
func (t *Tracer) Field(ctx context.Context, name string) (context.Context, func()) {
	ctx, span := t.tracer.Start(ctx, "field "+name)
	return ctx, func() { span.End() }
}

// Batch starts the span of a loader's batch.
func (t *Tracer) Batch(ctx context.Context, loader string, keys int) (context.Context, func(error)) {
	ctx, span := t.tracer.Start(ctx, "batch "+loader, trace.WithAttributes(attribute.Int("gamedata.keys", keys)))
	return ctx, func(err error) { end(span, err) }
}

// Command starts the span of a store command, without its arguments. Commands outside a request or
// job, such as the driver's own heartbeats, are not traced.
func (t *Tracer) Command(ctx context.Context, command, collection string) func(error) {
	if !trace.SpanContextFromContext(ctx).IsValid() {
		return func(error) {}
	}
	_, span := t.tracer.Start(ctx, "store "+command, trace.WithSpanKind(trace.SpanKindClient),
		trace.WithAttributes(attribute.String("db.system.name", "mongodb"),
			attribute.String("db.operation.name", command), attribute.String("db.collection.name", collection)))
	return func(err error) { end(span, err) }
}

func end(span trace.Span, err error) {
	if err != nil {
		span.SetStatus(codes.Error, "failed")
	}
	span.End()
}

// exporter removes private attributes from spans and logs when the collector fails and when it
// recovers, once each.
type exporter struct {
	sdktrace.SpanExporter
	log  *slog.Logger
	down atomic.Bool
}

var _ sdktrace.SpanExporter = (*exporter)(nil)

// ExportSpans implements sdktrace.SpanExporter. Spans that the collector does not accept are lost.
func (e *exporter) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	redacted := make([]sdktrace.ReadOnlySpan, len(spans))
	for i, s := range spans {
		redacted[i] = redactedSpan{s}
	}
	err := e.SpanExporter.ExportSpans(ctx, redacted)
	switch down := err != nil; {
	case e.down.Swap(down) == down:
	case down:
		e.log.Warn("sending spans to the collector failed", "error", err)
	default:
		e.log.Info("sending spans to the collector works again")
	}
	return nil
}

// publicAttributes lists the attributes that may leave the process. otelhttp adds others with client addresses or
// callers' text; a path, for example, contains player names.
var publicAttributes = []attribute.Key{
	"http.request.method", "http.response.status_code", "http.request.body.size", "http.response.body.size",
	"url.scheme", "network.protocol.version", "error.type", "gamedata.api", "gamedata.operation", "gamedata.cache",
	"gamedata.keys", "db.system.name", "db.operation.name", "db.collection.name",
}

type redactedSpan struct{ sdktrace.ReadOnlySpan }

// Attributes returns the span's public attributes.
func (s redactedSpan) Attributes() []attribute.KeyValue {
	return slices.DeleteFunc(slices.Clone(s.ReadOnlySpan.Attributes()), func(a attribute.KeyValue) bool {
		return !slices.Contains(publicAttributes, a.Key)
	})
}
