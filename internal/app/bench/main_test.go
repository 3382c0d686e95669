package bench

import (
	"fmt"
	"os"
	"testing"

	"gamedata/internal/app/apptest"
)

func TestMain(m *testing.M) {
	if os.Getenv(leanVariable) != "" {
		fmt.Println(runLean())
		os.Exit(1)
	}
	code := apptest.Main(m)
	writeTable(os.Stdout)
	os.Exit(code)
}
