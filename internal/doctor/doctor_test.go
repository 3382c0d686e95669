package doctor

import (
	"testing"
	"time"
)

func TestSkew(t *testing.T) {
	if f := skew(-time.Minute); f.Verdict != Fail || f.Remedy == "" {
		t.Errorf("a minute behind: got %+v, want a failure with a remedy", f)
	}
	if f := skew(time.Second); f.Verdict != OK {
		t.Errorf("a second fast: got %+v, want ok", f)
	}
}
