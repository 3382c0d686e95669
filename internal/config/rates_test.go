package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// settledRates runs the layers over a verb with rates and returns the result.
func settledRates(args ...string) (string, error) {
	root := &cobra.Command{Use: "gamedata", SilenceErrors: true, SilenceUsage: true}
	root.PersistentFlags().String("config", "", "")
	verb := &cobra.Command{Use: "verb", RunE: func(cmd *cobra.Command, _ []string) error { return Load(cmd) }}
	var rates Rates
	rates.add(NewSettings(verb.Flags()))
	root.AddCommand(verb)
	root.SetArgs(append([]string{"verb"}, args...))
	err := root.Execute()
	return verb.Flags().Lookup("rates").Value.String(), err
}

// A file may spread the numbers over buckets; a layer above changes single ones, the command
// line all.
func TestRatesInLayers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.yaml")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := func(step, want string, args ...string) {
		t.Helper()
		if got, err := settledRates(args...); err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", step, got, err, want)
		}
	}
	refused := func(step, says string, args ...string) {
		t.Helper()
		if got, err := settledRates(args...); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %q, %v; want an error that says %q", step, got, err, says)
		}
	}
	want("none", "")
	want("command line", "ITEMS.guest=20,MAP.oauth=7", "--rates", "MAP.oauth=7", "--rates", "ITEMS.guest=20")
	write("rates:\n  ITEMS:\n    guest: 20\n    token: 600\n  MAP.oauth: 7\n")
	want("file", "ITEMS.guest=20,ITEMS.token=600,MAP.oauth=7", "--config", path)
	t.Setenv("GAMEDATA_RATES", "ITEMS.guest=21")
	want("environment over file", "ITEMS.guest=21,ITEMS.token=600,MAP.oauth=7", "--config", path)
	want("command line over both", "SHARED.guest=1", "--config", path, "--rates", "SHARED.guest=1")
	write("rates:\n  ITEMS:\n    guest: few\n")
	refused("a word", "rates.ITEMS.guest", "--config", path)
	write("rates:\n  GOODS:\n    guest: 20\n")
	refused("another bucket", `unknown bucket "GOODS"`, "--config", path)
	write("guest-rate:\n  ITEMS: 20\n")
	refused("what has nothing below it", "unknown setting guest-rate.ITEMS", "--config", path)
}
