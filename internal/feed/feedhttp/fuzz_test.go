package feedhttp

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"testing/iotest"

	"github.com/rogpeppe/go-internal/txtar"
)

// Every text is lines that decode into an event or a reason, the same ones however its bytes arrive.
func FuzzLines(f *testing.F) {
	examples, err := txtar.ParseFile("../testdata/examples.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, e := range examples.Files {
		f.Add([]byte(`{"id": "1", "event": "` + e.Name + `", "data": ` + string(e.Data) + "}\n{\n\n"))
	}
	f.Add(bytes.Repeat([]byte("x"), 2*MaxLine))
	f.Fuzz(func(t *testing.T, text []byte) {
		var seen [2][]string
		for i, r := range []io.Reader{bytes.NewReader(text), iotest.HalfReader(bytes.NewReader(text))} {
			lines := newLineReader(r)
			for {
				line, err := lines.next()
				if err != nil {
					if !errors.Is(err, io.EOF) {
						t.Fatal(err)
					}
					break
				}
				seen[i] = append(seen[i], string(line))
				if len(line) > MaxLine || lines.number > bytes.Count(text, []byte("\n"))+1 {
					t.Fatalf("line %d has %d bytes", lines.number, len(line))
				}
				id, event, wrong := decodeLine(line)
				if (event == nil) == (wrong == nil) || wrong != nil && (wrong.Code == "" || wrong.Message == "") {
					t.Fatalf("%q: got %v and %v", line, event, wrong)
				}
				if event != nil && !validID(id) {
					t.Fatalf("the id %q is valid", id)
				}
			}
		}
		if len(seen[0]) != len(seen[1]) {
			t.Fatalf("got %d and %d lines", len(seen[0]), len(seen[1]))
		}
	})
}
