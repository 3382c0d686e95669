package pages

import (
	"os"
	"testing"

	"gamedata/internal/app/apptest"
)

func TestMain(m *testing.M) { os.Exit(apptest.MainWithPast(m)) }
