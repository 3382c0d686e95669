package publicdump

import (
	"context"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"gamedata/graph"
	"gamedata/graph/viewer"
)

const (
	// pageSize is the number of records that one operation reads. It determines the memory needed, whatever the size of
	// the store.
	pageSize = 200
	// maxEntries bounds the entries of each leaderboard.
	maxEntries = 10_000
	// pageTimeout limits one operation.
	pageTimeout = time.Minute

	dirPermission, filePermission = 0o755, 0o644
)

//go:embed operations/*.graphql
var operations embed.FS

// Options configure Write.
type Options struct {
	// Program and Now are written into the manifest.
	Program string
	Now     time.Time
	// Progress, when set, is called with the number of lines of a file.
	Progress func(name string, done, total int)
}

// Write writes a new generation of files into dir and removes old ones. It creates dir if it is missing. If Write
// fails, the latest generation stays; the next Write removes the incomplete files.
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
	for _, d := range dumps {
		if err := w.write(d.name, d.each); err != nil {
			return nil, fmt.Errorf("%s: %w", d.name, err)
		}
	}
	text, err := m.text()
	if err != nil {
		return nil, err
	}
	// The handler reads the hashes of an older generation from the manifest beside its files.
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
	return m, RemoveOld(dir)
}

type writer struct {
	ctx      context.Context
	exec     *graph.Executor
	dir      string
	manifest *Manifest
	options  Options
}

// lineFunc writes a line: a JSON object.
type lineFunc func(json.RawMessage) error

// dumps lists the dumps; each calls a lineFunc with every line.
var dumps = []struct {
	name string
	each func(*writer, lineFunc) error
}{
	{"players", nodesOf("Players")},
	{"guilds", nodesOf("Guilds")},
	{"items", nodesOf("Items")},
	{"territories", nodesOf("Territories")},
	{"leaderboards", (*writer).eachEntry},
}

// nodesOf returns a function that calls line with each node of an operation's list.
func nodesOf(operation string) func(*writer, lineFunc) error {
	return func(w *writer, line lineFunc) error {
		return w.eachNode(operation, nil, math.MaxInt, line)
	}
}

// write writes the files of one dump, one for each encoding.
func (w *writer) write(name string, each func(*writer, lineFunc) error) error {
	outputs := make([]*output, len(encodings))
	writers := make([]io.Writer, len(encodings))
	for i, e := range encodings {
		out, err := newOutput(filepath.Join(w.dir, name+".ndjson"+e.suffix), e.compress)
		if err != nil {
			return err
		}
		defer out.file.Close() // already closed unless the file failed
		outputs[i], writers[i] = out, out.compressor
	}
	to := io.MultiWriter(writers...)
	rows, size := 0, int64(0)
	err := each(w, func(record json.RawMessage) error {
		rows++
		size += int64(len(record)) + 1
		if w.options.Progress != nil && rows%1000 == 0 {
			w.options.Progress(name, rows, 0)
		}
		_, err := to.Write(append(record, '\n'))
		return err
	})
	if err != nil {
		return err
	}
	for i, out := range outputs {
		if err := out.close(); err != nil {
			return err
		}
		w.manifest.Files = append(w.manifest.Files, File{
			Name: name, Path: path.Join(w.manifest.generation(), filepath.Base(out.file.Name())), Encoding: encodings[i].name,
			Rows: int64(rows), Bytes: out.size, SHA256: hex.EncodeToString(out.sum.Sum(nil)), UncompressedBytes: size,
		})
	}
	return nil
}

// connection is a page of an operation's list, whose response key is page.
type connection struct {
	PageInfo struct {
		HasNextPage bool
		EndCursor   string
	}
	Nodes []json.RawMessage
}

// eachNode calls line with each node of an operation's list, up to limit nodes.
func (w *writer) eachNode(operation string, of map[string]any, limit int, line lineFunc) error {
	text, err := operations.ReadFile("operations/" + operation + ".graphql")
	if err != nil {
		return err
	}
	op, invalid := w.exec.Parse(string(text), operation)
	if len(invalid) > 0 {
		return invalid
	}
	variables := map[string]any{"first": pageSize}
	maps.Copy(variables, of)
	for limit > 0 {
		page, err := w.page(op, variables)
		if err != nil {
			return err
		}
		nodes := page.Nodes[:min(limit, len(page.Nodes))]
		for _, node := range nodes {
			if err := line(node); err != nil {
				return err
			}
		}
		if !page.PageInfo.HasNextPage {
			return nil
		}
		limit -= len(nodes)
		variables = maps.Clone(variables)
		variables["after"] = page.PageInfo.EndCursor
	}
	return nil
}

// page runs an operation and returns its list, a root field or a field of a leaderboard. A removed leaderboard is null.
func (w *writer) page(op *graph.Operation, variables map[string]any) (*connection, error) {
	ctx, cancel := context.WithTimeout(w.ctx, pageTimeout)
	defer cancel()
	response := w.exec.Run(ctx, op, variables)
	if len(response.Errors) > 0 {
		return nil, response.Errors
	}
	var data struct {
		Page        connection
		Leaderboard struct{ Page connection }
	}
	err := json.Unmarshal(response.Data, &data)
	if data.Page.Nodes == nil {
		data.Page = data.Leaderboard.Page
	}
	return &data.Page, err
}

// eachEntry calls line with each entry of every leaderboard, and adds the leaderboard's type as the first member.
func (w *writer) eachEntry(line lineFunc) error {
	return w.eachNode("Leaderboards", nil, math.MaxInt, func(node json.RawMessage) error {
		var board struct{ Type string }
		if err := json.Unmarshal(node, &board); err != nil {
			return err
		}
		begin := []byte(`{"leaderboard":` + strconv.Quote(board.Type) + `,`)
		of := map[string]any{"type": board.Type}
		return w.eachNode("Leaderboard", of, maxEntries, func(node json.RawMessage) error {
			return line(slices.Concat(begin, node[1:]))
		})
	})
}
