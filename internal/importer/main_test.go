package importer_test

import (
	"os"
	"testing"

	"gamedata/mongo/mongotest"
)

func TestMain(m *testing.M) { os.Exit(mongotest.BothWays{M: m}.Run()) }
