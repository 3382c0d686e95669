package mcp

import (
	"bytes"
	"encoding/json"
	"io"
	"os"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// withTextID returns a message whose id is a string: the JSON of the sent id. The SDK converts numbers to int64, and
// the response must have the id of the request in every digit.
func withTextID(message []byte) []byte {
	var members map[string]json.RawMessage
	if json.Unmarshal(message, &members) != nil {
		return message
	}
	id := members["id"]
	if len(id) == 0 || bytes.IndexByte([]byte(`"-0123456789`), id[0]) < 0 {
		return message // no id, or none that a message can have
	}
	members["id"] = encode(string(id))
	return encode(members)
}

func encode(value any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(value) // strings and what was decoded
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// withSentID returns a response of the SDK with the id that withTextID replaced.
func withSentID(message []byte) []byte {
	start := []byte(`{"jsonrpc":"2.0","id":`)
	rest, found := bytes.CutPrefix(message, start)
	if !found {
		return message
	}
	var id string
	decoder := json.NewDecoder(bytes.NewReader(rest))
	if decoder.Decode(&id) != nil {
		return message
	}
	return append(append(start, id...), rest[decoder.InputOffset():]...)
}

// Stdio returns the transport of standard input and output, on which responses have the ids of their requests.
func Stdio() sdk.Transport {
	return &sdk.IOTransport{Reader: &idReader{decoder: json.NewDecoder(os.Stdin)}, Writer: idWriter{os.Stdout}}
}

type idReader struct {
	decoder *json.Decoder
	rest    []byte // of the last message
}

// Read implements io.Reader.
func (r *idReader) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		var message json.RawMessage
		if err := r.decoder.Decode(&message); err != nil {
			return 0, err
		}
		r.rest = append(withTextID(message), '\n')
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// Close implements io.Closer.
func (r *idReader) Close() error { return os.Stdin.Close() }

type idWriter struct{ io.WriteCloser }

// Write implements io.Writer: the SDK writes whole messages.
func (w idWriter) Write(message []byte) (int, error) {
	_, err := w.WriteCloser.Write(withSentID(message))
	return len(message), err
}
