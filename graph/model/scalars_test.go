package model

import (
	"bytes"
	"testing"
	"time"
)

func TestParseUUID(t *testing.T) {
	const want = "3f2b8c1e-7a4d-4e9b-9c55-0d1e2f3a4b5c"
	for _, s := range []string{
		want, "3F2B8C1E-7A4D-4E9B-9C55-0D1E2F3A4B5C", "3f2b8c1e7a4d4e9b9c550d1e2f3a4b5c",
		"3F2B8C1E7A4D4E9B9C550D1E2F3A4B5C",
	} {
		if got, ok := ParseUUID(s); !ok || got != want {
			t.Errorf("%s reads as %q, %v", s, got, ok)
		}
	}
	for _, s := range []string{
		"", "Salted", want[:35], want + "0", "3f2b8c1e_7a4d-4e9b-9c55-0d1e2f3a4b5c",
		"3f2b8c1e-7a4d-4e9b-9c55-0d1e2f3a4b5g",
		"3f2b8c1e7-a4d-4e9b-9c55-0d1e2f3a4b5c", "\x103f2b8c1e7a4d4e9b9c550d1e2f3a4b5",
		"3f2b8c1e-7a4d-4e9b-9c55-0d1e2f3a4b\x005",
	} {
		if got, ok := ParseUUID(s); ok {
			t.Errorf("%q reads as %s", s, got)
		}
	}
}

func TestNumbersOnTheWire(t *testing.T) {
	for value, want := range map[float64]string{
		70: "70", 2485.42: "2485.42", 3120.5: "3120.5",
		1e21: "1000000000000000000000", 99999: "99999", -0.25: "-0.25",
	} {
		var b bytes.Buffer
		MarshalFloat(value).MarshalGQL(&b)
		if b.String() != want {
			t.Errorf("%v is written %s, want %s", value, &b, want)
		}
	}
}

func TestDateTimeOnTheWire(t *testing.T) {
	whole := time.Date(2013, 10, 23, 20, 2, 38, 0, time.UTC)
	for value, want := range map[time.Time]string{
		whole:                              "2013-10-23T20:02:38Z",
		whole.Add(667 * time.Millisecond):  "2013-10-23T20:02:38.667000Z",
		whole.Add(time.Microsecond):        "2013-10-23T20:02:38.000001Z",
		whole.In(time.FixedZone("", 7200)): "2013-10-23T20:02:38Z",
	} {
		if got := FormatDateTime(value); got != want {
			t.Errorf("%v is written %s, want %s", value, got, want)
		}
		if back, err := UnmarshalDateTime(want); err != nil || !back.Equal(value) {
			t.Errorf("%s reads as %v, %v", want, back, err)
		}
	}
}
