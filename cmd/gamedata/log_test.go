package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// programAfter returns the program as a separate process, after a shell command such as ulimit.
func programAfter(t *testing.T, prepare string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", append([]string{"-c", prepare + `; exec "$0" "$@"`, os.Args[0]}, args...)...)
	cmd.Env = append(os.Environ(), runAsProgram+"=1")
	return cmd
}

// Every line of the log is JSON if that is wanted: those of net/http, of the driver and of package log too.
func TestLogFormat(t *testing.T) {
	t.Parallel()
	cmd := programAfter(t, "ulimit -n 40", "serve", "--data-dir", t.TempDir(), "--listen", "127.0.0.1:0", "--log-format", "json",
		"--log-level", "debug")
	cmd.Env = append(cmd.Env, "MONGODB_LOG_COMMAND=debug")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer kill.Stop()
	var address string
	for banner := bufio.NewScanner(stdout); address == "" && banner.Scan(); {
		if m := regexp.MustCompile(`GraphQL +http://([^/]+)/`).FindStringSubmatch(banner.Text()); m != nil {
			address = m[1]
		}
	}
	go func() { _, _ = io.Copy(io.Discard, stdout) }()
	var conns []net.Conn
	for range 60 {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		conns = append(conns, conn)
	}
	var driver, server bool
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		var line struct{ Level, Msg, Time string }
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil || line.Level == "" || line.Msg == "" || line.Time == "" {
			t.Errorf("got the line %s, want JSON: %v", lines.Text(), err)
		}
		driver = driver || strings.HasPrefix(line.Msg, "driver: ")
		if strings.Contains(line.Msg, "http: Accept error") && !server {
			server = true
			for _, conn := range conns {
				_ = conn.Close()
			}
			if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := cmd.Wait(); err != nil || !driver || !server {
		t.Errorf("ended with %v; lines of the driver %v, of net/http %v", err, driver, server)
	}
}

// The last words of a command that fails are a line of the log too.
func TestLogFormatOfFailure(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		command string
		status  int
	}{
		{"jobs run ranks", 1},
		{"export -", 1},
		{"import nothing.json", 1},
		{"serve --listen 192.0.2.1:0", 1},
		{"serve --listen nowhere:x", 2},
		{"serve --request-timeout 0s", 2},
		{"doctor", 1},
		{"token list Nobody", 1},
	} {
		file := t.TempDir() + "/file"
		writeFile(t, file, "")
		args := append(strings.Fields(c.command), "--data-dir", file, "--log-format", "json")
		cmd := programAfter(t, "true", args...)
		var stderr strings.Builder
		cmd.Stderr = &stderr
		var exit *exec.ExitError
		if err := cmd.Run(); !errors.As(err, &exit) || exit.ExitCode() != c.status {
			t.Errorf("%s: ended with %v: %s", c.command, err, &stderr)
		}
		for line := range strings.Lines(stderr.String()) {
			if !json.Valid([]byte(line)) {
				t.Errorf("%s: got the line %q, want JSON", c.command, line)
			}
		}
	}
}
