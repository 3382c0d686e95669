package httpapi_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http/httptest"
	"testing"

	"gamedata/internal/httpapi"
)

// What ReadJSON lets through is what encoding/json reads to its end, numbers of any size included:
// who needs one of them knows its range.
func FuzzReadJSON(f *testing.F) {
	for _, seed := range []string{`{}`, `[[]]`, `"\"["`, `{} x`, "\"\xff\"", `{"a":{"a":[1,null]}}`, ` 1 `, `1E700`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		r := httptest.NewRequest("POST", "/", bytes.NewReader(body))
		text, refused := httpapi.ReadJSON(httptest.NewRecorder(), r, 0)
		if refused != nil || len(text) == 0 {
			return
		}
		var v any
		decoder := json.NewDecoder(bytes.NewReader(body))
		decoder.UseNumber()
		err := decoder.Decode(&v)
		if _, after := decoder.Token(); err != nil || after != io.EOF || !bytes.Equal(text, body) {
			t.Errorf("%q was read as %q: %v", body, text, err)
		}
	})
}
