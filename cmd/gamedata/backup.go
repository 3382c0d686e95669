package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"gamedata/internal/app"
	"gamedata/internal/config"
	"gamedata/internal/terminal"
	"gamedata/mongo/embedded"
)

func backupCommand() *cobra.Command {
	var store config.Store
	cmd := &cobra.Command{
		Use: "backup FILE", Short: "Write the embedded store to a file, also beside a running service",
		Long: `Write a consistent copy of the embedded store with a checksum to a new file; an interrupted backup
leaves no file. A running service continues and writes the file itself. A backup contains
everything in the store, also accounts, but not the pepper. For MongoDB see docs/backup.md: mongodump alone
makes no consistent copy.`,
		Args: wantPath("FILE"),
		RunE: withSettings(func(cmd *cobra.Command, args []string) error {
			if store.MongoURI != "" {
				return config.Usagef("--mongo-uri: only the embedded store is backed up here; " +
					"docs/backup.md says how to back up MongoDB")
			}
			path, err := filepath.Abs(args[0])
			if err != nil {
				return err
			}
			return onStore(cmd, &store, app.InspectStore,
				func(ctx context.Context, db *app.Store, _ *terminal.Progress) (outcome, error) {
					if err := db.Backup(ctx, path); err != nil {
						return outcome{}, fmt.Errorf("backup: %w", err)
					}
					info, err := os.Stat(path)
					if err != nil {
						return outcome{}, err
					}
					return outcomef(object{"file": path, "bytes": info.Size()}, "wrote %s, %s", path,
						humanize.IBytes(uint64(info.Size())))
				})
		}),
	}
	store.AddEmbedded(cmd.Flags())
	return withOutput(cmd)
}

func restoreCommand() *cobra.Command {
	var store config.Store
	replace := false
	cmd := &cobra.Command{
		Use: "restore FILE", Short: "Restore the embedded store in --data-dir from a backup",
		Long: `Restore the embedded store in --data-dir from a backup, after verifying its checksum. A directory
that contains a store needs --replace; one that is in use is never replaced.`,
		Args: wantPath("FILE"),
		RunE: withSettings(func(cmd *cobra.Command, args []string) error {
			if store.MongoURI != "" {
				return config.Usagef("--mongo-uri: only the embedded store is restored here; " +
					"docs/backup.md says how to restore MongoDB")
			}
			if err := store.Check(); err != nil {
				return err
			}
			progress := progressOf(cmd)
			err := embedded.Restore(args[0], store.DataDir, replace, func(done, total int64) {
				progress.Report("restoring KiB", int(done>>10), int(total>>10))
			})
			progress.Clear()
			if errors.Is(err, embedded.ErrOccupied) {
				err = fmt.Errorf("%w; use --replace to replace it", err)
			}
			if err != nil {
				return fmt.Errorf("restore: %w", err)
			}
			return printLine(cmd, object{"dataDir": store.DataDir, "file": args[0]}, "restored %s from %s", store.DataDir,
				args[0])
		}),
	}
	store.AddEmbedded(cmd.Flags())
	cmd.Flags().BoolVar(&replace, "replace", false, "replace the existing store")
	return withOutput(cmd)
}
