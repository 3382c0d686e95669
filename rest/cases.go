package rest

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	_ "embed"
	"errors"
	"io"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

// archive contains testdata/*.txtar: `gamedata verify`, the compatibility page and the examples of
// the OpenAPI document read them. `go test ./rest -run TestCasesArchive -update` rewrites it.
//
//go:embed cases.tar.gz
var archive []byte

// Case is a request to the demo world and the expected response.
type Case struct {
	// Name is the file name of the case; About describes the case in one sentence.
	Name, About string
	// Method and Target are from the request line; Header and Body can be empty.
	Method, Target string
	Header         http.Header
	Body           string
	// Want is the response.
	Want Response
}

// Response is the response of a case.
type Response struct {
	Status int
	// Header contains the headers that the contract fixes.
	Header http.Header
	// Body is indented JSON; empty without a body or if the body was sent encoded.
	Body []byte
}

// Cases returns all cases, sorted by name.
func Cases() (out []Case) {
	unzipped, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		panic(err) // the archive is part of the program
	}
	for files := tar.NewReader(unzipped); ; {
		h, err := files.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		text, unread := io.ReadAll(files)
		c, bad := readCase(txtar.Parse(text))
		if err := errors.Join(err, unread, bad); err != nil {
			panic(err)
		}
		c.Name = strings.TrimSuffix(h.Name, path.Ext(h.Name))
		out = append(out, c)
	}
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
			if c.Want.Status, err = strconv.Atoi(first); err != nil {
				return c, err
			}
			c.Want.Header = header
			if header.Get("Content-Encoding") == "" {
				c.Want.Body = bytes.TrimSpace(body)
			}
		}
	}
	if c.Target == "" || c.Want.Status == 0 {
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

// Row returns the row of the case's path, regardless of the method, and the variables of the path.
// ok is false if the path is unknown.
func (c Case) Row() (Row, map[string]any, bool) {
	u, err := url.ParseRequestURI(c.Target)
	if err != nil {
		return Row{}, nil, false
	}
	return Lookup(u)
}

// Query returns the query string of the request.
func (c Case) Query() string {
	_, query, _ := strings.Cut(c.Target, "?")
	return query
}
