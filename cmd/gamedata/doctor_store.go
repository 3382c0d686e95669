package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gamedata/mongo/embedded"
)

const (
	// maxSkew is how far the clocks may be apart: codes live five minutes.
	maxSkew = 5 * time.Second
	// littleRoom and noRoom are bytes left on the disk of an embedded store.
	littleRoom, noRoom = 2 << 30, 64 << 20
	// fewFiles is how many files a process that serves many connections should be allowed.
	fewFiles = 4096
)

// examineStore looks at the store, its indexes and its clock.
func (f *serveFlags) examineStore(ctx context.Context) []finding {
	if f.store.mongoURI == "" {
		if _, err := os.Stat(f.store.dataDir); errors.Is(err, fs.ErrNotExist) {
			return []finding{{well, "store", "embedded, made in " + f.store.dataDir + " by the first start", ""}}
		}
	}
	patient := f.store
	patient.timeout, patient.selection = 10*time.Second, 3*time.Second
	patient.start = min(patient.start, 5*time.Second)
	db, err := patient.join(ctx)
	if err != nil {
		remedy := "see that MongoDB runs and that this machine may reach it; --mongo-uri says where it is"
		switch {
		case errors.Is(err, embedded.ErrInUse):
			remedy = "stop the process that has it, or start that one again if it should let others in"
		case f.store.mongoURI == "":
			remedy = "see that the directory and its files belong to this user; a damaged store is replaced by: gamedata restore FILE --replace"
		}
		return []finding{{fails, "store", err.Error(), remedy}}
	}
	out := []finding{{well, "store", db.name, ""}}
	switch missing, err := db.MissingIndexes(ctx); {
	case err != nil:
		out = append(out, finding{
			fails, "indexes", err.Error(),
			"grant the user of --mongo-uri the role readWrite on the database",
		})
	case len(missing) > 0:
		out = append(out, finding{
			fails, "indexes", "missing: " + strings.Join(missing, ", "),
			"start an instance: it makes them",
		})
	default:
		out = append(out, finding{well, "indexes", "all there", ""})
	}
	begun := time.Now()
	if at, err := db.Clock(ctx); err != nil {
		out = append(out, finding{doubtful, "clock", err.Error(), ""})
	} else {
		out = append(out, skewed(at.Sub(begun.Add(time.Since(begun)/2))))
	}
	if err := db.close(); err != nil {
		out = append(out, finding{doubtful, "store", err.Error(), ""})
	}
	return out
}

// skewed tells of how far the store's clock is ahead.
func skewed(by time.Duration) finding {
	if by.Abs() > maxSkew {
		return finding{fails, "clock", fmt.Sprintf("differs from the store's by %s: codes and sessions end too early or too late", by.Abs().Round(time.Millisecond)), "let NTP set the clocks of both machines"}
	}
	return finding{well, "clock", "differs from the store's by " + by.Abs().Round(time.Millisecond).String(), ""}
}

// examineRedis looks at what instances count rate limits in.
func (f *serveFlags) examineRedis(context.Context) []finding {
	counting, err := f.counting.open(nobody)
	if err != nil {
		return []finding{{fails, "redis", err.Error(), "give an address such as redis://localhost:6379/0"}}
	}
	defer counting.close()
	if counting.shared == nil {
		return nil
	}
	if err := counting.shared.Check(); err != nil {
		return []finding{{
			doubtful, "redis", err.Error(),
			"see that Redis runs and that this machine may reach it; until then each instance counts alone",
		}}
	}
	return []finding{{well, "redis", "answers", ""}}
}

// examineDisk looks at the room for an embedded store.
func (f *serveFlags) examineDisk(context.Context) []finding {
	if f.store.mongoURI != "" {
		return nil
	}
	// The directory may have to be made: what counts is the nearest that is there.
	dir, err := filepath.Abs(f.store.dataDir)
	for err == nil {
		if _, stat := os.Stat(dir); stat == nil || filepath.Dir(dir) == dir {
			break
		}
		dir = filepath.Dir(dir)
	}
	left, known := roomOn(dir)
	if err != nil || !known {
		return nil
	}
	text := fmt.Sprintf("%d MiB left on the disk of %s", left>>20, f.store.dataDir)
	switch {
	case left < noRoom:
		return []finding{{fails, "disk", text, "make room, or choose another disk with --data-dir"}}
	case left < littleRoom:
		return []finding{{doubtful, "disk", text, "make room before the store grows"}}
	}
	return []finding{{well, "disk", text, ""}}
}

// examineLimits looks at how many files the process may open: each connection is one.
func examineLimits(context.Context) []finding {
	files, known := filesAllowed()
	switch {
	case !known:
		return nil
	case files < fewFiles:
		return []finding{{
			doubtful, "files", fmt.Sprintf("the process may open %d: each connection is one", files),
			"ulimit -n 65536, or LimitNOFILE=65536 in the unit",
		}}
	}
	return []finding{{well, "files", fmt.Sprintf("the process may open %d", files), ""}}
}
