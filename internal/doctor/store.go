package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/dustin/go-humanize"

	"gamedata/internal/app"
	"gamedata/internal/auth"
	"gamedata/internal/config"
	"gamedata/internal/demo"
	"gamedata/internal/dump"
	"gamedata/internal/jobs"
	"gamedata/mongo"
	"gamedata/mongo/conn"
	"gamedata/mongo/embedded"
)

const (
	// maxSkew is the largest difference allowed between the clocks of store and service: codes expire after five
	// minutes.
	maxSkew = 5 * time.Second
	// Bytes left on the disk of an embedded store.
	littleSpace, noSpace = 2 << 30, 64 << 20
	// minFiles is the recommended limit of open files for a process that serves many connections.
	minFiles = 4096
	// startTimeout bounds the wait for the store.
	startTimeout = 5 * time.Second
)

func examineStore(ctx context.Context, c *config.Service) []Finding {
	settings := c.Store
	if settings.MongoURI == "" {
		if !embedded.Has(settings.DataDir) {
			return []Finding{ok("store", "embedded; the first start creates it in "+settings.DataDir)}
		}
	}
	settings.Timeout = 10 * time.Second
	start, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	db, err := app.InspectStore(start, &settings)
	if err != nil {
		return []Finding{fail("store", err.Error(), storeRemedy(&settings, err))}
	}
	out := []Finding{ok("store", db.Name)}
	if settings.MongoURI == "" {
		out = []Finding{examineFile(ctx, db, &settings)}
	}
	out = append(out, examineTransactions(db)...)
	unused, err := db.Unused(ctx)
	switch {
	case out[0].Verdict != OK:
	case err == nil && unused:
		out[0].Message += ", empty; the first start prepares it"
		out = append(out, examineClock(ctx, db))
	default:
		out = append(out, examineIndexes(ctx, db), examineClock(ctx, db), examineRecords(ctx, db))
		out = append(out, examineUnfinished(ctx, db)...)
		out = append(out, examinePepper(ctx, db, c)...)
	}
	if settings.MongoURI == "" && embedded.Exposed(settings.DataDir) {
		out = append(out, warn("data-dir", "other users can write to "+settings.DataDir, "run chmod o-w "+settings.DataDir))
	}
	if err := db.Close(); err != nil {
		out = append(out, warn("store", err.Error(), ""))
	}
	return out
}

func examineTransactions(db *app.Store) []Finding {
	if db.Transactional() {
		return nil
	}
	return []Finding{warn("transactions", mongo.NoTransactions, "see docs/mongodb-and-scaling.md")}
}

// examineUnfinished reports what was interrupted while it filled the store.
func examineUnfinished(ctx context.Context, db *app.Store) (out []Finding) {
	if err := dump.CheckWhole(ctx, db.Store); err != nil {
		out = append(out, fail("import", err.Error(), "run the same gamedata import again, or start with an empty store"))
	}
	if unfinished, err := demo.Unfinished(ctx, db.Store); err == nil && unfinished {
		out = append(out, warn("demo world", "its creation was interrupted", "run gamedata seed, or serve --demo"))
	}
	return out
}

// examinePepper reports a pepper that does not match the store's credentials.
func examinePepper(ctx context.Context, db *app.Store, c *config.Service) []Finding {
	pepper, err := c.Pepper.Read()
	if err != nil {
		return nil // examineSecrets reports it
	}
	if _, err = auth.New(db.Store, auth.Options{Pepper: pepper}).CheckPepper(ctx); err == nil {
		return nil
	}
	if errors.Is(err, auth.ErrOtherPepper) {
		err = errors.New("differs from the last start's: all tokens, sessions and codes issued are invalid")
	}
	return []Finding{warn("pepper", err.Error(),
		"set --pepper-file to the file of the earlier pepper, or create new credentials")}
}

// storeRemedy suggests a fix for a store that cannot be opened.
func storeRemedy(settings *config.Store, err error) string {
	switch {
	case errors.Is(err, embedded.ErrInUse):
		return "stop the process that uses it, or restart that process if it should share the store"
	case errors.Is(err, embedded.ErrDamaged), errors.Is(err, conn.ErrDamaged):
		return restoreRemedy(settings.DataDir) + fmt.Sprintf("; without one, move %s aside and start anew", settings.DataDir)
	case settings.MongoURI == "":
		return "check that the directory and its files belong to this user, and that gamedata.db is a file"
	}
	return "check that MongoDB runs and that this machine can reach it at --mongo-uri"
}

func restoreRemedy(dir string) string {
	return "stop the service and restore a backup with: gamedata restore FILE --replace --data-dir " + dir
}

