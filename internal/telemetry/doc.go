// Package telemetry shows operators what the service does: Prometheus metrics, OpenTelemetry
// traces, health checks, and the admin listener that serves them. It imports no other package of
// ours; callers pass it what to measure and what to check.
package telemetry
