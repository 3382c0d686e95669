package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gamedata/graph"
	"gamedata/internal/config"
	"gamedata/mongo"
	"gamedata/mongo/importer"
	"gamedata/rest"
)

// maxImport bounds one recorded body, in bytes.
const maxImport = 256 << 20

// Recording is a recorded /v3 response body that has been read and validated.
type Recording struct {
	Path      string // of the file
	Operation string
	variables map[string]any
	records   *importer.Import
}

// ReadRecordings reads recorded /v3 response bodies: args is the name of an operation and a file, or files and folders
// whose file names give the endpoint. variables supply what a body does not contain. Progress goes to out. Nothing is
// stored.
func ReadRecordings(args []string, variables map[string]any, out io.Writer) ([]Recording, error) {
	ops, err := rest.Load(graph.NewExecutableSchema(graph.Config{}).Schema())
	if err != nil {
		return nil, err
	}
	recordings, err := findRecordings(ops, args, out)
	if err != nil {
		return nil, err
	}
	for name := range variables {
		if !slices.ContainsFunc(recordings, func(r Recording) bool { return ops[r.Operation].HasVariable(name) }) {
			return nil, config.Usagef("--var: no operation has the variable %s", name)
		}
	}
	for n := range recordings {
		r := &recordings[n]
		maps.Copy(r.variables, variables)
		if err := r.read(ops[r.Operation]); err != nil {
			return nil, fmt.Errorf("%s: %w (nothing was stored)", r.Path, err)
		}
		fmt.Fprintf(out, "read %d/%d  %-18s %6d records  %s\n", n+1, len(recordings), r.Operation, r.records.Records, r.Path)
	}
	return recordings, nil
}

// StoreRecordings writes recordings to a store, replacing records with the same keys. It returns the number of
// records.
func StoreRecordings(ctx context.Context, store *mongo.Store, recordings []Recording) (total int, err error) {
	for n, r := range recordings {
		if err := r.records.Apply(ctx, store); err != nil {
			return total, fmt.Errorf("%s: %w (%d of %d files were stored before it; importing again is safe)", r.Path, err, n,
				len(recordings))
		}
		total += r.records.Records
	}
	return total, nil
}

func findRecordings(ops map[string]*rest.Operation, args []string, out io.Writer) ([]Recording, error) {
	if len(args) == 0 {
		return nil, config.Usagef("import wants a file or a folder")
	}
	if _, ok := ops[args[0]]; ok && len(args) == 2 {
		return []Recording{{Path: args[1], Operation: args[0], variables: map[string]any{}}}, nil
	}
	var found []Recording
	for _, arg := range args {
		info, err := os.Stat(arg)
		if errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(arg, "./") {
			return nil, config.Usagef("%q is neither a file nor an operation; operations are %s", arg,
				strings.Join(slices.Sorted(maps.Keys(ops)), ", "))
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
		for _, file := range files {
			operation, variables, err := rest.OperationForFile(filepath.Base(file))
			switch {
			case err == nil:
				found = append(found, Recording{Path: file, Operation: operation, variables: variables})
			case info.IsDir():
				fmt.Fprintf(out, "skipped: %v\n", err)
			default:
				return nil, fmt.Errorf("%w; name the operation before the file", err)
			}
		}
	}
	return found, nil
}

func (r *Recording) read(op *rest.Operation) error {
	info, err := os.Stat(r.Path)
	if err != nil {
		return err
	}
	if info.Size() > maxImport {
		return fmt.Errorf("larger than %d MB", maxImport>>20)
	}
	body, err := os.ReadFile(r.Path)
	if err != nil {
		return err
	}
	var data json.RawMessage
	if data, err = op.Reverse(body, r.variables); err != nil {
		return err
	}
	r.records, err = importer.Read(op.RootField(), data, r.variables)
	return err
}