// examineFile reads all of the embedded store.
func examineFile(ctx context.Context, db *app.Store, settings *config.Store) Finding {
	if err := db.Verify(ctx); err != nil {
		dir := settings.DataDir
		return fail("store", err.Error(), restoreRemedy(dir)+fmt.Sprintf("; without one, check whether the game "+
			"data can still be exported: gamedata export DIR --data-dir %s; then move %s aside and start anew", dir, dir))
	}
	return ok("store", db.Name)
}

func examineIndexes(ctx context.Context, db *app.Store) Finding {
	problems, err := db.Indexes.Problems(ctx)
	if err != nil {
		return fail("indexes", err.Error(), "grant the user of --mongo-uri the role readWrite on the database")
	}
	if len(problems) > 0 {
		text, command := mongo.SummarizeIndexProblems(problems)
		return fail("indexes", text, "run "+command)
	}
	return ok("indexes", "complete")
}

// shownRecords is the number of malformed records that a report lists.
const shownRecords = 20

// examineRecords decodes the records of the game.
func examineRecords(ctx context.Context, db *app.Store) Finding {
	malformed, err := db.Export.Malformed(ctx)
	if err != nil {
		return warn("records", err.Error(), "")
	}
	if len(malformed) == 0 {
		return ok("records", "all can be decoded")
	}
	text := fmt.Sprintf("%d cannot be decoded and are left out of lists", len(malformed))
	for _, bad := range malformed[:min(len(malformed), shownRecords)] {
		text += "; " + bad.Error()
	}
	return warn("records", text, "correct the fields that the errors name, see docs/collections.md")
}

func examineClock(ctx context.Context, db *app.Store) Finding {
	started := time.Now()
	at, err := db.Clock(ctx)
	if err != nil {
		return warn("clock", err.Error(), "")
	}
	return skew(at.Sub(started.Add(time.Since(started) / 2)))
}

// skew checks the difference between the store's clock and this machine's.
func skew(by time.Duration) Finding {
	difference := "differs from the store's by " + by.Abs().Round(time.Millisecond).String()
	if by.Abs() > maxSkew {
		return fail("clock", difference+": codes and sessions expire too early or too late",
			"synchronise the clocks of both machines by NTP")
	}
	return ok("clock", difference)
}

func examineRedis(_ context.Context, c *config.Service) []Finding {
	counters, err := app.OpenCounters(&c.RedisURL, discard)
	if err != nil {
		return []Finding{fail("redis", err.Error(), "give an address such as redis://localhost:6379/0")}
	}
	defer counters.Close()
	if counters.Redis == nil {
		return nil
	}
	if err := counters.Redis.Check(); err != nil {
		return []Finding{warn("redis", err.Error(),
			"check that Redis runs and that this machine can reach it; until then each instance counts alone")}
	}
	return []Finding{ok("redis", "reachable")}
}

// examineTempDir checks that the full refresh of the leaderboards can write temporary files. The directory of an
// embedded store may not exist yet.
func examineTempDir(_ context.Context, c *config.Service) []Finding {
	if _, err := os.Stat(c.Store.DataDir); c.LeaderboardRefresh == 0 || c.Store.MongoURI == "" && err != nil {
		return nil
	}
	if err := jobs.CheckTempDir(c.Store.TempDir()); err != nil {
		return []Finding{fail("temporary files", err.Error(), "")}
	}
	return []Finding{ok("temporary files", "can be written in "+cmp.Or(c.Store.TempDir(), os.TempDir()))}
}

// examineDisk checks the free space for an embedded store.
func examineDisk(_ context.Context, c *config.Service) []Finding {
	if c.Store.MongoURI != "" {
		return nil
	}
	// The directory may not exist yet: look at its nearest existing parent.
	dir, err := filepath.Abs(c.Store.DataDir)
	for err == nil {
		if _, stat := os.Stat(dir); stat == nil || filepath.Dir(dir) == dir {
			break
		}
		dir = filepath.Dir(dir)
	}
	left, known := embedded.DiskSpace(dir)
	if err != nil || !known {
		return nil
	}
	message := fmt.Sprintf("%s free on the disk of %s", humanize.IBytes(left), c.Store.DataDir)
	switch {
	case left < noSpace:
		return []Finding{fail("disk", message, "free some space, or choose another disk with --data-dir")}
	case left < littleSpace:
		return []Finding{warn("disk", message, "free some space before the store grows")}
	}
	return []Finding{ok("disk", message)}
}

// examineLimits checks the limit of open files: each connection counts as a file.
func examineLimits(context.Context, *config.Service) []Finding {
	files, known := maxOpenFiles()
	if !known {
		return nil
	}
	message := fmt.Sprintf("the process may open %d files; each connection counts as one", files)
	if files < minFiles {
		return []Finding{warn("files", message, "run ulimit -n 65536, or set LimitNOFILE=65536 in the unit")}
	}
	return []Finding{ok("files", message)}
}
