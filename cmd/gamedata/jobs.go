package main

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"gamedata/internal/app"
	"gamedata/internal/config"
	"gamedata/internal/jobs"
	"gamedata/internal/terminal"
)

func jobsCommand() *cobra.Command {
	full := false
	leaderboards := jobCommand("leaderboards", "Refresh the leaderboards",
		`Refresh the leaderboards for players who are online or flagged, and their guilds. With --full for
all players, as in the first refresh.`, jobs.Refresh, &full)
	leaderboards.Flags().BoolVar(&full, "full", false, "refresh all players and guilds")
	everyone := false
	past := jobCommand("history", "Record the history",
		`Record a point of the players online, and once an hour of guilds and of players who have played;
with --full of all players, whenever they played.`, jobs.History, &everyone)
	past.Flags().BoolVar(&everyone, "full", false, "record all players")
	run := group("run", "Run a job once, now",
		`Run a job once, now. A running service runs all of them on schedule. Of all instances that
share a store only one at a time works on the leaderboards: while another one does, the job
fails. The next run finishes a job that was interrupted.`,
		leaderboards,
		jobCommand("ranks", "Save the positions of the day",
			`Refresh all leaderboards, then save the positions of guilds and of recently active players as
the positions of the previous day.`, jobs.Ranks, nil),
		jobCommand("statistics", "Count for the statistics",
			`Count all players, characters and guilds for the GraphQL field "statistics".`, jobs.Statistics, nil),
		dumpsCommand(),
		past,
		jobCommand("colour", "Give colours to guilds",
			`Give a colour to each guild that holds territories and has none, as after an import.`, jobs.Colour, nil),
		jobCommand("sweep", "Remove leftovers",
			`Remove pages of leaderboards that are no longer referenced, and make the next refresh remove
deleted players and guilds from the leaderboards.`, jobs.Sweep, nil))
	run.Example = `  gamedata jobs run leaderboards --full
  gamedata jobs run ranks --mongo-uri mongodb://localhost:27017`
	return group("jobs", "Jobs that a running service runs by itself", "", run)
}

func jobCommand(name, short, long string, work app.Job, full *bool) *cobra.Command {
	return jobOf(&cobra.Command{Use: name, Short: short, Long: long},
		func(ctx context.Context, db *app.Store, store *config.Store, progress *terminal.Progress) (fmt.Stringer, error) {
			return work(ctx, db.Store, db.Now(), jobs.Options{
				Holder: app.Holder(), Full: full != nil && *full, Progress: progress.Report, TempDir: store.TempDir(),
			})
		})
}

func dumpsCommand() *cobra.Command {
	dir := ""
	cmd := &cobra.Command{
		Use: "dumps", Short: "Write the public dumps",
		Long: `Write players, guilds, items, territories and leaderboards as a guest may see them to the directory
--dumps-dir, as NDJSON compressed with zstd and gzip. A running service with this setting does so once
a day. Run it after a player was deleted or must be hidden, to replace the files earlier.`,
		Example: "  gamedata jobs run dumps --dumps-dir data/dumps",
		PreRunE: withSettings(func(*cobra.Command, []string) error {
			if dir == "" {
				return config.Usagef("--dumps-dir must name a directory")
			}
			return nil
		}),
	}
	config.AddDumpsDir(&dir, cmd.Flags())
	return jobOf(cmd,
		func(ctx context.Context, db *app.Store, _ *config.Store, progress *terminal.Progress) (fmt.Stringer, error) {
			return app.WriteDumps(ctx, db.Store, dir, time.Now(), slog.Default(), progress.Report)
		})
}

// jobOf makes a command run a job and print its report.
func jobOf(cmd *cobra.Command,
	work func(context.Context, *app.Store, *config.Store, *terminal.Progress) (fmt.Stringer, error),
) *cobra.Command {
	var store config.Store
	cmd.Args = noArgs
	cmd.RunE = withSettings(func(cmd *cobra.Command, _ []string) error {
		return onStore(cmd, &store, app.JoinExistingStore,
			func(ctx context.Context, db *app.Store, progress *terminal.Progress) (outcome, error) {
				name, begun := cmd.Name(), time.Now()
				var report fmt.Stringer
				err := app.Retry(ctx, func() (err error) {
					report, err = work(ctx, db, &store, progress)
					return err
				})
				if err != nil {
					return outcome{}, fmt.Errorf("%s: %w", name, err)
				}
				took := time.Since(begun).Round(time.Millisecond)
				return outcomef(object{"job": name, "report": report, "seconds": seconds(took)}, "%s: %s in %s", name, report,
					took)
			})
	})
	store.AddCommand(cmd.Flags())
	return withOutput(cmd)
}
