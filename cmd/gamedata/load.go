package main

import (
	"errors"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gamedata/internal/config"
	"gamedata/internal/load"
)

// loadFlags say which requests to send where.
type loadFlags struct {
	mix          string
	printMix     bool
	maxErrorRate float64
	maxP99       time.Duration
	o            load.Options
}

func loadCommand() *cobra.Command {
	var f loadFlags
	cmd := &cobra.Command{
		Use: "load --target URL", Short: "Send requests to a service at a constant rate and measure it",
		Long: `Send a mix of requests to a service at a constant rate, however fast it responds, and report rates,
statuses and latencies of each class of requests. Latencies count from when a request was to be
sent, so a pause of the service shows in all requests that it delays.

A mix is one of the program (` + strings.Join(load.MixNames(), ", ") + `) or a YAML file; docs/load-testing.md
describes it. All requests come from one address, which has one rate limit: start the service with a
high --guest-rate, or start it with --trusted-proxies and send requests of many --callers.

An interrupt ends the load and prints the report. The exit status is 1 when the service cannot be
reached, or exceeds --max-error-rate or --max-p99, which do not count streams.`,
		Example: `  gamedata load --target http://127.0.0.1:8080 --rate 200 --duration 1m
  gamedata load --print-mix > mix.yaml
  gamedata load --target http://127.0.0.1:8080 --mix mix.yaml --max-error-rate 0.001 --max-p99 100ms`,
		Args: noArgs,
		RunE: withSettings(func(cmd *cobra.Command, _ []string) error { return f.run(cmd) }),
	}
	flags := cmd.Flags()
	flags.StringVar(&f.o.Target, "target", "", "URL of the service, such as https://data.example")
	flags.StringVar(&f.mix, "mix", "day", "what to send: "+strings.Join(load.MixNames(), ", ")+" or a YAML file")
	flags.BoolVar(&f.printMix, "print-mix", false, "check and print the mix, and send nothing")
	flags.Float64Var(&f.o.Rate, "rate", 50, "requests per second, 0.1 to 100000")
	flags.DurationVar(&f.o.Duration, "duration", 30*time.Second, "how long to send requests, 1s to 24h")
	flags.IntVar(&f.o.Callers, "callers", 1,
		"callers of each class, 1 to 5000; if more than 1, with X-Forwarded-For addresses in 198.18.0.0/15")
	flags.DurationVar(&f.o.Timeout, "timeout", 30*time.Second, "time limit of a request, 10ms to 10m")
	flags.Uint64Var(&f.o.Seed, "seed", 1, "random seed of the choice of players, guilds and requests")
	flags.Float64Var(&f.maxErrorRate, "max-error-rate", 1, "share of failed requests above which to fail, 0 to 1")
	flags.DurationVar(&f.maxP99, "max-p99", 0, "p99 of the latency of all requests above which to fail; 0: any")
	return withOutput(cmd)
}

func (f *loadFlags) run(cmd *cobra.Command) error {
	mix, err := load.ReadMix(f.mix)
	if err != nil {
		return config.Usagef("--mix: %w", err)
	}
	if f.printMix {
		return f.printText(cmd)
	}
	if err := f.check(); err != nil {
		return err
	}
	f.o.Mix = mix
	report, err := load.Run(cmd.Context(), f.o)
	if err != nil {
		return err
	}
	err = printResult(cmd, object{
		"target": report.Target, "began": report.Began, "seconds": report.Seconds, "classes": report.Classes,
		"total": report.Total, "streams": report.Streams,
	}, report.Print)
	return errors.Join(err, report.Check(f.maxErrorRate, f.maxP99))
}

func (f *loadFlags) printText(cmd *cobra.Command) error {
	text, err := load.MixText(f.mix)
	if err != nil {
		return err
	}
	return printResult(cmd, object{"mix": string(text)}, func(out io.Writer) error {
		_, err := out.Write(text)
		return err
	})
}

// check validates the flags. Conditions are negated because NaN satisfies none.
func (f *loadFlags) check() error {
	o := &f.o
	switch {
	case !load.ValidTarget(o.Target):
		return config.Usagef("--target must be a URL such as https://data.example, not %q", o.Target)
	case !(o.Rate >= load.MinRate && o.Rate <= load.MaxRate):
		return config.Usagef("--rate must be %g to %g", load.MinRate, float64(load.MaxRate))
	case o.Duration < load.MinDuration || o.Duration > load.MaxDuration:
		return config.Usagef("--duration must be between 1s and 24h")
	case o.Callers < 1 || o.Callers > load.MaxCallers:
		return config.Usagef("--callers must be 1 to %d", load.MaxCallers)
	case o.Timeout < 10*time.Millisecond || o.Timeout > 10*time.Minute:
		return config.Usagef("--timeout must be between 10ms and 10m")
	case !(f.maxErrorRate >= 0 && f.maxErrorRate <= 1):
		return config.Usagef("--max-error-rate must be 0 to 1")
	case f.maxP99 < 0:
		return config.Usagef("--max-p99 must not be negative")
	}
	return nil
}
