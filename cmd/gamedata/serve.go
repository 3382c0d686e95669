package main

import (
	"errors"
	"log/slog"
	"runtime"

	"github.com/spf13/cobra"

	"gamedata/internal/app"
	"gamedata/internal/config"
)

func serveCommand() *cobra.Command {
	var c config.Service
	cmd := &cobra.Command{
		Use: "serve", Short: "Run the service",
		Long: `Run the service until SIGTERM or an interrupt. Then readiness fails, requests in flight are
finished and the store is closed.`,
		Example: `  gamedata serve --demo
  gamedata serve --mongo-uri mongodb://localhost:27017 --listen :8080 --trusted-proxies 10.0.0.0/8`,
		Args: noArgs,
		RunE: withSettings(func(cmd *cobra.Command, _ []string) error {
			a, err := app.New(cmd.Context(), &c, cmd.OutOrStdout(), cmd.ErrOrStderr())
			switch {
			case err != nil && cmd.Context().Err() != nil:
				slog.Info("stopped before the service was ready")
				return nil
			case err != nil:
				return err
			}
			if runtime.GOMAXPROCS(0) == 1 {
				// With one processor, Go's scheduler polls connections only when nothing else can run. Under load, even
				// requests that we reject would wait for seconds to be read. The second one shares the core with the
				// first; see BenchmarkOverload.
				runtime.GOMAXPROCS(2)
			}
			return errors.Join(a.Run(cmd.Context()), a.Close())
		}),
	}
	c.Add(cmd.Flags())
	return cmd
}
