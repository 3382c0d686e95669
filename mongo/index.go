package mongo

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

const (
	// smallCollection is the number of records up to which opening a store builds indexes.
	smallCollection = 20_000
	// listTimeout is the least time limit of listing the indexes of a collection.
	listTimeout = 5 * time.Second
	// buildAttempts is how often the build of an index is tried: some engines fail while another
	// instance builds the same.
	buildAttempts = 5
	// buildRetry is the wait between two attempts, and the interval of progress reports.
	buildRetry    = 500 * time.Millisecond
	buildProgress = 10 * time.Second
)

// IndexProblem is an index of Collections that the store does not have.
type IndexProblem struct {
	Collection string
	Index      Index
	// Existing is the name of an index that stands in the way: it has the same key or name. Empty if
	// there is none.
	Existing string
	// Difference says how the existing index differs: "is not unique".
	Difference string
}

// Name returns collection(field, field).
func (p IndexProblem) Name() string {
	return p.Collection + "(" + strings.Join(p.Index.Fields, ", ") + ")"
}

// String names the index and says what is wrong.
func (p IndexProblem) String() string {
	if p.Existing == "" {
		return p.Name() + " is missing"
	}
	return fmt.Sprintf("%s: the existing index %q %s", p.Name(), p.Existing, p.Difference)
}

// Remedy returns the command that solves the problem.
func (p IndexProblem) Remedy() string {
	if p.Existing == "" {
		return "gamedata migrate"
	}
	return "gamedata migrate --replace"
}

// SummarizeIndexProblems lists problems and returns the command that solves them.
func SummarizeIndexProblems(problems []IndexProblem) (text, command string) {
	for _, p := range problems {
		command = max(command, p.Remedy())
	}
	return strings.Join(each(problems, IndexProblem.String), ", "), command
}

// IndexProblems compares the indexes of the store with Collections. Every query of this package is
// served by one of those or by _id; a test checks it with the counters of the embedded server.
func (s *Store) IndexProblems(ctx context.Context) ([]IndexProblem, error) {
	var problems []IndexProblem
	for _, c := range Collections {
		if len(c.indexes()) == 0 {
			continue
		}
		existing, err := s.existingIndexes(ctx, c.Name)
		if err != nil {
			return nil, err
		}
		for _, ix := range c.indexes() {
			if p := compareIndex(ix, existing); p != nil {
				p.Collection = c.Name
				problems = append(problems, *p)
			}
		}
	}
	return problems, nil
}

// existingIndex is an index as the server lists it.
type existingIndex struct {
	Name    string   `bson:"name"`
	Key     bson.D   `bson:"key"`
	Unique  bool     `bson:"unique"`
	Sparse  bool     `bson:"sparse"`
	Expire  *float64 `bson:"expireAfterSeconds"`
	Partial bson.D   `bson:"partialFilterExpression"`
}

func (s *Store) existingIndexes(ctx context.Context, collection string) ([]existingIndex, error) {
	ctx, cancel := context.WithTimeout(ctx, max(s.guard.timeout, listTimeout))
	defer cancel()
	cursor, err := s.db.Database.Collection(collection).Indexes().List(ctx)
	if err != nil {
		return nil, translateError(err)
	}
	var found []existingIndex
	err = cursor.All(ctx, &found)
	return found, translateError(err)
}

// fields returns the fields of an index as Index.Fields has them.
func (e existingIndex) fields() []string {
	return each(e.Key, func(f bson.E) string {
		if strings.HasPrefix(fmt.Sprint(f.Value), "-") {
			return "-" + f.Key
		}
		return f.Key
	})
}

// difference says how an index with the key of another differs; empty if it does not.
func (e existingIndex) difference(wanted Index) string {
	exists := ""
	if len(e.Partial) > 0 {
		exists = e.Partial[0].Key
	}
	switch {
	case wanted.Unique && !e.Unique:
		return "is not unique"
	case e.Unique && !wanted.Unique:
		return "is unique"
	case wanted.Expires != (e.Expire != nil) || e.Expire != nil && *e.Expire != 0:
		return "expires records at another time"
	case e.Sparse || len(e.Partial) > 1 || exists != wanted.Exists:
		return "has other records"
	}
	return ""
}

// compareIndex returns nil if an index exists, or what is wrong.
func compareIndex(wanted Index, existing []existingIndex) *IndexProblem {
	problem := &IndexProblem{Index: wanted}
	for _, e := range existing {
		switch sameKey := slices.Equal(e.fields(), wanted.Fields); {
		case sameKey && e.difference(wanted) == "":
			return nil
		case sameKey:
			problem.Existing, problem.Difference = e.Name, e.difference(wanted)
		case e.Name == wanted.name() && problem.Existing == "":
			problem.Existing, problem.Difference = e.Name, "has the fields "+strings.Join(e.fields(), ", ")
		}
	}
	return problem
}

