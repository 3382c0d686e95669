package publicdump

import (
	"bufio"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gamedata/graph"
	"gamedata/graph/viewer"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

const (
	// pageSize is the number of records that one operation reads: memory depends on it, not on the store.
	pageSize = 200
	// maxEntries bounds the entries of each leaderboard.
	maxEntries = 10_000
	// pageTimeout bounds an operation.
	pageTimeout = time.Minute
	// generations is the number of generations that a directory keeps: a client that has read a manifest gets its
	// files while the next generation is written and afterwards.
	generations = 2

	dirPermission, filePermission = 0o755, 0o644
)

//go:embed operations/*.graphql
var operations embed.FS

// encodings are the formats of each file.
var encodings = []struct {
	name, suffix string
	compress     func(io.Writer) (io.WriteCloser, error)
}{
	{"zstd", ".zst", func(w io.Writer) (io.WriteCloser, error) {
		return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20))
	}},
	{"gzip", ".gz", func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil }},
}

// Options are those of Write.
type Options struct {
	// Program and Now are written into the manifest.
	Program string
	Now     time.Time
	// Progress, when set, is called with the number of lines of a file.
	Progress func(name string, done, total int)
}

// Write writes a new generation of files into dir, which is created if it is missing, and removes old ones. If it
// fails, the latest generation stays; what an interrupted one left is removed by the next.
func Write(ctx context.Context, exec *graph.Executor, dir string, o Options) (m *Manifest, err error) {
	m = &Manifest{
		Format: manifestFormat, SchemaVersion: SchemaVersion, Program: o.Program,
		GeneratedAt: o.Now.UTC().Truncate(time.Second),
	}
	temp := filepath.Join(dir, "."+m.generation()+".part")
	if err := removeParts(dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(temp, dirPermission); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	w := writer{ctx: viewer.With(ctx, viewer.Viewer{Kind: viewer.Guest}), exec: exec, dir: temp, manifest: m, options: o}
	for _, err := range []error{
		w.write("players", func(line func(json.RawMessage) error) error { return w.eachNode("Players", nil, line) }),
		w.write("guilds", func(line func(json.RawMessage) error) error { return w.eachNode("Guilds", nil, line) }),
		w.write("items", func(line func(json.RawMessage) error) error { return w.eachNode("Items", nil, line) }),
		w.write("territories", func(line func(json.RawMessage) error) error { return w.eachNode("Territories", nil, line) }),
		w.write("leaderboards", w.eachEntry),
	} {
		if err != nil {
			return nil, err
		}
	}
	text, err := m.text()
	if err != nil {
		return nil, err
	}
	// The manifest beside the files has the hashes that the handler sends for an older generation.
	if err := replaceFile(filepath.Join(temp, manifestName), text); err != nil {
		return nil, err
	}
	final := filepath.Join(dir, m.generation())
	if err := errors.Join(os.RemoveAll(final), os.Rename(temp, final)); err != nil {
		return nil, err
	}
	if err := replaceFile(filepath.Join(dir, manifestName), text); err != nil {
		return nil, err
	}
	return m, removeOld(dir)
}

// generationsIn returns the complete generations of a directory, oldest first, and the names of incomplete ones.
func generationsIn(dir string) (complete, parts []string, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil, nil
	}
	for _, e := range entries {
		name, isPart := strings.CutSuffix(strings.TrimPrefix(e.Name(), "."), ".part")
		if _, err := time.Parse(generationName, name); err != nil || !e.IsDir() {
			continue // not ours
		}
		if isPart {
			parts = append(parts, e.Name())
		} else {
			complete = append(complete, e.Name())
		}
	}
	return complete, parts, err
}

func removeParts(dir string) error {
	_, parts, err := generationsIn(dir)
	return errors.Join(err, removeAll(dir, parts))
}

func removeOld(dir string) error {
	complete, _, err := generationsIn(dir)
	return errors.Join(err, removeAll(dir, complete[:max(0, len(complete)-generations)]))
}

func removeAll(dir string, names []string) error {
	var errs []error
	for _, name := range names {
		errs = append(errs, os.RemoveAll(filepath.Join(dir, name)))
	}
	return errors.Join(errs...)
}

// writer writes the files of a generation.
type writer struct {
	ctx      context.Context
	exec     *graph.Executor
	dir      string
	manifest *Manifest
	options  Options
}

