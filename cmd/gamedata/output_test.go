package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"gamedata/internal/app/apptest"
)

// withoutData are the commands that print no data: logs, documents, scripts and help.
var withoutData = []string{
	"gamedata serve", "gamedata mcp", "gamedata help", "gamedata completion bash",
	"gamedata completion zsh", "gamedata completion fish", "gamedata completion powershell",
}

// dataCommands returns the paths of the commands that print data, all of which have --output.
func dataCommands(t *testing.T) map[string]bool {
	t.Helper()
	root := command()
	rejectUnknownArgs(root)
	without := map[string]bool{}
	for _, path := range withoutData {
		without[path] = true
	}
	out := map[string]bool{}
	visit(root, func(cmd *cobra.Command) {
		if cmd.HasSubCommands() {
			return
		}
		has := cmd.Flags().Lookup("output") != nil
		if has == without[cmd.CommandPath()] {
			t.Errorf("%s: has --output: %t; a command has it, or is listed in withoutData", cmd.CommandPath(), has)
		}
		if has {
			out[strings.TrimPrefix(cmd.CommandPath(), "gamedata ")] = true
		}
	})
	return out
}

// Every command that prints data prints one JSON object with --output json: the cases run in order on one store.
func TestOutputJSON(t *testing.T) {
	if testing.Short() {
		t.Skip("make race leaves out the longest tests")
	}
	t.Parallel()
	untested := dataCommands(t)
	dir, files := apptest.Dir(t), t.TempDir()
	in := func(name string) string { return filepath.Join(files, name) }
	writeFile(t, in("item-sets.json"), `{}`)
	values := map[string]string{"{dir}": dir} // and those that earlier commands printed
	store := []string{"--data-dir", dir}
	check := func(command string, args []string, keys ...string) map[string]any {
		t.Helper()
		delete(untested, command)
		line := append(strings.Fields(command), args...)
		for i, arg := range line {
			if value, ok := values[arg]; ok {
				line[i] = value
			}
		}
		code, out, errs := run(append(line, "--output", "json")...)
		var result map[string]any
		if err := json.Unmarshal([]byte(out), &result); err != nil || code != 0 || errs != "" {
			t.Fatalf("%v: got exit status %d, %v and %s%s", line, code, err, out, errs)
		}
		for _, key := range keys {
			if _, ok := result[key]; !ok {
				t.Errorf("%v: got no %s in %s", line, key, out)
			}
		}
		return result
	}
	on := func(args ...string) []string { return append(args, store...) }

	version := check("version", nil, "version", "commit", "contract", "go", "os", "arch")
	if version["contract"] != "v3.7.0" {
		t.Errorf("version: got the contract %v", version["contract"])
	}
	check("seed", on("--players", "60", "--seed-days", "0", "--seed-time", "2026-03-20T12:00:00Z"), "players", "seconds", "store")
	check("account create", on("Salted"), "name", "id")
	code := check("account link-code", on("Salted"), "code", "player", "validSeconds")
	values["{code}"] = code["code"].(string)
	check("account link", on("Salted", "{code}"), "account", "player")
	shown := check("account show", on("Salted"), "name", "id", "created", "tokens", "players")
	if player := shown["players"].([]any)[0].(map[string]any); player["username"] != "Salted" || player["uuid"] == "" {
		t.Errorf("account show: got the player %v", player)
	}
	check("account unlink", on("Salted", "Salted"), "account", "player")
	check("token make", nil, "value")
	check("token create", on("Salted", "pc", "--expires-in", "3", "--description", "bus"), "account", "name", "value", "expires")
	token := check("token list", on("Salted"), "account", "tokens")["tokens"].([]any)[0].(map[string]any)
	if token["name"] != "pc" || token["description"] != "bus" || token["expired"] != false || token["lastUsed"] != nil {
		t.Errorf("token list: got %v", token)
	}
	check("token delete", on("Salted", "pc"), "account", "name")
	check("feed-token create", on("eu1"), "name", "value")
	check("feed-token list", on(), "feedTokens")
	check("feed-token delete", on("eu1"), "name")
	for _, job := range []string{"leaderboards", "ranks", "statistics", "history", "colour", "sweep"} {
		check("jobs run "+job, on(), "job", "report", "seconds", "store")
	}
	check("jobs run dumps", on("--dumps-dir", in("dumps")), "job", "report", "seconds", "store")
	check("backup", on(in("backup")), "file", "bytes", "store")
	check("restore", []string{in("backup"), "--data-dir", in("restored")}, "file", "dataDir")
	check("export", on(in("exported")), "directory", "records", "bytes", "collections", "store")
	check("import", []string{in("exported"), "--data-dir", in("imported")}, "records", "collections", "store")
	check("migrate", on("--dry-run"), "problems", "store")
	check("migrate", on(), "built", "store")
	service := apptest.Start(t, on()...)
	check("verify", []string{"--target", service.Base, "--only", "sets*"}, "cases", "passed", "bySchemaOnly", "failures")
	check("config explain", on("--concurrency", "30"), "settings")
	check("doctor", on("--listen", "127.0.0.1:0"), "findings")

	// The password comes from standard input, which tests share: only the error is checked, which stays on stderr.
	delete(untested, "account password")
	exit, out, errs := run(append([]string{"account", "password", "Nobody", "--output", "json"}, store...)...)
	if exit != 1 || out != "" || !strings.Contains(errs, "no such account") {
		t.Errorf("account password: got exit status %d, %q and %s", exit, out, errs)
	}
	if len(untested) > 0 {
		t.Errorf("not run here: %v", untested)
	}
}
