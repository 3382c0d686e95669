// Package telemetry shows operators what the service does: Prometheus metrics, OpenTelemetry traces, health checks, and
// the admin listener that serves them. It imports no other package of the module; callers pass in measurements and
// checks.
package telemetry
