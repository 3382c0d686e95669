package jobs

import (
	"bufio"
	"bytes"
	"container/heap"
	"errors"
	"fmt"
	"io"
	"os"
	"sort"
)

// sortMemory is how many bytes of records a sorter holds in memory.
const sortMemory = 32 << 20

// sorter sorts records of one size by their bytes. When they exceed its memory, it writes sorted runs to one temporary
// file and merges them.
type sorter struct {
	size, limit int
	create      func() (file, error)
	records     []byte // in memory
	file        file
	written     int64   // to the file
	runs        []int64 // where each run ends in the file
}

// file lists the methods of os.File that a sorter uses.
type file interface {
	io.Writer
	io.ReaderAt
	io.Closer
	Name() string
}

// createIn returns a function that creates a temporary file in a directory, os.TempDir if empty.
func createIn(dir string) func() (file, error) {
	return func() (file, error) { return os.CreateTemp(dir, "gamedata-sort-*") }
}

// CheckTempDir checks that the full refresh can create temporary files in a directory, os.TempDir if empty. The error
// says what to do.
func CheckTempDir(dir string) error {
	f, err := createIn(dir)()
	if err != nil {
		return fmt.Errorf("the leaderboards need a directory for temporary files: %w: set TMPDIR to one with space "+
			"(of an embedded store it is --data-dir)", err)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

func newSorter(size, memory int, create func() (file, error)) *sorter {
	return &sorter{size: size, limit: max(memory/size, 1) * size, create: create}
}

func (j *job) newSorter(size int) *sorter { return newSorter(size, j.SortMemory, j.createTemp) }

func (s *sorter) add(record []byte) error {
	if len(s.records) == s.limit {
		if err := s.spill(); err != nil {
			return fmt.Errorf("sorting in a temporary file: %w", err)
		}
	}
	if n := len(s.records) + s.size; n > cap(s.records) && n > s.limit/8 {
		s.records = append(make([]byte, 0, s.limit), s.records...) // full size: growing leaves copies
	}
	s.records = append(s.records, record...)
	return nil
}

// spill writes the records in memory as a run.
func (s *sorter) spill() error {
	if s.file == nil {
		file, err := s.create()
		if err != nil {
			return err
		}
		// An unlinked file disappears with the process, even after a crash. Where an open file cannot be removed, close
		// does it.
		_ = os.Remove(file.Name())
		s.file = file
	}
	s.sortRecords()
	if _, err := s.file.Write(s.records); err != nil {
		return err
	}
	s.written += int64(len(s.records))
	s.runs = append(s.runs, s.written)
	s.records = s.records[:0]
	return nil
}

func (s *sorter) sortRecords() { sort.Sort(records{s.records, s.size, make([]byte, s.size)}) }

// sorted returns all records in order. Add no records after it.
func (s *sorter) sorted() (*stream, error) {
	readers, err := s.readers()
	if err != nil {
		return nil, fmt.Errorf("sorting in a temporary file: %w", err)
	}
	out := &stream{}
	for _, reader := range readers {
		run := &sortedRun{reader, make([]byte, s.size)}
		if more, err := run.next(); err != nil {
			return nil, err
		} else if more {
			out.runs = append(out.runs, run)
		}
	}
	heap.Init(&out.runs)
	return out, nil
}

// stream iterates over sorted records.
type stream struct{ runs merge }

// record returns the current record, nil at the end. It is valid until advance.
func (s *stream) record() []byte {
	if len(s.runs) == 0 {
		return nil
	}
	return s.runs[0].record
}

func (s *stream) advance() error {
	more, err := s.runs[0].next()
	switch {
	case err != nil:
		return err
	case more:
		heap.Fix(&s.runs, 0)
	default:
		heap.Pop(&s.runs)
	}
	return nil
}

// readers returns readers of the sorted runs.
func (s *sorter) readers() (readers []io.Reader, err error) {
	if s.file == nil {
		s.sortRecords()
		return []io.Reader{bytes.NewReader(s.records)}, nil
	}
	if err := s.spill(); err != nil {
		return nil, err
	}
	s.records = nil
	buffer, start := min(max(s.limit/len(s.runs), 4<<10), 256<<10), int64(0)
	for _, end := range s.runs {
		readers = append(readers, bufio.NewReaderSize(io.NewSectionReader(s.file, start, end-start), buffer))
		start = end
	}
	return readers, nil
}

// close removes the temporary file.
func (s *sorter) close() {
	if s.file != nil {
		_ = s.file.Close()
		_ = os.Remove(s.file.Name())
	}
}

// records sorts records of one size in place.
type records struct {
	bytes []byte
	size  int
	spare []byte
}

func (r records) Len() int        { return len(r.bytes) / r.size }
func (r records) at(i int) []byte { return r.bytes[i*r.size : (i+1)*r.size] }

func (r records) Less(i, j int) bool { return bytes.Compare(r.at(i), r.at(j)) < 0 }

func (r records) Swap(i, j int) {
	copy(r.spare, r.at(i))
	copy(r.at(i), r.at(j))
	copy(r.at(j), r.spare)
}

// sortedRun is a run in the file, with its next record.
type sortedRun struct {
	reader io.Reader
	record []byte
}

// next reads the next record; false at the end.
func (r *sortedRun) next() (bool, error) {
	_, err := io.ReadFull(r.reader, r.record)
	if errors.Is(err, io.EOF) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("sorting in a temporary file: %w", err)
	}
	return true, nil
}

// merge is a heap of runs by their next record.
type merge []*sortedRun

func (m merge) Len() int           { return len(m) }
func (m merge) Less(i, j int) bool { return bytes.Compare(m[i].record, m[j].record) < 0 }
func (m merge) Swap(i, j int)      { m[i], m[j] = m[j], m[i] }
func (m *merge) Push(run any)      { *m = append(*m, run.(*sortedRun)) }

func (m *merge) Pop() any {
	last := len(*m) - 1
	run := (*m)[last]
	*m = (*m)[:last]
	return run
}
