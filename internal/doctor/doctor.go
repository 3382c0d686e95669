// Package doctor checks configuration and environment and suggests fixes. It changes nothing.
package doctor

import (
	"context"
	"fmt"
	"log/slog"

	"gamedata/internal/config"
)

// Finding is the result of one check, with a remedy unless all is well.
type Finding struct {
	Verdict Verdict `json:"verdict"`
	Subject string  `json:"subject"`
	Message string  `json:"message"`
	Remedy  string  `json:"remedy,omitempty"`
}

// Verdict says how severe a finding is.
type Verdict string

// OK needs no action; Warn deserves a look; Fail keeps the service from working.
const (
	OK   Verdict = "ok"
	Warn Verdict = "warn"
	Fail Verdict = "fail"
)

func ok(subject, message string) Finding {
	return Finding{Verdict: OK, Subject: subject, Message: message}
}

func warn(subject, message, remedy string) Finding { return Finding{Warn, subject, message, remedy} }

func fail(subject, message, remedy string) Finding { return Finding{Fail, subject, message, remedy} }

// Examine runs every check in the order of `gamedata serve`'s startup. It may run beside a working service.
func Examine(ctx context.Context, c *config.Service) []Finding {
	if err := c.Check(); err != nil {
		return []Finding{fail("settings", err.Error(), "run gamedata config explain to see what is set where")}
	}
	out := []Finding{ok("settings", "valid")}
	for _, examine := range []func(context.Context, *config.Service) []Finding{
		examineSecrets, examineAddresses, examineDisk, examineTempDir, examineLimits, examineStore, examineRedis,
		examineTraces,
	} {
		out = append(out, examine(ctx, c)...)
	}
	return out
}

// Failure returns an error if any finding is a failure.
func Failure(findings []Finding) error {
	failed := 0
	for _, f := range findings {
		if f.Verdict == Fail {
			failed++
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d checks failed: the service would not work", failed, len(findings))
	}
	return nil
}

var discard = slog.New(slog.DiscardHandler)
