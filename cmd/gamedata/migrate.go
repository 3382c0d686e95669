package main

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"gamedata/internal/app"
	"gamedata/internal/config"
	"gamedata/mongo"
)

func migrateCommand() *cobra.Command {
	var store config.Store
	replace, dryRun, lookups := false, false, false
	var shards shardOptions
	cmd := &cobra.Command{
		Use: "migrate", Short: "Build the indexes that the store lacks, or shard its collections",
		Long: `Build the indexes that the store lacks, one after the other, with progress and without a time limit.
A service builds the indexes of small collections when it starts. With large ones missing it starts too, is
slow, and reports itself as degraded until this command has built them.

It may run beside running services, and several times at once. MongoDB serves reads and writes while
it builds an index; the embedded store serves reads, and writes wait.

With --lookups it also adds missing lookups, by which players are found. Run it when all services are of this
version: earlier ones write no lookups.

With --shard it prints the commands that distribute the collections over the shards of a MongoDB cluster:
those that the cluster lacks. With --apply it also runs them, and may be repeated. Collections without
records are split into ranges and spread; those with records are left to the balancer.`,
		Example: `  gamedata migrate --dry-run --mongo-uri mongodb://localhost:27017
  gamedata migrate --mongo-uri mongodb://localhost:27017
  gamedata migrate --shard --mongo-uri mongodb://mongos:27017`,
		Args: noArgs,
		RunE: withSettings(func(cmd *cobra.Command, _ []string) error {
			if err := shards.check(cmd, &store); err != nil {
				return err
			}
			if shards.shard {
				return migrateShards(cmd, &store, &shards)
			}
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
					fmt.Fprintf(progress, "%s: building over %d %s\n", b.Index, b.Records, plural(int(b.Records), "record"))
				default:
					fmt.Fprintf(progress, "%s: still building after %s\n", b.Index, took.Round(time.Second))
				}
			})
			var repair mongo.LookupRepair
			if err == nil && lookups {
				repair, err = repairLookups(cmd, db, progress)
			}
			if err = errors.Join(err, db.Close()); err != nil {
				return err
			}
			done := "all indexes exist"
			if len(built) > 0 {
				done = fmt.Sprintf("indexes built: %d", len(built))
			}
			if lookups {
				done += fmt.Sprintf(", lookups of players added: %d, removed: %d", repair.Added, repair.Removed)
			}
			result := object{
				"built": built, "lookups": repair.Added, "lookupsRemoved": repair.Removed, "store": db.Name,
			}
			return printLine(cmd, result, "%s (%s)", done, db.Name)
		}),
	}
	store.AddCommand(cmd.Flags())
	cmd.Flags().BoolVar(&replace, "replace", false,
		"drop indexes that have the key or the name of a missing one but other options, and larger ones than needed")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "change nothing: list the indexes that are missing or different, "+
		"and say whether the lookups are complete")
	cmd.Flags().BoolVar(&lookups, "lookups", false,
		"also check and repair the lookups, by which players are found; all services must be of this version")
	shards.addFlags(cmd)
	return withOutput(cmd)
}

// repairLookups adds the lookups that players lack and removes unused ones.
func repairLookups(cmd *cobra.Command, db *app.Store, progress io.Writer) (mongo.LookupRepair, error) {
	reported := time.Now()
	return db.Lookups.Repair(cmd.Context(), func(examined int) {
		if time.Since(reported) >= 10*time.Second {
			reported = time.Now()
			fmt.Fprintf(progress, "lookups: examined %d records\n", examined)
		}
	})
}

func listIndexProblems(cmd *cobra.Command, db *app.Store) error {
	problems, err := db.Indexes.ProblemsOfShards(cmd.Context())
	larger, largerErr := db.Indexes.Larger(cmd.Context())
	if err := errors.Join(err, largerErr); err != nil {
		return err
	}
	problems = append(problems, larger...)
	built, err := db.Lookups.Built(cmd.Context())
	if err != nil {
		return err
	}
	list := make([]object, len(problems))
	for i, p := range problems {
		list[i] = object{"index": p.Name(), "problem": p.String(), "remedy": p.Remedy()}
	}
	return printResult(cmd, object{"problems": list, "lookups": built, "store": db.Name}, func(out io.Writer) error {
		for _, p := range problems {
			fmt.Fprintln(out, p)
		}
		if len(problems) == 0 {
			fmt.Fprintf(out, "all indexes exist (%s)\n", db.Name)
		}
		if !built {
			fmt.Fprintln(out, "the lookups of players are missing: run gamedata migrate --lookups")
		}
		return nil
	})
}
