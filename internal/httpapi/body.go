package httpapi

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"unicode/utf8"

	"gamedata/graph"
)

// maxDepth is how deep a JSON body may nest; no documented body needs more than a few.
const maxDepth = 64

// ReadJSON reads a request body that must be one JSON value of at most limit bytes, DefaultMaxBody when limit is 0 or
// less. An empty body is nil. The value may be of any JSON type.
//
// Errors: UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, MALFORMED_PAYLOAD.
func ReadJSON(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, *graph.Error) {
	body, err := ReadUnparsedJSON(w, r, limit)
	if err != nil || len(body) == 0 {
		return nil, err
	}
	if !IsJSON(body) {
		return nil, graph.ErrMalformedPayload
	}
	return body, nil
}

// ReadUnparsedJSON reads a body whose headers declare JSON, without checking it.
func ReadUnparsedJSON(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, *graph.Error) {
	if !declared(r.Header, "application/json") {
		return nil, graph.ErrUnsupportedMediaType
	}
	return readBody(w, r, limit)
}

// IsJSON reports whether text is one JSON value in UTF-8, nested no deeper than maxDepth.
func IsJSON(text []byte) bool { return utf8.Valid(text) && shallow(text) && json.Valid(text) }

// ReadForm reads an application/x-www-form-urlencoded request body and returns it unparsed. limit works as in ReadJSON.
//
// Errors: UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, MALFORMED_PAYLOAD.
func ReadForm(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, *graph.Error) {
	if !declared(r.Header, "application/x-www-form-urlencoded") || len(r.Header.Values("Content-Type")) == 0 {
		return nil, graph.Errorf(graph.UnsupportedMediaType, "Send application/x-www-form-urlencoded.")
	}
	return readBody(w, r, limit)
}

// declared reports whether the headers declare this type in UTF-8, or no type.
func declared(h http.Header, want string) bool {
	types := h.Values("Content-Type")
	if len(types) == 0 || len(types) == 1 && types[0] == want {
		return true
	}
	media, params, err := mime.ParseMediaType(types[0])
	if len(types) > 1 || err != nil || media != want {
		return false
	}
	charset, given := params["charset"]
	return !given || strings.EqualFold(charset, "utf-8")
}

var errCompressed = graph.Errorf(graph.UnsupportedMediaType, "Send the body uncompressed.")

// readBody reads at most limit bytes. It does not drain a longer body, so the connection is closed. It rejects
// compressed bodies, because the limit counts bytes on the wire.
func readBody(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, *graph.Error) {
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		w.Header().Set("Accept-Encoding", "identity")
		return nil, errCompressed
	}
	if limit <= 0 {
		limit = DefaultMaxBody
	}
	if r.ContentLength > limit {
		w.Header().Set("Connection", "close")
		return nil, graph.ErrPayloadTooLarge
	}
	var body []byte
	var err error
	if r.ContentLength > 0 { // net/http returns exactly this many bytes or an error
		body = make([]byte, r.ContentLength)
		_, err = io.ReadFull(r.Body, body)
	} else {
		body, err = io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	}
	if err == nil {
		return body, nil
	}
	w.Header().Set("Connection", "close")
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return nil, graph.ErrPayloadTooLarge
	}
	return nil, graph.ErrMalformedPayload // bad chunks, or the client stopped sending
}

// shallow reports whether the brackets in a text, JSON or not, nest at most maxDepth deep.
func shallow(text []byte) bool {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
			if depth > maxDepth {
				return false
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return true
}
