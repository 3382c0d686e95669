package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"gamedata/internal/app/apptest"
)

// serve runs `gamedata serve` until the test ends, on a free port of loopback.
func serve(t *testing.T, args ...string) *apptest.Program {
	t.Helper()
	p := apptest.Run(t, func(ctx context.Context, stdout, stderr io.Writer) int {
		return Run(ctx, append([]string{
			"serve", "--listen", "127.0.0.1:0", "--log-level", "warn", "--leaderboard-refresh", "0",
		}, args...), stdout, stderr)
	})
	t.Cleanup(func() { p.Stop() })
	return p
}

// run runs a command until it ends.
func run(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = Run(context.Background(), args, &out, &errs)
	return code, out.String(), errs.String()
}

func TestCommandLine(t *testing.T) {
	t.Setenv("GAMEDATA_LOG_LEVEL", "warn")
	absent, guilds := filepath.Join(t.TempDir(), "absent"), filepath.Join(t.TempDir(), "guild-list-guild.json")
	body := `{"Lantern Row": {"uuid": "a0000000-0000-4000-8000-000000000001", "prefix": "LNRW"}}`
	if err := os.WriteFile(guilds, []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
	hostile := t.TempDir()
	if err := os.WriteFile(filepath.Join(hostile, "item-sets\x1b[2J\n.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	pipes := t.TempDir()
	pipe := filepath.Join(pipes, "item-sets.json")
	if err := exec.Command("mkfifo", pipe).Run(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"import", pipes}, 1, "not a regular file"},
		{[]string{"import", "ItemSets", pipe}, 1, "not a regular file"},
		{[]string{"doctor", "--config", pipe}, 2, "not a regular file"},
		{[]string{"account", "show", "x", "--pepper-file", pipe}, 1, "--pepper-file: open " + pipe + ": not a regular file"},
		{[]string{"restore", pipe, "--data-dir", absent}, 1, "restore: "},
		{[]string{"--help"}, 0, "GAMEDATA_DATA_DIR"},
		{[]string{"version"}, 0, "contract v3.7.0"},
		{[]string{"serve", "--help"}, 0, "--demo"},
		{[]string{"sreve"}, 2, `for "gamedata": did you mean serve?`},
		{[]string{"help", "serve"}, 0, "--listen"},
		{[]string{"help", "jobs", "walk"}, 2, `"walk"`},
		{[]string{"completion"}, 0, "powershell"},
		{[]string{"completion", "nosh"}, 2, `"nosh"`},
		{[]string{"serve", "--port", "1"}, 2, "--port"},
		{[]string{"serve", "x"}, 2, `"x"`},
		{[]string{"serve", "--rates", "ITEMS"}, 2, "want values such as ITEMS.guest=20"},
		{[]string{"serve", "--rates", "items.guest=1"}, 2, "unknown bucket \"items\"; buckets are PLAYER GUILD"},
		{[]string{"serve", "--rates", "ITEMS.guest=0"}, 2, "ITEMS.guest must be 1 to 1000000"},
		{[]string{"serve", "--redis-url", "http://:secret@nowhere"}, 2, "--redis-url: want an address such as redis://"},
		{[]string{"account"}, 0, "link-code"},
		{[]string{"account", "create"}, 2, "create requires NAME"},
		{[]string{"token", "create", "Salted"}, 2, "gamedata: create requires ACCOUNT NAME"},
		{[]string{"token", "make"}, 0, "gdt_"},
		{[]string{"serve", "--request-timeout", "0s"}, 2, "--request-timeout"},
		{[]string{"serve", "--help"}, 0, "(default 64MiB)"},
		{[]string{"serve", "--cache-size", "64KiB"}, 2, "--cache-size must be 0, or 1MiB or more"},
		{[]string{"serve", "--cache-size", "1.5GiB"}, 2, "want a number of bytes such as 64MiB"},
		{[]string{"serve", "--concurrency", "1"}, 2, "--concurrency must be 0, or 2 to"},
		{[]string{"serve", "--allowed-hosts", "https://data.example"}, 2, "--allowed-hosts"},
		{[]string{"serve", "--allowed-hosts", "data.example,bücher.example"}, 2, `"bücher.example" is not a name`},
		{[]string{"serve", "--allowed-hosts", ":8080"}, 2, `":8080" is not a name`},
		{[]string{"serve", "--queue-wait", "0s"}, 2, "--queue-wait"},
		{[]string{"serve", "--log-level", "loud"}, 2, "--log-level"},
		{[]string{"serve", "--trusted-proxies", "unknown"}, 2, "--trusted-proxies"},
		{[]string{"serve", "--trusted-proxies", "10.0.0.0/8,::ffff:10.0.0.0/104"}, 2, "matches no address"},
		{[]string{"serve", "--trusted-proxies", "::ffff:10.0.0.1"}, 2, "matches no address"},
		{[]string{"serve", "--trusted-proxies", "0.0.0.0"}, 2, "matches no address"},
		{[]string{"serve", "--public-url", "https://bücher.example"}, 2, "--public-url"},
		{[]string{"serve", "--public-url", "data.example"}, 2, "--public-url"},
		{[]string{"serve", "--seed-time", "noon"}, 2, "--seed-time"},
		{[]string{"serve", "--players", "9"}, 2, "--players"},
		{[]string{"serve", "--listen", "nowhere"}, 2, "--listen"},
		{[]string{"serve", "--listen", ":"}, 2, "--listen must be an address such as"},
		{[]string{"serve", "--config", "missing.yaml"}, 2, "missing.yaml"},
		{[]string{"serve", "--leaderboard-refresh", "10ms"}, 2, "--leaderboard-refresh must be 0"},
		{[]string{"jobs", "run", "--help"}, 0, "leaderboards"},
		{[]string{"jobs", "run", "cleaning"}, 2, "cleaning"},
		{[]string{"jobs", "walk"}, 2, "walk"},
		{[]string{"jobs", "run", "--data-dir", "data"}, 2, "--data-dir"},
		{[]string{"jobs", "run", "ranks", "--full"}, 2, "--full"},
		{[]string{"jobs", "run", "sweep", "now"}, 2, "now"},
		{[]string{"import"}, 2, "gamedata: import requires a file"},
		{[]string{"import", "Nothing"}, 2, "operations are AbilityMap"},
		{[]string{"import", "missing.json"}, 1, "missing.json"},
		{[]string{"import", "x.json", "--var", "tree"}, 2, "name=value"},
		{
			[]string{"import", "AbilityTree", "missing.json", "--var", "tre=archer"},
			2,
			"--var: no operation has the variable tre",
		},
		{
			[]string{"import", "AbilityTree", "missing.json", "--var", "username=Salted"},
			2,
			"--var: no operation has the variable username",
		},
		{[]string{"export", ""}, 2, "gamedata: export requires DIR"},
		{[]string{"backup", filepath.Join(t.TempDir(), "file"), "--data-dir", t.TempDir()}, 1, "there is no store in"},
		{[]string{"serve", "--listen", "nowhere", "--mongo-database", "a.b"}, 2, "--mongo-database"},
		{
			[]string{"serve", "--listen", "127.0.0.1:0", "--data-dir", absent, "--bootstrap-token", "gdt_mistyped"},
			2,
			"gamedata token make",
		},
		{
			[]string{"serve", "--listen", "127.0.0.1:0", "--data-dir", absent, "--pepper-file", "missing"},
			1,
			"--pepper-file: open missing",
		},
		{
			[]string{"verify", "--target", "http://127.0.0.1:1", "--max-wait", "-1s"},
			2,
			"--max-wait must be 1s to 1h",
		},
		{[]string{"seed", "--players", "1000001"}, 2, "--players"},
		{[]string{"serve", "--demo-speed", "-1"}, 2, "--demo-speed"},
		{[]string{"serve", "--guest-rate", "abc"}, 2, `--guest-rate must be a whole number, not "abc"`},
		{[]string{"serve", "--queue-wait", "soon"}, 2, `--queue-wait must be a duration such as 30s, not "soon"`},
		{[]string{"import", "/nosuch"}, 1, `there is no file or folder "/nosuch"`},
		{[]string{"import", guilds}, 1, `guild-list-guild.json", read as a response of GET /v3/guild/list/guild`},
		{[]string{"import", hostile}, 1, `item-sets\x1b[2J\n.json", read as`},
		{[]string{"verify", "https://data.example"}, 2, "give the URL with --target"},
		{[]string{"--help"}, 0, "Operate a service:\n  config "},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			code, out, errs := run(c.args...)
			if code != c.code || !strings.Contains(out+errs, c.says) || strings.Contains(out+errs, "\x1b") {
				t.Errorf("%v: got exit status %d and %q, want %d and %q", c.args, code, out+errs, c.code, c.says)
			}
		})
	}
	if _, err := os.Stat(absent); err == nil {
		t.Error("a service that cannot start created a store")
	}
}

// A command that waits for what cannot be cancelled ends soon after the first signal.
func TestSignalEndsCommands(t *testing.T) {
	t.Parallel()
	root, begun := command(), make(chan struct{})
	root.AddCommand(&cobra.Command{Use: "wait", RunE: withSettings(func(*cobra.Command, []string) error {
		close(begun)
		select {}
	})})
	root.SetArgs([]string{"wait"})
	ctx, signal := context.WithCancel(t.Context())
	go func() { <-begun; signal() }()
	if err := root.ExecuteContext(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
