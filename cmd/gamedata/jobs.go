package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"gamedata/internal/app"
	"gamedata/internal/config"
	"gamedata/internal/jobs"
)

func jobsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "jobs",
		Short: "Work that the clock of a running service does",
		Args:  noArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	run := &cobra.Command{
		Use:   "run",
		Short: "Run a job once, now",
		Long: `Run a job once, now. A running service runs all of them by its clock. However many
instances share a store, one at a time works on the leaderboards: while another one does,
the job fails. A job that was broken off is finished by the next run.`,
		Example: `  gamedata jobs run leaderboards --full
  gamedata jobs run ranks --mongo-uri mongodb://localhost:27017`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	full := false
	leaderboards := jobCommand("leaderboards", "Refresh the leaderboards",
		`Refresh the leaderboards: players who are online or flagged, and their guilds. With --full
everybody, which the first refresh is anyway.`, jobs.Refresh, &full)
	leaderboards.Flags().BoolVar(&full, "full", false, "compute everything anew")
	run.AddCommand(leaderboards,
		jobCommand("ranks", "Keep the positions of the day",
			`Refresh all leaderboards, then keep the positions of guilds and of players in use lately as
those of the day before.`, jobs.Ranks, nil),
		jobCommand("sweep", "Take away what is left over",
			`Take away pages of leaderboards that nothing names any more, and have the next refresh take
players and guilds that are gone off the boards.`, jobs.Sweep, nil))
	cmd.AddCommand(run)
	return cmd
}

func jobCommand(name, short, long string, work app.Job, full *bool) *cobra.Command {
	var store config.Store
	cmd := &cobra.Command{
		Use:   name,
		Short: short,
		Long:  long,
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := config.Load(cmd); err != nil {
				return err
			}
			db, err := app.JoinStore(cmd.Context(), &store)
			if err != nil {
				return err
			}
			o := jobs.Options{Holder: app.Holder(), Full: full != nil && *full, Progress: config.ProgressWriter(cmd.ErrOrStderr())}
			begun := time.Now()
			report, err := work(cmd.Context(), db.Store, begun, o)
			if err = errors.Join(err, db.Close()); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %s in %s (%s)\n", name, report, time.Since(begun).Round(time.Millisecond),
				db.Name)
			return nil
		},
	}
	store.AddCommand(cmd.Flags())
	return cmd
}
