package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"gamedata/internal/config"
)

func TestConfigExplain(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "settings.yaml")
	writeFile(t, file, "concurrency: 30\nguest-rate: 70\n")
	t.Setenv("GAMEDATA_GUEST_RATE", "80")
	t.Setenv("GAMEDATA_PEPPER", "hidden-pepper")
	t.Setenv("GAMEDATA_MONGO_URI", "mongodb://keeper:hidden-word@one:27017,two:27017/?replicaSet=game")
	out := expect(t, 0, "", "config", "explain", "--config", file, "--listen", ":9000")
	if strings.Contains(out, "hidden") {
		t.Fatal(out)
	}
	for _, want := range []string{
		`listen +:9000 +command line\n`,
		`concurrency +30 +concurrency in \S+settings.yaml\n`,
		`guest-rate +80 +GAMEDATA_GUEST_RATE\n`,
		`pepper +\(secret\) +GAMEDATA_PEPPER\n`,
		`mongo-uri +mongodb://keeper:xxxxx@one:27017,two:27017/\S+ +GAMEDATA_MONGO_URI\n`,
		`cache-size +64MiB +default\n`,
	} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("got no %q in\n%s", want, out)
		}
	}
	for value, want := range map[string]string{
		"redis://:word@host/0":      "redis://:xxxxx@host/0",
		"mongodb+srv://a:word@host": "mongodb+srv://a:xxxxx@host", "10.0.0.0/8": "10.0.0.0/8",
	} {
		if out := expect(t, 0, want, "config", "explain", "--mongo-uri", value); strings.Contains(out, "word@") {
			t.Errorf("%s: %s", value, out)
		}
	}
}

func withoutSettings(t *testing.T) {
	t.Helper()
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "GAMEDATA_") {
			t.Setenv(name, "") // restores it
			if err := os.Unsetenv(name); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// An empty setting, or one of white space, is as if not given, wherever it comes from.
func TestEmptySettings(t *testing.T) {
	explain := func(args ...string) map[string]config.Setting {
		t.Helper()
		code, out, errs := run(append([]string{"config", "explain", "--output", "json"}, args...)...)
		var list struct{ Settings []config.Setting }
		if err := json.Unmarshal([]byte(out), &list); code != 0 || err != nil {
			t.Fatalf("%.300v: %d %s %v", args, code, errs, err)
		}
		settings := map[string]config.Setting{}
		for _, s := range list.Settings {
			settings[s.Name] = s
		}
		return settings
	}
	withoutSettings(t)
	defaults := explain()
	if len(defaults) < 40 {
		t.Fatalf("got %d settings", len(defaults))
	}
	same := func(how string, args ...string) {
		t.Helper()
		if got := explain(args...); !maps.Equal(got, defaults) {
			for name, s := range got {
				if s != defaults[name] {
					t.Errorf("%s: got %+v, want %+v", how, s, defaults[name])
				}
			}
		}
	}
	file := filepath.Join(t.TempDir(), "settings.yaml")
	for how, value := range map[string]string{"empty": `""`, "blank": `" \t\n"`, "null": "", "list": "[]", "map": "{}"} {
		var text strings.Builder
		for name := range defaults {
			text.WriteString(name + ": " + value + "\n")
		}
		writeFile(t, file, text.String())
		same("file: "+how, "--config", file)
	}
	for _, value := range []string{"", " \t\n"} {
		var flags []string
		for name := range defaults {
			flags = append(flags, "--"+name+"="+value)
		}
		same("flags", flags...)
	}
	for _, value := range []string{"", " \t\n"} {
		for _, s := range defaults {
			t.Setenv(s.Environment, value)
		}
		same("variables")
	}
	t.Setenv("GAMEDATA_LISTEN", ":9000")
	if got := explain("--listen", "")["listen"]; got.Value != ":9000" || got.Source != "GAMEDATA_LISTEN" {
		t.Errorf("a variable and an empty flag: got %+v", got)
	}
}

// A secret has no line end, wherever it comes from.
func TestSecretLineEnds(t *testing.T) {
	withoutSettings(t)
	file := filepath.Join(t.TempDir(), "secret")
	writeFile(t, file, "word\r\n")
	for _, args := range [][]string{{"--token", "word\n"}, {"--token-file", file}, nil} {
		if args == nil {
			t.Setenv("GAMEDATA_TOKEN", "word\n")
		}
		var token config.Secret
		root := &cobra.Command{Use: "x", SilenceUsage: true, RunE: func(cmd *cobra.Command, _ []string) error {
			if err := config.Load(cmd); err != nil {
				return err
			}
			if secret, err := token.Read(); err != nil || secret != "word" {
				t.Errorf("%q: got %q, %v", args, secret, err)
			}
			return nil
		}}
		root.Flags().String("config", "", "")
		token.AddToken(root.Flags())
		config.Prepare(root)
		root.SetArgs(append([]string{}, args...))
		if err := root.Execute(); err != nil {
			t.Error(err)
		}
	}
}

// Completion covers the commands and their flags.
func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		expect(t, 0, "gamedata", "completion", shell)
	}
	expect(t, 0, "--admin-listen", "__complete", "serve", "--admin")
}
