package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// settled runs the layers over a verb with two settings and returns the result.
func settled(t *testing.T, args ...string) (dir string, size int, err error) {
	t.Helper()
	root := &cobra.Command{Use: "gamedata", SilenceErrors: true, SilenceUsage: true}
	root.PersistentFlags().String("config", "", "")
	verb := &cobra.Command{Use: "verb", RunE: func(cmd *cobra.Command, _ []string) error { return Load(cmd) }}
	verb.Flags().StringVar(&dir, "data-dir", "default", "")
	verb.Flags().IntVar(&size, "page-size", 20, "")
	root.AddCommand(verb)
	root.SetArgs(append([]string{"verb"}, args...))
	err = root.Execute()
	return dir, size, err
}

func TestLayers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.yaml")
	if err := os.WriteFile(path, []byte("data-dir: from-file\npage-size: 30\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	want := func(step, wantDir string, wantSize int, args ...string) {
		t.Helper()
		dir, size, err := settled(t, args...)
		if err != nil || dir != wantDir || size != wantSize {
			t.Errorf("%s: %s, %d, %v; want %s, %d", step, dir, size, err, wantDir, wantSize)
		}
	}
	want("defaults", "default", 20)
	want("file", "from-file", 30, "--config", path)
	t.Setenv("GAMEDATA_DATA_DIR", "from-env")
	want("environment over file", "from-env", 30, "--config", path)
	want("flag over environment", "from-flag", 30, "--config", path, "--data-dir", "from-flag")
	t.Setenv("GAMEDATA_CONFIG", path)
	want("file named by the environment", "from-env", 30)

	t.Setenv("GAMEDATA_PAGE_SIZE", "many")
	if _, _, err := settled(t); err == nil || !strings.Contains(err.Error(), "GAMEDATA_PAGE_SIZE") {
		t.Errorf("a wrong value: %v", err)
	}
	t.Setenv("GAMEDATA_PAGE_SIZE", "40")
	t.Setenv("GAMEDATA_PAGESIZE", "40")
	if _, _, err := settled(t); err == nil || !strings.Contains(err.Error(), "GAMEDATA_PAGESIZE") {
		t.Errorf("an unknown variable: %v", err)
	}
	if err := os.WriteFile(path, []byte("page_size: 30\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := settled(t); err == nil || !strings.Contains(err.Error(), "page_size") {
		t.Errorf("an unknown key: %v", err)
	}
}