// write writes the files of a name, one for each encoding; each calls line with every line.
func (w *writer) write(name string, each func(line func(json.RawMessage) error) error) (err error) {
	outputs := make([]*output, len(encodings))
	writers := make([]io.Writer, len(encodings))
	for i, e := range encodings {
		if outputs[i], err = newOutput(filepath.Join(w.dir, name+".ndjson"+e.suffix), e.compress); err != nil {
			return err
		}
		defer outputs[i].file.Close() // already closed unless the file failed
		writers[i] = outputs[i].compressor
	}
	to := io.MultiWriter(writers...)
	rows, size := 0, int64(0)
	err = each(func(record json.RawMessage) error {
		rows++
		size += int64(len(record)) + 1
		if w.options.Progress != nil && rows%1000 == 0 {
			w.options.Progress(name, rows, 0)
		}
		_, err := to.Write(append(record, '\n'))
		return err
	})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for i, out := range outputs {
		if err := out.close(); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		w.manifest.Files = append(w.manifest.Files, File{
			Name: name, Path: path.Join(w.manifest.generation(), filepath.Base(out.file.Name())), Encoding: encodings[i].name,
			Rows: rows, Bytes: out.bytes, SHA256: hex.EncodeToString(out.sum.Sum(nil)), UncompressedBytes: size,
		})
	}
	return nil
}

// eachNode calls line with each node of the connection of an operation.
func (w *writer) eachNode(operation string, vars map[string]any, line func(json.RawMessage) error) error {
	text, err := operations.ReadFile("operations/" + operation + ".graphql")
	if err != nil {
		return err
	}
	op, invalid := w.exec.Parse(string(text), operation)
	if len(invalid) > 0 {
		return invalid
	}
	vars = withValue(vars, "first", pageSize)
	for {
		page, err := w.page(op, vars)
		if err != nil {
			return err
		}
		for _, node := range page.Nodes {
			if err := line(node); err != nil {
				return err
			}
		}
		if !page.PageInfo.HasNextPage {
			return nil
		}
		vars = withValue(vars, "after", page.PageInfo.EndCursor)
	}
}

func withValue(vars map[string]any, name string, value any) map[string]any {
	out := map[string]any{}
	maps.Copy(out, vars)
	out[name] = value
	return out
}

// connection is a page of a connection.
type connection struct {
	PageInfo struct {
		HasNextPage bool
		EndCursor   string
	}
	Nodes []json.RawMessage
}

// page runs an operation, whose data has one connection: of the root field or of a field in it.
func (w *writer) page(op *graph.Operation, vars map[string]any) (*connection, error) {
	ctx, cancel := context.WithTimeout(w.ctx, pageTimeout)
	defer cancel()
	response := w.exec.Run(ctx, op, vars)
	if len(response.Errors) > 0 {
		return nil, response.Errors
	}
	data := response.Data
	for {
		var c connection
		if err := json.Unmarshal(data, &c); err != nil {
			return nil, err
		}
		if c.Nodes != nil {
			return &c, nil
		}
		var members map[string]json.RawMessage
		if err := json.Unmarshal(data, &members); err != nil {
			return nil, err
		}
		if len(members) != 1 {
			return &connection{}, nil // the object is null
		}
		data = slices.Collect(maps.Values(members))[0]
	}
}

// errEnough ends a leaderboard at maxEntries.
var errEnough = errors.New("enough entries")

// eachEntry calls line with the entries of every leaderboard, which get its type as their first member.
func (w *writer) eachEntry(line func(json.RawMessage) error) error {
	var types []string
	err := w.eachNode("Leaderboards", nil, func(node json.RawMessage) error {
		var board struct{ Type string }
		err := json.Unmarshal(node, &board)
		types = append(types, board.Type)
		return err
	})
	if err != nil {
		return err
	}
	for _, board := range types {
		name, err := json.Marshal(board)
		if err != nil {
			return err
		}
		entries := 0
		err = w.eachNode("Leaderboard", map[string]any{"type": board}, func(node json.RawMessage) error {
			if entries++; entries > maxEntries {
				return errEnough
			}
			return line(slices.Concat([]byte(`{"leaderboard":`), name, []byte{','}, node[1:]))
		})
		if err != nil && !errors.Is(err, errEnough) {
			return fmt.Errorf("%s: %w", board, err)
		}
	}
	return nil
}

// output is a compressed file with the hash and the size of what is in it.
type output struct {
	compressor io.WriteCloser
	file       *os.File
	buffer     *bufio.Writer
	sum        hash.Hash
	bytes      int64
}

func newOutput(path string, compress func(io.Writer) (io.WriteCloser, error)) (*output, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, filePermission)
	if err != nil {
		return nil, err
	}
	out := &output{file: file, sum: sha256.New()}
	out.buffer = bufio.NewWriterSize(io.MultiWriter(file, out.sum, counter{&out.bytes}), 64<<10)
	if out.compressor, err = compress(out.buffer); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return out, nil
}

func (o *output) close() error {
	return errors.Join(o.compressor.Close(), o.buffer.Flush(), o.file.Sync(), o.file.Close())
}

// counter counts bytes.
type counter struct{ n *int64 }

func (c counter) Write(b []byte) (int, error) {
	*c.n += int64(len(b))
	return len(b), nil
}
