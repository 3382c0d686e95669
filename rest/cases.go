package rest

import (
	"bytes"
	"embed"
	"fmt"
	"io"
	"net/http"
	"path"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

// goldens are the cases of the contract. They are no test data alone: the reference shows them
// as examples and lists them.
//
//go:embed testdata/*.txtar
var goldens embed.FS

// Case is a request to the demo world and the answer that the contract wants.
type Case struct {
	// Name is that of its file, About says in a sentence what it shows.
	Name, About string
	// Method and Target are those of the request line; Header and Body may be empty.
	Method, Target string
	Header         http.Header
	Body           string
	// Status, the headers that the contract holds, and the body as indented JSON: empty when
	// there is none or when it was sent encoded.
	Status  int
	Answers http.Header
	Answer  []byte
}

// Cases reads all cases, by name.
func Cases() ([]Case, error) {
	entries, err := goldens.ReadDir("testdata")
	if err != nil {
		return nil, err
	}
	out := make([]Case, 0, len(entries))
	for _, e := range entries {
		text, err := goldens.ReadFile("testdata/" + e.Name())
		if err != nil {
			return nil, err
		}
		c, err := readCase(txtar.Parse(text))
		if err != nil {
			return nil, fmt.Errorf("the case %s: %w", e.Name(), err)
		}
		c.Name = strings.TrimSuffix(e.Name(), path.Ext(e.Name()))
		out = append(out, c)
	}
	return out, nil
}

func readCase(a *txtar.Archive) (c Case, err error) {
	c.About = strings.TrimSpace(string(a.Comment))
	for _, f := range a.Files {
		head, body, _ := bytes.Cut(f.Data, []byte("\n\n"))
		first, rest, _ := strings.Cut(strings.TrimSpace(string(head)), "\n")
		header := headers(rest)
		switch f.Name {
		case "request":
			c.Method, c.Target, _ = strings.Cut(first, " ")
			c.Header, c.Body = header, strings.TrimSuffix(string(body), "\n")
		case "response":
			if c.Status, err = strconv.Atoi(first); err != nil {
				return c, err
			}
			if c.Answers = header; header.Get("Content-Encoding") == "" {
				c.Answer = bytes.TrimSpace(body)
			}
		}
	}
	if c.Target == "" || c.Status == 0 {
		return c, io.ErrUnexpectedEOF
	}
	return c, nil
}

func headers(lines string) http.Header {
	h := http.Header{}
	for line := range strings.SplitSeq(lines, "\n") {
		if name, value, ok := strings.Cut(line, ": "); ok {
			h.Add(name, value)
		}
	}
	return h
}

// Row is the row of the case's path, whatever the method, and the variables of the path; ok is
// false when the path is unknown.
func (c Case) Row() (Row, map[string]any, bool) {
	where, _, _ := strings.Cut(c.Target, "?")
	return MatchPath(where)
}

// Query is the query string of the case's request.
func (c Case) Query() string {
	_, query, _ := strings.Cut(c.Target, "?")
	return query
}
