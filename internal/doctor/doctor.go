// Package doctor checks configuration and environment and suggests fixes. It changes nothing.
package doctor

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"text/tabwriter"

	"gamedata/internal/config"
)

// Finding is the result of one check and, unless all is well, what to do.
type Finding struct {
	Verdict Verdict
	Subject string
	Message string
	Remedy  string
}

// Verdict says how severe a finding is.
type Verdict string

// OK needs nothing done; Warn is worth a look; Fail keeps the service from working.
const (
	OK   Verdict = "ok"
	Warn Verdict = "warn"
	Fail Verdict = "FAIL"
)

// Examine runs every check, in the order in which `gamedata serve` would need the things checked. It may run beside a
// working service.
func Examine(ctx context.Context, c *config.Service) []Finding {
	if err := c.Check(); err != nil {
		return []Finding{{Fail, "settings", err.Error(), "run gamedata config explain to see what is set where"}}
	}
	out := []Finding{{OK, "settings", "valid", ""}}
	for _, examine := range []func(context.Context, *config.Service) []Finding{
		examineSecrets, examineAddresses, examineDisk, examineLimits, examineStore, examineRedis, examineTraces,
	} {
		out = append(out, examine(ctx, c)...)
	}
	return out
}

// Report writes findings as a table and fails when one of them does.
func Report(out io.Writer, findings []Finding) error {
	failed := 0
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, f := range findings {
		if f.Verdict == Fail {
			failed++
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", f.Verdict, f.Subject, f.Message)
		if f.Remedy != "" {
			fmt.Fprintf(w, "\t\t→ %s\n", f.Remedy)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d checks failed: the service would not work", failed, len(findings))
	}
	return nil
}

var discard = slog.New(slog.DiscardHandler)
