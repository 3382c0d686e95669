package main

import (
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"time"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"gamedata/internal/app"
	"gamedata/internal/config"
	"gamedata/internal/conformance"
	"gamedata/rest"
)

// verifyFlags selects the service to check.
type verifyFlags struct {
	target string
	only   string
	exact  bool
	wait   time.Duration

	settings *config.Settings
}

func verifyCommand() *cobra.Command {
	var f verifyFlags
	cmd := &cobra.Command{
		Use: "verify --target URL", Short: "Check a service against the cases of the REST contract",
		Long: `Send every case of the /v3 contract to a service and print differing responses. The exit status is
0 when nothing differs, 1 when something does or the service cannot be reached.

Statuses, headers, keys and types are compared. Where a service with other data responds
differently, for example because it has no such player, its response is checked against the
schema of the OpenAPI document alone. With --exact every value is compared: that is for a service
with the data of the cases:
  gamedata seed --data-dir cases --players 60 --seed 1 --seed-days 0 --seed-time 2026-03-20T00:00:00Z
  gamedata serve --data-dir cases

Requests are sent without credentials. When they exceed the rate limit, verify waits as the service
says.`,
		Example: `  gamedata verify --target https://data.example
  gamedata verify --target http://127.0.0.1:8080 --exact`,
		Args: noArgs,
		RunE: withSettings(func(cmd *cobra.Command, _ []string) error {
			return f.verify(cmd)
		}),
	}
	cmd.Flags().StringVar(&f.target, "target", "", "URL of the service, such as https://data.example")
	cmd.Flags().StringVar(&f.only, "only", "*", "names of the cases to send, such as player*")
	cmd.Flags().BoolVar(&f.exact, "exact", false, "the service has the data of the cases: compare every value")
	f.settings = config.NewSettings(cmd.Flags())
	f.settings.Duration(&f.wait, "max-wait", 2*time.Minute,
		config.Range[time.Duration]{Low: time.Second, High: time.Hour}, "time limit of a wait for the rate limit, {range}")
	return withOutput(cmd)
}

func (f *verifyFlags) verify(cmd *cobra.Command) error {
	if err := f.settings.Check(); err != nil {
		return err
	}
	c, err := conformance.NewClient(f.target, f.wait)
	if err != nil {
		return config.Usagef("--target must be a URL such as https://data.example, not %q", f.target)
	}
	cases := slices.DeleteFunc(rest.Cases(), func(c rest.Case) bool {
		match, _ := path.Match(f.only, c.Name)
		return !match
	})
	if len(cases) == 0 {
		return config.Usagef("--only names no case")
	}
	var failures []conformance.Result
	other := 0
	err = conformance.Run(cmd.Context(), conformance.Options{Client: c, Document: app.OpenAPI(), Exact: f.exact}, cases,
		func(r conformance.Result) {
			if r.Other {
				other++
			}
			if len(r.Differences) == 0 {
				return
			}
			failures = append(failures, r)
			if !wantsJSON(cmd) { // show each failure at once
				printFailure(cmd.OutOrStdout(), r)
			}
		})
	if err != nil {
		return fmt.Errorf("--target: %w", err)
	}
	failed := make([]object, len(failures))
	for i, r := range failures {
		failed[i] = object{
			"case": r.Case.Name, "method": r.Case.Method, "target": r.Case.Target, "differences": r.Differences,
		}
	}
	passed := len(cases) - len(failures)
	err = printLine(cmd, object{"cases": len(cases), "passed": passed, "bySchemaOnly": other, "failures": failed},
		"%s: %d passed (%d by schema only), %d failed", english.Plural(len(cases), "case", ""), passed, other,
		len(failures))
	if len(failures) > 0 {
		return errors.Join(err, errors.New("the service differs from the contract"))
	}
	return err
}

func printFailure(out io.Writer, r conformance.Result) {
	fmt.Fprintf(out, "%s: %s %.100s\n", r.Case.Name, r.Case.Method, r.Case.Target)
	for _, d := range r.Differences {
		fmt.Fprintf(out, "  %s\n", d)
	}
}
