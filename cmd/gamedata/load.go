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
	settings     *config.Settings
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
	flags.Uint64Var(&f.o.Seed, "seed", 1, "random seed of the choice of players, guilds and requests")
	s := config.NewSettings(flags)
	s.Float(&f.o.Rate, "rate", 50, config.Range[float64]{Low: load.MinRate, High: load.MaxRate},
		"requests per second, {range}")
	s.Duration(&f.o.Duration, "duration", 30*time.Second,
		config.Range[time.Duration]{Low: load.MinDuration, High: load.MaxDuration}, "how long to send requests, {range}")
	s.Int(&f.o.Callers, "callers", 1, config.Range[int]{Low: 1, High: load.MaxCallers},
		"callers of each class, {range}; if more than 1, with X-Forwarded-For addresses in 198.18.0.0/15")
	s.Duration(&f.o.Timeout, "timeout", 30*time.Second,
		config.Range[time.Duration]{Low: 10 * time.Millisecond, High: 10 * time.Minute}, "time limit of a request, {range}")
	s.Float(&f.maxErrorRate, "max-error-rate", 1, config.Range[float64]{High: 1},
		"share of failed requests above which to fail, {range}")
	s.Duration(&f.maxP99, "max-p99", 0, config.Range[time.Duration]{},
		"p99 of the latency of all requests above which to fail; 0: any")
	f.settings = s
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
	if !load.ValidTarget(f.o.Target) {
		return config.Usagef("--target must be a URL such as https://data.example, not %q", f.o.Target)
	}
	if err := f.settings.Check(); err != nil {
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
