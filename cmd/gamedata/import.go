package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gamedata/graph"
	"gamedata/internal/app"
	"gamedata/internal/config"
	"gamedata/internal/dump"
	"gamedata/mongo/importer"
	"gamedata/rest"
)

// maxImport bounds one recorded body.
const maxImport = 256 << 20

func importCommand() *cobra.Command {
	var store config.Store
	var pairs []string
	cmd := &cobra.Command{
		Use:   "import [OPERATION] FILE|FOLDER...",
		Short: "Store recorded /v3 answers, or what gamedata export wrote",
		Long: `Store recorded /v3 answers. With the name of an operation one file is read as its answer.
Without one, each file tells by its name which endpoint it was recorded from: the path with
"-" for "/", then anything. In a folder, files of no known endpoint are named and skipped.

Everything is read and checked before anything is written. Records with the same key are
replaced. What a body does not say of itself is given by --var.

A folder that gamedata export wrote, known by its manifest, is brought back into an empty
store instead, after every file was checked against the manifest.`,
		Example: `  gamedata import recorded/
  gamedata import ItemSets item-sets.json
  gamedata import exported/                     into an empty store
  gamedata import AbilityTree tree.json --var tree=archer`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := config.Load(cmd); err != nil {
				return err
			}
			vars, err := parseVars(pairs)
			if err != nil {
				return err
			}
			if slices.ContainsFunc(args, dump.Exists) {
				if len(args) > 1 || len(vars) > 0 {
					return config.Usagef("an export is imported alone and without --var")
				}
				return importArchive(cmd, &store, args[0])
			}
			return runImport(cmd, &store, vars, args)
		},
	}
	store.AddCommand(cmd.Flags())
	cmd.Flags().StringArrayVar(&pairs, "var", nil, "variable the answer was asked with, name=value; may be repeated")
	return cmd
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

// recording is one file to read.
type recording struct {
	path, operation string
	vars            map[string]any
}

func runImport(cmd *cobra.Command, store *config.Store, vars map[string]any, args []string) error {
	ops, err := rest.Load(graph.NewExecutableSchema(graph.Config{}).Schema())
	if err != nil {
		return err
	}
	todo, err := recordings(cmd, ops, args)
	if err != nil {
		return err
	}
	for name := range vars {
		if !slices.ContainsFunc(todo, func(r recording) bool { return ops[r.operation].HasVariable(name) }) {
			return config.Usagef("--var: no operation has the variable %s", name)
		}
	}
	var read []*importer.Import
	for n, r := range todo {
		maps.Copy(r.vars, vars)
		i, err := readRecording(ops[r.operation], r)
		if err != nil {
			return fmt.Errorf("%s: %w (nothing was written)", r.path, err)
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "read %d/%d  %-18s %6d records  %s\n", n+1, len(todo), r.operation, i.Records, r.path)
		read = append(read, i)
	}
	db, err := app.JoinStore(cmd.Context(), store)
	if err != nil {
		return err
	}
	total := 0
	for n, i := range read {
		if err := i.Apply(cmd.Context(), db.Store); err != nil {
			return errors.Join(fmt.Errorf("%s: %w (%d of %d files were stored before it; importing again is safe)", todo[n].path,
				err, n, len(read)), db.Close())
		}
		total += i.Records
	}
	if err := db.Close(); err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "stored %d records of %d files (%s)\n", total, len(read), db.Name)
	return nil
}

// recordings finds the files that the arguments name and the operation of each.
func recordings(cmd *cobra.Command, ops map[string]*rest.Operation, args []string) ([]recording, error) {
	if len(args) == 0 {
		return nil, config.Usagef("import wants a file or a folder")
	}
	if _, ok := ops[args[0]]; ok && len(args) == 2 {
		return []recording{{args[1], args[0], map[string]any{}}}, nil
	}
	var out []recording
	for _, arg := range args {
		info, err := os.Stat(arg)
		if errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(arg, "./") {
			return nil, config.UsageError{Err: fmt.Errorf("%q is neither a file nor an operation; operations are %s", arg,
				strings.Join(slices.Sorted(maps.Keys(ops)), ", "))}
		}
		if err != nil {
			return nil, err
		}
		files := []string{arg}
		if info.IsDir() {
			if files, err = filepath.Glob(filepath.Join(arg, "*.json")); err != nil {
				return nil, err
			}
			if len(files) == 0 {
				return nil, fmt.Errorf("%s: no .json file in this folder", arg)
			}
		}
		for _, f := range files {
			op, vars, err := rest.OperationForFile(filepath.Base(f))
			switch {
			case err == nil:
				out = append(out, recording{f, op, vars})
			case info.IsDir():
				fmt.Fprintf(cmd.ErrOrStderr(), "skipped: %v\n", err)
			default:
				return nil, fmt.Errorf("%w; name the operation before the file", err)
			}
		}
	}
	return out, nil
}

func readRecording(op *rest.Operation, r recording) (*importer.Import, error) {
	info, err := os.Stat(r.path)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxImport {
		return nil, fmt.Errorf("larger than %d MB", maxImport>>20)
	}
	body, err := os.ReadFile(r.path)
	if err != nil {
		return nil, err
	}
	var data json.RawMessage
	if data, err = op.Reverse(body, r.vars); err != nil {
		return nil, err
	}
	return importer.Read(op.RootField(), data, r.vars)
}
