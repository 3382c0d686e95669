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
	_ = os.Unsetenv("GOGC") // programs run with their defaults
	code := apptest.Main(m)
	writeTable(os.Stdout)
	os.Exit(code)
}
