package main

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"gamedata/internal/app"
	"gamedata/internal/config"
	"gamedata/mongo"
)

func migrateCommand() *cobra.Command {
	var store config.Store
	replace, dryRun := false, false
	cmd := &cobra.Command{
		Use: "migrate", Short: "Build the indexes that the store lacks",
		Long: `Build the indexes that the store lacks, one after the other, with progress and without a time limit.
A service builds the indexes of small collections when it starts. With large ones missing it starts too, is
slow, and reports itself as degraded until this command has built them.

It may run beside running services, and several times at once. MongoDB serves reads and writes while
it builds an index; the embedded store serves reads, and writes wait.`,
		Example: `  gamedata migrate --dry-run --mongo-uri mongodb://localhost:27017
  gamedata migrate --mongo-uri mongodb://localhost:27017`,
		Args: noArgs,
		RunE: withSettings(func(cmd *cobra.Command, _ []string) error {
			db, err := app.InspectStore(cmd.Context(), &store)
			if err != nil {
				return err
			}
			if dryRun {
				return errors.Join(listIndexProblems(cmd, db), db.Close())
			}
			progress := cmd.OutOrStdout()
			if wantsJSON(cmd) {
				progress = io.Discard
			}
			built := []object{}
			_, err = db.Indexes.Build(cmd.Context(), replace, func(b mongo.IndexBuild) {
				switch took := b.Elapsed.Round(time.Millisecond); {
				case b.Done:
					built = append(built, object{"index": b.Index, "records": b.Records, "seconds": seconds(took)})
					fmt.Fprintf(progress, "%s: built in %s\n", b.Index, took)
				case b.Elapsed == 0:
					fmt.Fprintf(progress, "%s: building over %s\n", b.Index, english.Plural(int(b.Records), "record", ""))
				default:
					fmt.Fprintf(progress, "%s: still building after %s\n", b.Index, took.Round(time.Second))
				}
			})
			if err = errors.Join(err, db.Close()); err != nil {
				return err
			}
			done := "all indexes exist"
			if len(built) > 0 {
				done = fmt.Sprintf("indexes built: %d", len(built))
			}
			return printLine(cmd, object{"built": built, "store": db.Name}, "%s (%s)", done, db.Name)
		}),
	}
	store.AddCommand(cmd.Flags())
	cmd.Flags().BoolVar(&replace, "replace", false,
		"drop indexes that have the key or the name of a missing one but other options")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "change nothing: list the indexes that are missing or different")
	return withOutput(cmd)
}

func listIndexProblems(cmd *cobra.Command, db *app.Store) error {
	problems, err := db.Indexes.Problems(cmd.Context())
	if err != nil {
		return err
	}
	list := make([]object, len(problems))
	for i, p := range problems {
		list[i] = object{"index": p.Name(), "problem": p.String(), "remedy": p.Remedy()}
	}
	return printResult(cmd, object{"problems": list, "store": db.Name}, func(out io.Writer) error {
		for _, p := range problems {
			fmt.Fprintln(out, p)
		}
		if len(problems) == 0 {
			fmt.Fprintf(out, "all indexes exist (%s)\n", db.Name)
		}
		return nil
	})
}
