package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"gamedata/internal/app/apptest"
	"gamedata/internal/slowtest"
)

// process is the program as a separate process, which can be killed.
type process struct {
	base string
	// kill ends the process at once, as a crash of the machine would.
	kill func()
	cmd  *exec.Cmd
}

func startProcess(t *testing.T, dir string) *process {
	t.Helper()
	return startServing(t, "--listen", "127.0.0.1:0", "--data-dir", dir, "--demo", "--demo-speed", "0", "--players", "60")
}

// startServing runs `gamedata serve` and waits until it listens.
func startServing(t *testing.T, args ...string) *process {
	t.Helper()
	p, out := runProcess(t, append([]string{"serve", "--leaderboard-refresh", "0", "--log-level", "warn"}, args...)...)
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if m := apptest.Address.FindStringSubmatch(lines.Text()); m != nil {
			p.base = m[1]
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return p
		}
	}
	t.Fatal("the program did not start")
	return nil
}

// runProcess runs the program until it is killed or the test ends; its standard output must be read.
func runProcess(t *testing.T, args ...string) (*process, io.Reader) {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), runAsProgram+"=1")
	out, err := cmd.StdoutPipe()
	if err == nil {
		cmd.Stderr = os.Stderr
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	p := &process{cmd: cmd, kill: sync.OnceFunc(func() { _, _ = cmd.Process.Kill(), cmd.Wait() })}
	t.Cleanup(p.kill)
	return p, out
}

// terminate ends the process as a service manager does and waits for it.
func (p *process) terminate(t *testing.T) {
	t.Helper()
	if err := errors.Join(p.cmd.Process.Signal(syscall.SIGTERM), p.cmd.Wait()); err != nil {
		t.Errorf("ending a process: %v", err)
	}
}

// sendFeed sends a body as a script would, over a plain connection. It calls sent when the body is written.
func sendFeed(base, token, body string, sent func()) (status int, report feedReport, err error) {
	conn, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
	if err != nil {
		return 0, report, err
	}
	defer conn.Close()
	_, err = fmt.Fprintf(conn, "POST /feed HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\n"+
		"Content-Type: application/x-ndjson\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", token, len(body), body)
	sent()
	if err != nil {
		return 0, report, err
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return 0, report, err
	}
	defer res.Body.Close()
	return res.StatusCode, report, json.NewDecoder(res.Body).Decode(&report)
}

type feedReport struct{ Applied, Duplicates, Rejected int }

// A server whose service is killed while it applies events sends them again: each is applied once in the end.
func TestFeedSurvivesKills(t *testing.T) {
	slowtest.Only(t)
	t.Parallel()
	dir := apptest.Dir(t)
	p := startProcess(t, dir)
	token := runCommand(t, dir, 0, "feed-token", "create", "eu-1")
	if out := runCommand(t, dir, 0, "feed-token", "list"); !strings.Contains(out, "eu-1") || strings.Contains(out, token) {
		t.Errorf("the list of tokens is %s", out)
	}
	const player, character = "00000000-0000-4000-8000-0000000000f1", "00000000-0000-4000-8000-0000000000f2"
	var b strings.Builder
	fmt.Fprintf(&b, `{"id": "p", "event": "PlayerAdded", "data": {"player": %q, "username": "Fernwick"}}`+"\n", player)
	fmt.Fprintf(&b, `{"id": "c", "event": "CharacterAdded", "data": {"player": %q, "character": %q, "type": "MAGE"}}`+
		"\n", player, character)
	const gains = 2500
	for i := range gains {
		fmt.Fprintf(&b, `{"id": "g%d", "event": "CharacterGained", "data": {"character": %q, "xp": 1, "mobsKilled": 1}}`+
			"\n", i, character)
	}
	b.WriteString(`{"id": "w", "event": "WorldEntered", "data": {"character": "` + character + `", "server": "EU1"}}`)
	kills := 0
	for _, delay := range []time.Duration{5 * time.Millisecond, 40 * time.Millisecond, 120 * time.Millisecond} {
		_, _, err := sendFeed(p.base, token, b.String(), func() { time.AfterFunc(delay, p.kill) })
		if err != nil {
			kills++
		}
		p.kill()
		p = startProcess(t, dir)
	}
	if kills == 0 {
		t.Error("every request was done before its service was killed")
	}
	status, report, err := sendFeed(p.base, token, b.String(), func() {})
	if err != nil || status != 200 || report.Applied+report.Duplicates != gains+2 || report.Rejected != 1 {
		t.Fatalf("got %d %+v, %v", status, report, err)
	}
	got := apptest.Decode[struct {
		Username   string
		GlobalData struct{ MobsKilled int64 }
		Characters map[string]struct {
			XP, MobsKilled int64
			Level          int
		}
	}](t, apptest.RequestOK(t, p.base, "GET", "/v3/player/"+player+"?fullResult", ""))
	c := got.Characters[character]
	if got.Username != "Fernwick" || got.GlobalData.MobsKilled != gains || c.MobsKilled != gains || c.XP != gains {
		t.Errorf("after %d kills: got %+v, want %d of each", kills, got, gains)
	}
	runCommand(t, dir, 0, "feed-token", "delete", "eu-1")
	runCommand(t, dir, 1, "feed-token", "delete", "eu-1")
	if status, _, err := sendFeed(p.base, token, b.String(), func() {}); err != nil || status != 401 {
		t.Errorf("a deleted token: got %d, %v", status, err)
	}
}
