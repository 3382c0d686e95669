package app

import (
	"cmp"
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

	"gamedata/graph/generated"
	"gamedata/internal/config"
	"gamedata/internal/importer"
	"gamedata/internal/terminal"
	"gamedata/internal/userfile"
	"gamedata/mongo"
	"gamedata/rest"
	"gamedata/rest/transform"
)

// Recording is a checked file with a recorded /v3 response body. It does not hold the records: storing them reads the
// file again.
type Recording struct {
	Path      string // of the file
	Operation string
	variables map[string]any
	op        *rest.Operation
	checked   os.FileInfo
	list      importer.List // nil if the body is read as a whole
	records   int
}

// ReadRecordings reads recorded /v3 response bodies and stores nothing. args is the name of an operation and a file, or
// files and folders whose file names give the endpoint. variables supply values that a body lacks. Progress goes to
// out.
func ReadRecordings(args []string, variables map[string]any, out io.Writer) ([]Recording, error) {
	ops := rest.Load(generated.NewExecutableSchema(generated.Config{}).Schema())
	recordings, err := findRecordings(ops, args, out)
	if err != nil {
		return nil, err
	}
	if len(recordings) == 0 {
		return nil, errors.New("no file is named after an endpoint (nothing was stored)")
	}
	for name := range variables {
		if !slices.ContainsFunc(recordings, func(r Recording) bool { return ops[r.Operation].HasVariable(name) }) {
			return nil, config.Usagef("--var: no operation has the variable %s", name)
		}
	}
	for n := range recordings {
		r := &recordings[n]
		r.op = ops[r.Operation]
		maps.Copy(r.variables, variables)
		if err := r.check(); err != nil {
			return nil, fmt.Errorf("%q, read as a response of %s: %w (nothing was stored)", r.Path,
				endpointOf(r.Operation), withoutPath(err))
		}
		fmt.Fprintf(out, "read %d/%d  %-18s %6d records  %q\n", n+1, len(recordings), r.Operation, r.records, r.Path)
	}
	return recordings, nil
}

// StoreRecordings writes recordings to a store, replacing records with the same keys. It returns the number of records.
// It reports to progress which records the store still lacks to serve them, and which access rules changed.
func StoreRecordings(
	ctx context.Context, store *mongo.Store, recordings []Recording, progress *terminal.Progress,
) (total int, err error) {
	all, done := 0, 0
	for _, r := range recordings {
		all += r.records
	}
	stored := func(records int) {
		done += records
		progress.Report("storing records", done, all)
	}
	var notes []func(context.Context, *mongo.Store) (string, error)
	for n := range recordings {
		r := &recordings[n]
		var note func(context.Context, *mongo.Store) (string, error)
		before := done
		err := Retry(ctx, func() (err error) {
			done = before
			note, err = r.store(ctx, store, progress, stored)
			return err
		})
		if err != nil {
			return total, fmt.Errorf("%q: %w (%d of %d files were stored before it; importing again is safe)", r.Path,
				withoutPath(err), n, len(recordings))
		}
		if note != nil {
			notes = append(notes, note)
		}
		total += r.records
	}
	for _, note := range notes {
		text, err := note(ctx, store)
		if err != nil {
			return total, err
		}
		if text != "" {
			fmt.Fprintln(progress, "note:", text)
		}
	}
	return total, nil
}

// withoutPath returns the cause of a file error, without the file name that the message already quotes.
func withoutPath(err error) error {
	if file := (*fs.PathError)(nil); errors.As(err, &file) {
		return file.Err
	}
	return err
}

// endpointOf returns the endpoint that runs an operation, such as GET /v3/guild/{query}.
func endpointOf(operation string) string {
	i := slices.IndexFunc(rest.Rows, func(row rest.Row) bool { return row.Operation == operation })
	return rest.Rows[i].Method + " /v3" + rest.Rows[i].Path
}

func findRecordings(ops map[string]*rest.Operation, args []string, out io.Writer) ([]Recording, error) {
	if len(args) == 0 {
		return nil, config.Usagef("import requires a file or a folder")
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
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("there is no file or folder %q", arg)
		}
		if err != nil {
			return nil, err
		}
		files := []string{arg}
		if info.IsDir() {
			if files, err = jsonFiles(arg); err != nil {
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

// jsonFiles returns the paths of the .json files in a folder.
func jsonFiles(folder string) (paths []string, err error) {
	entries, err := os.ReadDir(folder) // Glob would treat the folder's name as a pattern
	for _, e := range entries {
		if filepath.Ext(e.Name()) == ".json" {
			paths = append(paths, filepath.Join(folder, e.Name()))
		}
	}
	return paths, err
}

// check reads the whole file and stores nothing.
func (r *Recording) check() error {
	file, err := userfile.Open(r.Path)
	if err != nil {
		return err
	}
	defer file.Close()
	if r.checked, err = file.Stat(); err != nil {
		return err
	}
	r.list = importer.NewList(r.op.RootField())
	if r.list == nil {
		whole, err := r.whole(file)
		if err == nil {
			r.records = whole.Records
		}
		return err
	}
	err = r.op.ReverseEach(file, r.variables, r.list.Check)
	r.records = r.list.Records()
	return err
}

// store reads the file again and stores its records. It calls stored with their number and returns Import.Note.
func (r *Recording) store(
	ctx context.Context, store *mongo.Store, out io.Writer, stored func(records int),
) (note func(context.Context, *mongo.Store) (string, error), err error) {
	file, err := userfile.Open(r.Path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() != r.checked.Size() || !info.ModTime().Equal(r.checked.ModTime()) {
		return nil, errors.New("the file was changed after it had been checked")
	}
	if r.list == nil {
		whole, err := r.whole(file)
		if err != nil {
			return nil, err
		}
		if err := whole.Apply(ctx, store); err != nil {
			return nil, err
		}
		for _, change := range whole.Changes {
			fmt.Fprintln(out, "changed:", change)
		}
		stored(whole.Records)
		return whole.Note, nil
	}
	var failed error
	err = r.op.ReverseEach(file, r.variables, func(record json.RawMessage) error {
		failed = r.list.Store(ctx, store, record)
		stored(1)
		return failed
	})
	if err = cmp.Or(failed, err); err != nil {
		return nil, err
	}
	return nil, r.list.Close(ctx, store)
}

// whole reads a body that is not a list of records.
func (r *Recording) whole(file io.Reader) (*importer.Import, error) {
	body, err := io.ReadAll(io.LimitReader(file, transform.MaxRecord+1))
	if err != nil {
		return nil, err
	}
	if len(body) > transform.MaxRecord {
		return nil, fmt.Errorf("larger than %d MB", transform.MaxRecord>>20)
	}
	data, err := r.op.Reverse(body, r.variables)
	if err != nil {
		return nil, err
	}
	return importer.Read(r.op.RootField(), data, r.variables)
}
