package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"gamedata/internal/app"
	"gamedata/internal/buildinfo"
	"gamedata/internal/config"
	"gamedata/internal/dump"
	"gamedata/internal/jobs"
	"gamedata/mongo"
)

func exportCommand() *cobra.Command {
	var store config.Store
	replace := false
	cmd := &cobra.Command{
		Use:   "export DIR",
		Short: "Write the game's data to a directory",
		Long: `Write the game's data to a directory: one NDJSON file for every collection about the game,
and a manifest with their hashes, which gamedata import brings back into an empty store.
Accounts, tokens, sessions, applications and grants are not in it, nor the addresses that
players come from.

An export holds what players hide from others and the rules they set. It is for operators;
its files can be read by their owner alone. It may be made beside a running service: what is
written meanwhile is in it or not.`,
		Example: `  gamedata export exported
  gamedata export exported --replace --mongo-uri mongodb://localhost:27017`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 || args[0] == "" {
				return config.Usagef("export wants DIR")
			}
			if err := config.Load(cmd); err != nil {
				return err
			}
			return exportArchive(cmd, &store, args[0], replace)
		},
	}
	store.AddCommand(cmd.Flags())
	cmd.Flags().BoolVar(&replace, "replace", false, "let an export that is there give way to the new one")
	return cmd
}

func exportArchive(cmd *cobra.Command, store *config.Store, dir string, replace bool) error {
	if err := store.CheckExists(); err != nil {
		return err
	}
	db, err := app.JoinStore(cmd.Context(), store)
	if err != nil {
		return err
	}
	o := archiveOptions(db.Store, cmd.ErrOrStderr())
	o.Program, o.Now, o.Replace = buildinfo.Version, time.Now(), replace
	m, err := dump.Export(cmd.Context(), db.Store, dir, o)
	if errors.Is(err, dump.ErrDirNotEmpty) && !replace {
		err = config.Usagef("%w; --replace lets an export that is there give way", err)
	}
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	rows, bytes := total(m)
	fmt.Fprintf(cmd.OutOrStdout(), "exported %d records of %d collections to %s, %.1f MB (%s)\n", rows, len(m.Files), dir,
		float64(bytes)/1e6, db.Name)
	return nil
}

func importArchive(cmd *cobra.Command, store *config.Store, dir string) error {
	db, err := app.JoinStore(cmd.Context(), store)
	if err != nil {
		return err
	}
	m, err := dump.Import(cmd.Context(), db.Store, dir, archiveOptions(db.Store, cmd.ErrOrStderr()))
	if err = errors.Join(err, db.Close()); err != nil {
		return fmt.Errorf("%s: %w (nothing was stored)", dir, err)
	}
	rows, _ := total(m)
	fmt.Fprintf(cmd.OutOrStdout(), "stored %d records of %d collections (%s)\n", rows, len(m.Files), db.Name)
	return nil
}

func total(m *dump.Manifest) (rows int, bytes int64) {
	for _, f := range m.Files {
		rows, bytes = rows+f.Rows, bytes+f.Bytes
	}
	return rows, bytes
}

// retryStill is how long an export waits before it looks again whether leaderboards are written.
const retryStill = time.Second

func archiveOptions(store *mongo.Store, told io.Writer) dump.Options {
	progress := config.ProgressWriter(told)
	return dump.Options{
		Progress:   func(collection string, rows int) { progress(collection, rows, 0) },
		RaiseEpoch: func(ctx context.Context, epoch int64) error { return jobs.RaiseEpoch(ctx, store, epoch) },
		WithLease: func(ctx context.Context, work func(context.Context, int64) error) error {
			for waited := false; ; waited = true {
				err := jobs.WithLease(ctx, store, app.Holder(), work)
				if !errors.Is(err, mongo.ErrBusy) {
					return err
				}
				if !waited {
					fmt.Fprintln(told, "  waiting for the refresh of the leaderboards")
				}
				select {
				case <-ctx.Done():
					return ctx.Err()
				case <-time.After(retryStill):
				}
			}
		},
	}
}
