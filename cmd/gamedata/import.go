package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gamedata/internal/app"
	"gamedata/internal/config"
	"gamedata/internal/dump"
	"gamedata/internal/terminal"
)

func importCommand() *cobra.Command {
	var store config.Store
	var pairs []string
	cmd := &cobra.Command{
		Use: "import [OPERATION] FILE|FOLDER...", Short: "Store recorded /v3 response bodies, or an export",
		Long: `Store recorded /v3 response bodies. With the name of an operation, one file is read as its
body. Without one, the name of each file says which endpoint it was recorded from: the path with
"-" for "/". Anything after another "-", or after a character that cannot occur in a path, is ignored.
In a folder, files of unknown endpoints are listed and skipped.

Everything is read and checked before anything is written; then it is read again and written.
Records with the same key are replaced. Lists of records are read one record at a time, so files
may be large; other bodies have at most 4 MB. --var supplies what a body does not contain.

A folder that gamedata export wrote, recognised by its manifest, is restored into an empty store
instead, after every file was checked against the manifest.`,
		Example: `  gamedata import recorded/
  gamedata import ItemSets item-sets.json
  gamedata import exported/                     into an empty store
  gamedata import AbilityTree tree.json --var tree=archer`,
		RunE: withSettings(func(cmd *cobra.Command, args []string) error {
			vars, err := parseVars(pairs)
			if err != nil {
				return err
			}
			if slices.ContainsFunc(args, dump.Exists) {
				if len(args) > 1 || len(vars) > 0 {
					return config.Usagef("an export is imported alone and without --var")
				}
				return importExport(cmd, &store, args[0])
			}
			return importRecordings(cmd, &store, vars, args)
		}),
	}
	store.AddCommand(cmd.Flags())
	cmd.Flags().StringArrayVar(&pairs, "var", nil, "variable of the recorded request, name=value; may be repeated")
	return withOutput(cmd)
}

func parseVars(pairs []string) (map[string]any, error) {
	out := map[string]any{}
	for _, p := range pairs {
		name, value, ok := strings.Cut(p, "=")
		if !ok || name == "" {
			return nil, config.Usagef("--var must be name=value, not %q", p)
		}
		out[name] = value
	}
	return out, nil
}

func importRecordings(cmd *cobra.Command, store *config.Store, vars map[string]any, args []string) error {
	recordings, err := app.ReadRecordings(args, vars, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	return onStore(cmd, store, app.JoinStore,
		func(ctx context.Context, db *app.Store, progress *terminal.Progress) (outcome, error) {
			stored, err := app.StoreRecordings(ctx, db.Store, recordings, progress)
			if err != nil {
				return outcome{}, err
			}
			return outcomef(object{"records": stored, "files": len(recordings)}, "stored %d records of %d files", stored,
				len(recordings))
		})
}

func importExport(cmd *cobra.Command, store *config.Store, dir string) error {
	return onStore(cmd, store, app.JoinStore,
		func(ctx context.Context, db *app.Store, progress *terminal.Progress) (outcome, error) {
			m, err := dump.Import(ctx, db.Store, dir, app.DumpOptions(db.Store, progress))
			if err != nil {
				return outcome{}, fmt.Errorf("%s: %w (nothing was stored)", dir, err)
			}
			rows, _ := total(m)
			return outcomef(object{"records": rows, "collections": collections(m)}, "stored %d records of %d collections",
				rows, len(m.Files))
		})
}
