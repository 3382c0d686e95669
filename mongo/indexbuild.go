package mongo

import (
	"context"
	"fmt"
	"time"

	"gamedata/mongo/conn"

	driver "go.mongodb.org/mongo-driver/v2/mongo"
)

const (
	// smallCollection is the number of records up to which opening a store builds indexes.
	smallCollection = 20_000
	// buildAttempts is how often the build of an index is tried: some engines fail while another instance builds the
	// same index.
	buildAttempts = 5
	// buildRetry is the wait between two attempts.
	buildRetry = 500 * time.Millisecond
	// buildWait is how long opening a store waits for builds.
	buildWait = 10 * time.Second
	// buildProgress is the interval of progress reports.
	buildProgress = 10 * time.Second
)

// IndexBuild is the progress of the build of one index.
type IndexBuild struct {
	// Index is collection(field, field), Records the number of records of the collection.
	Index   string
	Records int64
	// Elapsed is the time since the build began. Done is set in the last report.
	Elapsed time.Duration
	Done    bool
}

// Build builds the missing indexes one after another; only ctx limits the time. With replace it drops conflicting
// indexes; without, each is an error. Several instances may build at once. It returns how many indexes it built.
// progress is called at the start and the end of each build and every ten seconds.
func (s *IndexStore) Build(ctx context.Context, replace bool, progress func(IndexBuild)) (int, error) {
	problems, err := s.Problems(ctx)
	if err != nil {
		return 0, err
	}
	b, err := s.newBuilder()
	if err != nil {
		return 0, err
	}
	defer b.close(ctx)
	built := 0
	for _, p := range problems {
		if p.Existing != "" {
			if !replace {
				return built, fmt.Errorf("%s; run %s to drop it and build the right one", p, p.Remedy())
			}
			if err := b.db.Collection(p.Collection).Indexes().DropOne(ctx, p.Existing); err != nil {
				return built, fmt.Errorf("%s: dropping the index %q: %w", p.Name(), p.Existing, conn.Translate(err))
			}
		}
		if err := b.build(ctx, p, progress); err != nil {
			return built, err
		}
		built++
	}
	return built, nil
}

// indexBuilder builds indexes over connections without a time limit.
type indexBuilder struct {
	store *Store
	db    *driver.Database
}

func (s *IndexStore) newBuilder() (*indexBuilder, error) {
	db, err := s.db.Unlimited()
	if err != nil {
		return nil, err
	}
	return &indexBuilder{s.store, db}, nil
}

func (b *indexBuilder) close(ctx context.Context) {
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = b.db.Client().Disconnect(end)
}

func (b *indexBuilder) build(ctx context.Context, p IndexProblem, progress func(IndexBuild)) error {
	records, _ := b.store.db.Collection(p.Collection).EstimatedCount(conn.WithLongTimeout(ctx))
	begun := time.Now()
	report := IndexBuild{Index: p.Name(), Records: records}
	progress(report)
	tick := time.NewTicker(buildProgress)
	defer tick.Stop()
	done := make(chan error, 1)
	go func() { done <- b.create(ctx, p.Collection, p.Index) }()
	for {
		select {
		case <-tick.C:
			report.Elapsed = time.Since(begun)
			progress(report)
		case err := <-done:
			report.Elapsed, report.Done = time.Since(begun), true
			if err == nil {
				progress(report)
			}
			return err
		}
	}
}

// create creates indexes of a collection. It succeeds if another instance has created them.
func (b *indexBuilder) create(ctx context.Context, collection string, indexes ...Index) error {
	for attempt := 1; ; attempt++ {
		_, err := b.db.Collection(collection).Indexes().CreateMany(ctx, each(indexes, Index.model))
		if err == nil {
			return nil
		}
		existing, listErr := b.store.Indexes.existing(ctx, collection)
		var problem *IndexProblem
		for _, ix := range indexes {
			if p := compareIndex(ix, existing); p != nil {
				problem = p
				p.Collection = collection
			}
		}
		switch {
		case listErr == nil && problem == nil:
			return nil
		case listErr == nil && problem.Existing != "":
			return fmt.Errorf("%s; run %s", problem, problem.Remedy())
		case attempt == buildAttempts || conn.IsDuplicateKey(err):
			return fmt.Errorf("building an index of %s: %w", collection, conn.Translate(err))
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(buildRetry):
		}
	}
}

// buildSmall builds the missing indexes of small collections. Builds continue while the store is open, but opening it
// waits no longer than buildWait: a replica set with a member down, for instance, finishes no build. Problems reports
// an unfinished index; opening does not fail.
func (s *IndexStore) buildSmall(ctx context.Context) error {
	missing, err := s.smallMissing(ctx)
	if err != nil || len(missing) == 0 {
		return err
	}
	b, err := s.newBuilder()
	if err != nil {
		return err
	}
	building, stop := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer b.close(building)
		for _, c := range Collections {
			if indexes := missing[c.Name]; len(indexes) > 0 && b.create(building, c.Name, indexes...) != nil {
				for _, ix := range indexes { // at least those without a problem
					_ = b.create(building, c.Name, ix)
				}
			}
		}
	}()
	s.store.stopBuilding = func() { stop(); <-done }
	select {
	case <-done:
	case <-time.After(buildWait):
	case <-ctx.Done():
		s.store.stopBuilding()
		return ctx.Err()
	}
	return nil
}

// smallMissing returns the missing indexes of small collections.
func (s *IndexStore) smallMissing(ctx context.Context) (map[string][]Index, error) {
	problems, err := s.Problems(ctx)
	if err != nil {
		return nil, err
	}
	missing, large := map[string][]Index{}, map[string]bool{}
	for _, p := range problems {
		if _, known := missing[p.Collection]; !known && !large[p.Collection] {
			n, err := s.db.Collection(p.Collection).EstimatedCount(conn.WithLongTimeout(ctx))
			large[p.Collection] = err != nil || n > smallCollection
		}
		if p.Existing == "" && !large[p.Collection] {
			missing[p.Collection] = append(missing[p.Collection], p.Index)
		}
	}
	return missing, nil
}
