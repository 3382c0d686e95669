package doctor

import (
	"testing"
	"time"

	"gamedata/internal/app"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

func TestTransactions(t *testing.T) {
	standalone, _ := mongotest.Open(t, mongotest.WithoutTransactions)
	if f := examineTransactions(&app.Store{Store: standalone}); len(f) != 1 || f[0].Message != mongo.NoTransactions {
		t.Errorf("a standalone server: got %+v, want a warning", f)
	}
	member, _ := mongotest.Open(t)
	if f := examineTransactions(&app.Store{Store: member}); f != nil {
		t.Errorf("a replica set: got %+v", f)
	}
}

func TestSkew(t *testing.T) {
	if f := skew(-time.Minute); f.Verdict != Fail || f.Remedy == "" {
		t.Errorf("a minute behind: got %+v, want a failure with a remedy", f)
	}
	if f := skew(time.Second); f.Verdict != OK {
		t.Errorf("a second fast: got %+v, want ok", f)
	}
}
