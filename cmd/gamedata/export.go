package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"gamedata/internal/app"
	"gamedata/internal/config"
	"gamedata/internal/dump"
	"gamedata/internal/terminal"
)

func exportCommand() *cobra.Command {
	var store config.Store
	replace := false
	cmd := &cobra.Command{
		Use: "export DIR", Short: "Write the game's data to a directory",
		Long: `Write the game's data to a directory: one NDJSON file per collection and a manifest with their
hashes. gamedata import restores it into an empty store. Accounts, tokens, sessions,
applications, grants and the addresses of players are not included.

An export contains what players hide from others, and their privacy settings. It is for operators:
only the owner of its files can read them. It may be written beside a running service; concurrent
writes may or may not be included.`,
		Example: `  gamedata export exported
  gamedata export exported --replace --mongo-uri mongodb://localhost:27017`,
		Args: wantPath("DIR"),
		RunE: withSettings(func(cmd *cobra.Command, args []string) error {
			return export(cmd, &store, args[0], replace)
		}),
	}
	store.AddCommand(cmd.Flags())
	cmd.Flags().BoolVar(&replace, "replace", false, "replace an earlier export")
	return withOutput(cmd)
}

func export(cmd *cobra.Command, store *config.Store, dir string, replace bool) error {
	return onStore(cmd, store, app.InspectStore,
		func(ctx context.Context, db *app.Store, progress *terminal.Progress) (outcome, error) {
			o := app.DumpOptions(db.Store, progress)
			o.Replace = replace
			m, err := dump.Export(ctx, db.Store, dir, o)
			if errors.Is(err, dump.ErrDirNotEmpty) && !replace {
				err = config.Usagef("%w; use --replace to replace an earlier export", err)
			}
			if err != nil {
				return outcome{}, err
			}
			rows, bytes := total(m)
			return outcomef(
				object{"directory": dir, "records": rows, "bytes": bytes, "collections": collections(m)},
				"exported %d records of %d collections to %s, %.1f MB", rows, len(m.Files), dir, float64(bytes)/1e6)
		})
}

// collections lists what an export contains.
func collections(m *dump.Manifest) []object {
	out := make([]object, len(m.Files))
	for i, f := range m.Files {
		out[i] = object{"name": f.Collection, "records": f.Rows, "bytes": f.Bytes}
	}
	return out
}

func total(m *dump.Manifest) (rows int, bytes int64) {
	for _, f := range m.Files {
		rows, bytes = rows+f.Rows, bytes+f.Bytes
	}
	return rows, bytes
}
