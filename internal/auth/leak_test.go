package auth

import (
	"testing"

	"go.uber.org/goleak"

	"gamedata/mongo/mongotest"
)

// Nothing that these tests start goes on after them.
func TestMain(m *testing.M) { goleak.VerifyTestMain(mongotest.BothWays{M: m}) }
