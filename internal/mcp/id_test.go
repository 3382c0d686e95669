package mcp

import "testing"

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
