package embedded

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// crashDir names the directory that this process writes to until it is killed.
const crashDir = "EMBEDDED_CRASH_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(crashDir); dir != "" {
		if err := writeForever(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

const crashWriters = 8

// writeForever inserts, updates and deletes from several goroutines and reports every acknowledged write.
func writeForever(dir string) error {
	s, err := Open(dir, Options{})
	if err != nil {
		return err
	}
	client, err := driver.Connect(options.Client().ApplyURI(s.URI()).SetDialer(s))
	if err != nil {
		return err
	}
	c := client.Database("crash").Collection("docs")
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	if _, err := c.Indexes().CreateMany(ctx, []driver.IndexModel{
		{Keys: d("name", 1), Options: options.Index().SetUnique(true)},
		{Keys: d("tags", 1, "version", -1)},
	}); err != nil {
		return err
	}
	var mu sync.Mutex
	report := func(what string, id int) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Printf("%s %d\n", what, id) // one write call: a line is there whole or not at all
	}
	failed := make(chan error, crashWriters)
	for w := range crashWriters {
		go func() {
			for i := w; ; i += crashWriters {
				if err := errors.Join(writeThree(ctx, c, i, report), writePair(ctx, c, i, report)); err != nil {
					failed <- err
					return
				}
			}
		}()
	}
	return <-failed
}

// writeThree inserts a document, updates it and, every fourth time, deletes it.
func writeThree(ctx context.Context, c *driver.Collection, i int, report func(string, int)) error {
	id := d("_id", i)
	doc := bson.D{
		{Key: "_id", Value: i},
		{Key: "name", Value: fmt.Sprint("n", i)},
		{Key: "version", Value: 1},
		{Key: "tags", Value: bson.A{i % 7, i % 5}},
		{Key: "pad", Value: strings.Repeat("x", 500)},
	}
	if _, err := c.InsertOne(ctx, doc); err != nil {
		return err
	}
	report("inserted", i)
	change := d("$inc", d("version", 1), "$set", d("tags", bson.A{i % 7, "more"}))
	if _, err := c.UpdateOne(ctx, id, change); err != nil {
		return err
	}
	report("updated", i)
	if i%4 == 3 {
		report("deleting", i) // from here on it may be deleted
		if _, err := c.DeleteOne(ctx, id); err != nil {
			return err
		}
		report("deleted", i)
	}
	return nil
}

// writePair inserts two documents in a transaction, by two commands.
func writePair(ctx context.Context, c *driver.Collection, i int, report func(string, int)) error {
	err := inTransactions(ctx, c.Database().Client(), func(ctx context.Context) error {
		for half := range 2 {
			_, err := c.InsertOne(ctx, d("name", fmt.Sprint("pair", i, "half", half), "pair", i))
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		report("paired", i)
	}
	return err
}

// TestCrash kills a writing process and checks that every acknowledged write is stored, and of transactions all or
// nothing.
func TestCrash(t *testing.T) {
	for round := range 3 {
		t.Run(strconv.Itoa(round), func(t *testing.T) { crashOnce(t, 400+900*round) })
	}
}

func crashOnce(t *testing.T, lines int) {
	dir := t.TempDir()
	child := exec.Command(os.Args[0], "-test.run=^$")
	child.Env = append(os.Environ(), crashDir+"="+dir)
	child.Stderr = os.Stderr
	out := must(child.StdoutPipe())(t)
	check(t, child.Start())
	state, pairs, acknowledged := map[int]string{}, map[int]bool{}, 0
	read := bufio.NewScanner(out)
	for n := 0; read.Scan(); n++ {
		what, id, ok := strings.Cut(read.Text(), " ")
		if i, err := strconv.Atoi(id); ok && err == nil && what == "paired" {
			pairs[i] = true
		} else if ok && err == nil {
			state[i] = what
			if what != "deleting" {
				acknowledged++
			}
		}
		if n == lines {
			check(t, child.Process.Kill())
		}
	}
	var exit *exec.ExitError
	if err := child.Wait(); !errors.As(err, &exit) || exit.ExitCode() != -1 {
		t.Fatalf("the child was not killed: %v", err)
	}
	found := checkAfterCrash(t, dir, state, pairs)
	t.Logf("%d writes acknowledged, on %d documents; all found: %d documents present, %d deleted", acknowledged,
		len(state), found, len(state)-found)
}

// checkAfterCrash opens what the killed process left and returns how many of the documents are there.
func checkAfterCrash(t *testing.T, dir string, state map[int]string, pairs map[int]bool) (found int) {
	s := must(Open(dir, Options{}))(t)
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	c := connect(t, s).Client().Database("crash").Collection("docs")
	for i, what := range state {
		var doc struct {
			Name    string
			Version int
		}
		err := c.FindOne(t.Context(), d("name", fmt.Sprint("n", i))).Decode(&doc)
		missing := errors.Is(err, driver.ErrNoDocuments)
		switch {
		case err != nil && !missing:
			t.Fatal(err)
		case what == "deleted" && !missing:
			t.Errorf("document %d is back after it was deleted", i)
		case what == "inserted" && missing, what == "updated" && (missing || doc.Version != 2):
			t.Errorf("document %d was %s, now it is missing (%v) or at version %d", i, what, missing, doc.Version)
		}
		if !missing {
			found++
		}
	}
	checkPairs(t, c, pairs)
	checkIndexes(t, s, "crash.docs")
	return found
}

// checkPairs finds both documents of every transaction that was committed, and both or none of every other one.
func checkPairs(t *testing.T, c *driver.Collection, committed map[int]bool) {
	cursor := must(c.Find(t.Context(), d("pair", d("$exists", true))))(t)
	halves := map[int]int{}
	for i := range committed {
		halves[i] = 0
	}
	for cursor.Next(t.Context()) {
		halves[int(cursor.Current.Lookup("pair").AsInt64())]++
	}
	for i, n := range halves {
		if n != 2 {
			t.Errorf("%d of 2 documents of transaction %d, acknowledged %v", n, i, committed[i])
		}
	}
	t.Logf("%d transactions acknowledged, %d found", len(committed), len(halves))
}
