package loadshed

import (
	"testing"

	"go.uber.org/goleak"
)

// Nothing that these tests start goes on after them.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
