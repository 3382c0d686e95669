package config

import "testing"

func TestByteSize(t *testing.T) {
	for text, want := range map[string]struct {
		bytes int64
		shown string
	}{
		"0": {0, "0"}, "1000": {1000, "1000"}, "65536": {65536, "64KiB"}, "64KiB": {65536, "64KiB"},
		"1MiB":    {1 << 20, "1MiB"},
		"1536MiB": {1536 << 20, "1610612736"}, "9GiB": {9 << 30, "9GiB"}, "65537": {65537, "65537"},
		"20MiB": {20 << 20, "20MiB"},
	} {
		t.Run(text, func(t *testing.T) {
			var b ByteSize
			if err := b.Set(text); err != nil || int64(b) != want.bytes || b.String() != want.shown {
				t.Fatalf("got %d, %s, %v; want %d, %s", b, b.String(), err, want.bytes, want.shown)
			}
			again := ByteSize(-1)
			if err := again.Set(b.String()); err != nil || again != b {
				t.Errorf("%s is read back as %d, %v", b.String(), again, err)
			}
		})
	}
	for _, text := range []string{"", "-1", "1.5GiB", "many", "99999999GiB", "64Mi B"} {
		if b := new(ByteSize); b.Set(text) == nil {
			t.Errorf("%q is read as %d, want an error", text, *b)
		}
	}
}