// name is the name that the driver gives an index.
func (ix Index) name() string {
	return strings.Join(each(ix.Fields, func(f string) string {
		if name, descending := strings.CutPrefix(f, "-"); descending {
			return name + "_-1"
		}
		return f + "_1"
	}), "_")
}

func (ix Index) model() driver.IndexModel {
	keys := bson.D{}
	for _, f := range ix.Fields {
		name, descending := strings.CutPrefix(f, "-")
		direction := 1
		if descending {
			direction = -1
		}
		keys = append(keys, bson.E{Key: name, Value: direction})
	}
	o := options.Index().SetName(ix.name())
	if ix.Unique {
		o.SetUnique(true)
	}
	if ix.Exists != "" {
		o.SetPartialFilterExpression(bson.D{{Key: ix.Exists, Value: bson.D{{Key: "$exists", Value: true}}}})
	}
	if ix.Expires {
		o.SetExpireAfterSeconds(0)
	}
	return driver.IndexModel{Keys: keys, Options: o}
}

// IndexBuild is the progress of the build of one index.
type IndexBuild struct {
	// Index is collection(field, field), Records the number of records of the collection.
	Index   string
	Records int64
	// Elapsed is the time since the build began. Done is set in the last report.
	Elapsed time.Duration
	Done    bool
}

// BuildIndexes builds the indexes that the store does not have, one after the other and without a time
// limit: ctx ends it. With replace it drops the indexes that stand in the way; without, each is an error.
// Several instances may do so at once. It returns how many it built. progress is called at the begin and
// the end of each build and every ten seconds.
func (s *Store) BuildIndexes(ctx context.Context, replace bool, progress func(IndexBuild)) (int, error) {
	problems, err := s.IndexProblems(ctx)
	if err != nil {
		return 0, err
	}
	b, err := s.newIndexBuilder()
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
				return built, fmt.Errorf("%s: dropping the index %q: %w", p.Name(), p.Existing, translateError(err))
			}
		}
		if err := b.build(ctx, p, progress); err != nil {
			return built, err
		}
		built++
	}
	return built, nil
}

// indexBuilder builds indexes over connections of its own. Commands of the store's client have a time
// limit, which the driver sends to the server: it would abort a long build there.
type indexBuilder struct {
	store  *Store
	client *driver.Client
	db     *driver.Database
}

func (s *Store) newIndexBuilder() (*indexBuilder, error) {
	opts := clientOptions(s.options)
	opts.Timeout = nil
	client, err := driver.Connect(opts)
	if err != nil {
		return nil, fmt.Errorf("store address: %w", err)
	}
	return &indexBuilder{s, client, client.Database(s.options.Database)}, nil
}

func (b *indexBuilder) close(ctx context.Context) {
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = b.client.Disconnect(end)
}

// build builds one index and reports its progress.
func (b *indexBuilder) build(ctx context.Context, p IndexProblem, progress func(IndexBuild)) error {
	records, _ := b.store.db.Collection(p.Collection).EstimatedDocumentCount(withLongTimeout(ctx))
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

// create creates indexes of a collection. It succeeds if another instance did.
func (b *indexBuilder) create(ctx context.Context, collection string, indexes ...Index) error {
	for attempt := 1; ; attempt++ {
		_, err := b.db.Collection(collection).Indexes().CreateMany(ctx, each(indexes, Index.model))
		if err == nil {
			return nil
		}
		existing, listErr := b.store.existingIndexes(ctx, collection)
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
		case attempt == buildAttempts || driver.IsDuplicateKeyError(err):
			return fmt.Errorf("building an index of %s: %w", collection, translateError(err))
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(buildRetry):
		}
	}
}

// buildSmallIndexes builds the indexes that small collections lack. Builds go on while the store is
// open, but it waits for them no longer than timeout: a replica set without one of its members, for
// instance, finishes none. What is not built is reported by IndexProblems and does not fail the store.
func (s *Store) buildSmallIndexes(ctx context.Context, timeout time.Duration) error {
	missing, err := s.smallMissing(ctx)
	if err != nil || len(missing) == 0 {
		return err
	}
	b, err := s.newIndexBuilder()
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
	s.stopBuilding = func() { stop(); <-done }
	select {
	case <-done:
	case <-time.After(timeout):
	case <-ctx.Done():
		s.stopBuilding()
		return ctx.Err()
	}
	return nil
}

// smallMissing returns the missing indexes of small collections.
func (s *Store) smallMissing(ctx context.Context) (map[string][]Index, error) {
	problems, err := s.IndexProblems(ctx)
	if err != nil {
		return nil, err
	}
	missing, large := map[string][]Index{}, map[string]bool{}
	for _, p := range problems {
		if _, known := missing[p.Collection]; !known && !large[p.Collection] {
			n, err := s.db.Collection(p.Collection).EstimatedDocumentCount(withLongTimeout(ctx))
			large[p.Collection] = err != nil || n > smallCollection
		}
		if p.Existing == "" && !large[p.Collection] {
			missing[p.Collection] = append(missing[p.Collection], p.Index)
		}
	}
	return missing, nil
}
