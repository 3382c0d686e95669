package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// withTextID replaces the id of a message by a string with the JSON of the id. The SDK converts numbers to int64, but
// the response must repeat the id digit by digit.
func withTextID(message []byte) []byte {
	var members map[string]json.RawMessage
	if json.Unmarshal(message, &members) != nil {
		return message
	}
	id := members["id"]
	if len(id) == 0 || bytes.IndexByte([]byte(`"-0123456789`), id[0]) < 0 {
		return message // no id, or an invalid one
	}
	members["id"] = encode(string(id))
	return encode(members)
}

func encode(value any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(value) // cannot fail: strings and decoded values
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// withSentID restores the id that withTextID replaced in a response of the SDK.
func withSentID(message []byte) []byte {
	start := []byte(`{"jsonrpc":"2.0","id":`)
	rest, found := bytes.CutPrefix(message, start)
	if !found {
		return message
	}
	var id *string
	decoder := json.NewDecoder(bytes.NewReader(rest))
	if decoder.Decode(&id) != nil || id == nil {
		return message
	}
	return append(append(start, *id...), rest[decoder.InputOffset():]...)
}

// Stdio returns the transport of standard input and output. It keeps the exact ids of requests in responses. It
// responds to invalid lines with an error and reads on, where the SDK would stop.
func Stdio() sdk.Transport {
	out := idWriter{os.Stdout}
	return &sdk.IOTransport{Reader: &lineReader{in: bufio.NewReader(os.Stdin), errors: out}, Writer: out}
}

type lineReader struct {
	in     *bufio.Reader
	errors io.Writer
	rest   []byte // unread bytes of the last message
}

// Read implements io.Reader.
func (r *lineReader) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		line, err := r.in.ReadBytes('\n')
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			if err != nil {
				return 0, err
			}
			continue
		}
		message := withTextID(line)
		if _, invalid := jsonrpc.DecodeMessage(message); invalid == nil {
			r.rest = slices.Concat(message, []byte{'\n'})
			continue
		}
		failure := jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "not a message of JSON-RPC 2.0"}
		if !json.Valid(line) {
			failure = jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "not JSON"}
		}
		_, err = fmt.Fprintf(r.errors, `{"jsonrpc":"2.0","id":null,"error":%s}`+"\n", encode(failure))
		if err != nil {
			return 0, err
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// Close implements io.Closer.
func (r *lineReader) Close() error { return os.Stdin.Close() }

type idWriter struct{ io.WriteCloser }

// Write implements io.Writer: the SDK writes whole messages.
func (w idWriter) Write(message []byte) (int, error) {
	_, err := w.WriteCloser.Write(withSentID(message))
	return len(message), err
}
