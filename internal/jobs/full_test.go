package jobs_test

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"strings"
	"syscall"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/internal/jobs"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// withFile are options by which a full refresh of a small world sorts in a file.
func withFile(t testing.TB) jobs.Options {
	return jobs.Options{Full: true, SortMemory: 2 << 10, TempDir: t.TempDir()}
}

// A full refresh gives what is computed from the records in the simplest way, whatever the boards were
// before. It writes only the pages that change, and leaves no files.
func TestFullRefreshWithFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 400)
	o := withFile(t)
	r := rand.New(rand.NewPCG(21, 22))
	all := w.all(t, mongo.RankedPlayers)
	for round, n := range []int{0, 0, 1, 40, 400} {
		w.play(t, r, n)
		if round == 3 {
			// Deleted, without a mark.
			w.remove(t, "players", all[7])
			w.remove(t, "playerStandings", all[9])
			w.set(t, "playerStandings", all[11], bson.D{{Key: "entries", Value: []byte{9}}})
			mongotest.Value(w.raw.Collection("playerStandings").InsertOne(t.Context(), bson.D{
				{Key: "_id", Value: "no uuid"}, {Key: "epoch", Value: int64(1)}, {Key: "entries", Value: []byte{9}},
			}))(t)
			w.loseFirstPage(t, "warsCompletion")
		}
		report := w.refresh(t, o)
		w.checkBoards(t, all[20:40]...)
		switch {
		case round == 0 && report.Pages == 0:
			t.Error("the first refresh wrote no page")
		case round == 1 && report.Pages > 2: // play changes a guild
			t.Errorf("nothing changed, but %d pages were written", report.Pages)
		case round == 2 && report.Pages > 60:
			t.Errorf("one player changed, and %d pages were written", report.Pages)
		}
		if t.Failed() {
			t.Fatalf("in round %d", round)
		}
		w.checkPages(t)
	}
	checkEmpty(t, o.TempDir)
}

// smallDisk has space for some bytes, which deleted files do not give back.
type smallDisk struct {
	dir  string
	left int
}

func (d *smallDisk) create() (jobs.File, error) {
	f, err := os.CreateTemp(d.dir, "")
	return &smallFile{f, d}, err
}

type smallFile struct {
	*os.File
	disk *smallDisk
}

func (f *smallFile) Write(b []byte) (int, error) {
	n, err := f.File.Write(b[:min(len(b), f.disk.left)])
	f.disk.left -= n
	if err == nil && n < len(b) {
		err = &fs.PathError{Op: "write", Path: f.Name(), Err: syscall.ENOSPC}
	}
	return n, err
}

// A disk that becomes full while a refresh sorts ends it with an error that says so, and leaves no file. The next one
// begins again.
func TestFullRefreshOnFullDisk(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 200)
	w.refresh(t, jobs.Options{})
	r := rand.New(rand.NewPCG(23, 24))
	o, failed, last := withFile(t), map[string]int{}, ""
	o.Full = false
	o.Progress = func(step string, _, _ int) { last, _, _ = strings.Cut(step, " ") }
	for size := 0; ; size += 60_000 {
		w.play(t, r, 2)
		disk := &smallDisk{o.TempDir, size}
		_, err := jobs.Ranks(t.Context(), w.Store, now, o.WithFiles(disk.create))
		checkEmpty(t, o.TempDir)
		if err == nil {
			break
		}
		if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "sorting in a temporary file: ") {
			t.Fatalf("with %d bytes: got %v, want no space left", size, err)
		}
		failed[last]++
		if state := w.state(t); !state.Unfinished || !state.RanksAt.IsZero() {
			t.Fatalf("with %d bytes: got the state %+v", size, state)
		}
	}
	if failed["sorting"]+failed["reading"] == 0 || failed["writing"] == 0 {
		t.Errorf("got failures after %v, want some before and after the boards were written", failed)
	}
	w.checkBoards(t, w.all(t, mongo.RankedPlayers)[:20]...)
}

// With very many changes a refresh is full, because the memory of an incremental one grows with them.
func TestManyChanges(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 100)
	w.refresh(t, jobs.Options{})
	for _, c := range []struct {
		wars int64
		most int
		full bool
	}{{5, 99, true}, {6, 100, false}} {
		w.setAll(t, "players", bson.D{{Key: "globalData.wars", Value: c.wars}, {Key: "flagged", Value: true}})
		if r := w.refresh(t, jobs.Options{MaxChanges: c.most}); r.Full != c.full {
			t.Errorf("100 changes of at most %d: got %+v", c.most, r)
		}
		w.checkBoards(t, w.all(t, mongo.RankedPlayers)[:5]...)
		if left := w.count(t, "playerStandings", bson.D{{Key: "pending", Value: true}}); left > 0 {
			t.Errorf("%d standings are pending", left)
		}
	}
}
