package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"gamedata/internal/jobs"
	"gamedata/mongo"
)

// job is a job of the room jobs.
type job func(context.Context, *mongo.Store, time.Time, jobs.Options) (jobs.Report, error)

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

func jobCommand(name, short, long string, work job, full *bool) *cobra.Command {
	var store storeFlags
	cmd := &cobra.Command{
		Use:   name,
		Short: short,
		Long:  long,
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := settle(cmd); err != nil {
				return err
			}
			db, err := store.join(cmd.Context())
			if err != nil {
				return err
			}
			o := jobs.Options{Holder: holder(), Full: full != nil && *full, Progress: tellProgress(cmd.ErrOrStderr())}
			begun := time.Now()
			report, err := work(cmd.Context(), db.Store, begun, o)
			if err = errors.Join(err, db.close()); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %s in %s (%s)\n", name, report, time.Since(begun).Round(time.Millisecond),
				db.name)
			return nil
		},
	}
	store.addVerb(cmd.Flags())
	return cmd
}

// holder names this process in a lease.
func holder() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return fmt.Sprintf("%s:%d", host, os.Getpid())
}

// tellProgress writes how far a job is, once a second at most.
func tellProgress(w io.Writer) func(step string, done, total int) {
	told := time.Now()
	return func(step string, done, total int) {
		now := time.Now()
		if now.Sub(told) < time.Second {
			return
		}
		told = now
		if total > 0 {
			fmt.Fprintf(w, "  %s: %d of %d\n", step, done, total)
		} else {
			fmt.Fprintf(w, "  %s: %d\n", step, done)
		}
	}
}
