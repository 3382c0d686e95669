package mcp

import (
	"bufio"
	"io"
	"strings"
	"testing"
)

func TestIDs(t *testing.T) {
	for _, id := range []string{
		"1", "-0", "1.5", "1.0", "1e30", "9007199254740993", "-9223372036854775809", `"x"`, `"9"`, `"<&\"\\"`, `""`,
	} {
		sent := `{"jsonrpc":"2.0","id":` + id + `,"method":"ping","params":{"n":9007199254740993,"s":"<"}}`
		text := string(withTextID([]byte(sent)))
		if text == sent {
			t.Errorf("%s: got the same id", id)
		}
		if got := string(withSentID([]byte(`{"jsonrpc":"2.0",` + text[1:]))); got[:22+len(id)] != sent[:22+len(id)] {
			t.Errorf("%s: got %s", id, got)
		}
	}
	for _, message := range []string{`{"id":null}`, `{"id":{}}`, `{"method":"x"}`, `[1]`, `{"id":`} {
		if got := string(withTextID([]byte(message))); got != message {
			t.Errorf("got %s, want %s", got, message)
		}
	}
}

// A line that is no message gets its error, and the next line is read.
func TestMalformedLines(t *testing.T) {
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	for line, code := range map[string]string{
		"not json": "-32700", `{"jsonrpc":"2.0","id":1,"meth`: "-32700",
		`{"id":1}`: "-32600", `[]`: "-32600", `"x"`: "-32600",
		`[` + ping + `]`: "-32600", `{"jsonrpc":"1.0","id":1,"method":"ping"}`: "-32600",
		`{"jsonrpc":"2.0","id":{},"method":"ping"}`: "-32600",
	} {
		var errors strings.Builder
		in := bufio.NewReader(strings.NewReader(ping + "\n\n" + line + "\r\n" + ping))
		passed, err := io.ReadAll(&lineReader{in: in, errors: &errors})
		want := `{"jsonrpc":"2.0","id":null,"error":{"code":` + code + `,`
		if err != nil || strings.Count(string(passed), "ping") != 2 || strings.Count(string(passed), "\n") != 2 ||
			!strings.HasPrefix(errors.String(), want) || strings.Count(errors.String(), "\n") != 1 {
			t.Errorf("%s: got %v, %q, passed %q", line, err, errors.String(), passed)
		}
		if got := string(withSentID([]byte(errors.String()))); got != errors.String() { // as idWriter writes it
			t.Errorf("%s: wrote %q", line, got)
		}
	}
}
