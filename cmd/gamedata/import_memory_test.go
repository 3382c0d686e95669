package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"gamedata/internal/slowtest"
)

// peakHeap returns by how much the heap grew at most while f ran.
func peakHeap(f func()) uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	read := func() uint64 {
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}
	defer debug.SetGCPercent(debug.SetGCPercent(100)) // as in a service; make test collects less often
	runtime.GC()
	before := read()
	highest, done, ended := before, make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for tick := time.NewTicker(time.Millisecond); ; {
			highest = max(highest, read())
			select {
			case <-done:
				tick.Stop()
				return
			case <-tick.C:
			}
		}
	}()
	f()
	close(done)
	<-ended
	return highest - before
}

// An import takes 64 MB and four times the largest record at most, however large its file is, and a wrong record is
// refused with its place before anything is stored.
func TestImportMemory(t *testing.T) {
	slowtest.Only(t)
	folder, data := t.TempDir(), t.TempDir()
	write := func(name, record string, n int, last string) string {
		file := filepath.Join(folder, name)
		body := "[" + strings.Repeat(record+",\n", n) + last + "]"
		if err := os.WriteFile(file, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	const node = `{"x":1043,"y":44,"z":-4414,"angle":90,"type":"NODE","resource":"COPPER","level":1}`
	story := `{"title":"A","date":"today","forumThread":"","author":"Okapi","content":"` + strings.Repeat("x", 20_000) +
		`","comments":"1"}`
	for _, c := range []struct {
		file   string
		record int
		code   int
		want   string
	}{
		{
			write("map-gathering-nodes.json", node, 100_000, `{}`), len(node), 1,
			"line 100001, column 1, record 100001 ($[100000])",
		},
		{write("latest-news.json", story, 1600, story), len(story), 0, "stored 1601 records"},
	} {
		var code int
		var out, errs string
		peak := peakHeap(func() { code, out, errs = run("import", c.file, "--data-dir", data) })
		if code != c.code || !strings.Contains(out+errs, c.want) {
			t.Fatalf("%s: exit %d, %s%s", c.file, code, out, errs)
		}
		info, err := os.Stat(c.file)
		if err != nil {
			t.Fatal(err)
		}
		result := fmt.Sprintf("%s of %d MB: %d MB of heap", filepath.Base(c.file), info.Size()>>20, peak>>20)
		if peak > uint64(4*c.record+64<<20) {
			t.Error(result)
		} else {
			t.Log(result)
		}
	}
}
