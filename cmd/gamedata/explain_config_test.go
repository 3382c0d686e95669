package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

func TestConfigExplain(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "settings.yaml")
	if err := os.WriteFile(file, []byte("concurrency: 30\nguest-rate: 70\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GAMEDATA_GUEST_RATE", "80")
	t.Setenv("GAMEDATA_PEPPER", "hidden-pepper")
	t.Setenv("GAMEDATA_MONGO_URI", "mongodb://keeper:hidden-word@one:27017,two:27017/?replicaSet=game")
	code, out, errs := run("config", "explain", "--config", file, "--listen", ":9000")
	if code != 0 || strings.Contains(out+errs, "hidden") {
		t.Fatalf("%d %s%s", code, out, errs)
	}
	for _, want := range []string{
		`listen +:9000 +command line +GAMEDATA_LISTEN\n`,
		`concurrency +30 +concurrency in \S+settings.yaml +GAMEDATA_CONCURRENCY\n`,
		`guest-rate +80 +GAMEDATA_GUEST_RATE +GAMEDATA_GUEST_RATE\n`,
		`pepper +\(secret\) +GAMEDATA_PEPPER +`,
		`mongo-uri +mongodb://keeper:xxxxx@one:27017,two:27017/\S+ +GAMEDATA_MONGO_URI +`,
		`cache-size +64MiB +default +GAMEDATA_CACHE_SIZE\n`,
	} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("got no %q in\n%s", want, out)
		}
	}
	if code, _, errs := run("config", "explain", "--concurrency", "1"); code != 2 || !strings.Contains(errs, "--concurrency") {
		t.Errorf("a wrong setting: %d %s", code, errs)
	}
	for value, want := range map[string]string{
		"redis://:word@host/0":      "redis://:xxxxx@host/0",
		"mongodb+srv://a:word@host": "mongodb+srv://a:xxxxx@host", "10.0.0.0/8": "10.0.0.0/8",
	} {
		code, out, _ := run("config", "explain", "--mongo-uri", value)
		if code != 0 || !strings.Contains(out, want) || strings.Contains(out, "word@") {
			t.Errorf("%s: %d %s", value, code, out)
		}
	}
}

// Manual pages and completion cover the commands and their flags.
func TestManualAndCompletion(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "man1")
	if code, out, errs := run("man", dir); code != 0 || !strings.Contains(out, "pages") {
		t.Fatalf("%d %s%s", code, out, errs)
	}
	page, err := os.ReadFile(filepath.Join(dir, "gamedata-serve.1"))
	if err != nil || !strings.Contains(string(page), `admin\-listen`) && !strings.Contains(string(page), "admin-listen") {
		t.Errorf("%v: the page of serve lacks --admin-listen", err)
	}
	serveCommand().Flags().VisitAll(func(flag *pflag.Flag) {
		if n := strings.Count(string(page), `\fB--`+flag.Name+`\fP`); n != 1 {
			t.Errorf("the page of serve lists --%s %d times, want once", flag.Name, n)
		}
	})
	for _, shell := range []string{"bash", "zsh", "fish"} {
		if code, out, errs := run("completion", shell); code != 0 || !strings.Contains(out, "gamedata") {
			t.Errorf("completion %s: %d %s", shell, code, errs)
		}
	}
	if code, out, _ := run("__complete", "serve", "--admin"); code != 0 || !strings.Contains(out, "--admin-listen") {
		t.Errorf("completes %s", out)
	}
	if code, _, errs := run("man"); code != 2 || !strings.Contains(errs, "DIRECTORY") {
		t.Errorf("%d %s", code, errs)
	}
}
