// Package apptest starts services on demo worlds, for tests of the program and of its commands.
package apptest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"sync"
	"testing"

	"github.com/spf13/pflag"

	"gamedata/internal/app"
	"gamedata/internal/config"
	"gamedata/internal/httpapi/httpapitest"
)

// Program is a running service.
type Program struct {
	Base           string // of its URLs
	Stdout, Stderr *httpapitest.Buffer
	Stop           func() (code int) // ends the program and waits for it
}

// defaults give every service of the tests generous timeouts: the machine may be slow and busy, and a slow store is no
// failure. Tests of timeouts override them.
var defaults = []string{
	"--listen", "127.0.0.1:0", "--log-level", "warn", "--leaderboard-refresh", "0", "--store-timeout", "1m",
	"--request-timeout", "2m", "--queue-wait", "1m",
	"--drain-delay", "0s",
}

// Address matches the URL of a service in its first lines.
var Address = regexp.MustCompile(`GraphQL +(http://[^/]+)/graphql`)

// Settings reads flags of `gamedata serve`.
func Settings(t testing.TB, args ...string) *config.Service {
	t.Helper()
	c := new(config.Service)
	flags := pflag.NewFlagSet("serve", pflag.ContinueOnError)
	c.Add(flags)
	if err := flags.Parse(args); err != nil {
		t.Fatal(err)
	}
	return c
}

// Start runs a service with flags of `gamedata serve` on a free loopback port until the test ends.
func Start(t testing.TB, args ...string) *Program {
	t.Helper()
	p := launch(t, args...)
	t.Cleanup(func() { p.Stop() })
	return p
}

func launch(t testing.TB, args ...string) *Program {
	t.Helper()
	c := Settings(t, slices.Concat(defaults, args)...)
	return Run(t, func(ctx context.Context, stdout, stderr io.Writer) int {
		a, err := app.New(ctx, c, stdout, stderr)
		if err == nil {
			err = errors.Join(a.Run(ctx), a.Close())
		}
		if err != nil {
			fmt.Fprintln(stderr, err)
			return 1
		}
		return 0
	})
}

// Run calls serve, which runs a service, and waits until the service listens. The caller stops the program.
func Run(t testing.TB, serve func(ctx context.Context, stdout, stderr io.Writer) (code int)) *Program {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	p := &Program{Stdout: new(httpapitest.Buffer), Stderr: new(httpapitest.Buffer)}
	ended := make(chan int, 1)
	go func() { ended <- serve(ctx, p.Stdout, p.Stderr) }()
	p.Stop = sync.OnceValue(func() int { cancel(); return <-ended })
	Await(t, "the address of the service", func() bool {
		m := Address.FindStringSubmatch(p.Stdout.String())
		if m != nil {
			p.Base = m[1]
		} else if len(ended) > 0 {
			t.Fatalf("the service ended with %d: %s", p.Stop(), p.Stderr)
		}
		return m != nil
	})
	return p
}

var adminAddress = regexp.MustCompile(`admin +(http://\S+)`)

// AdminBase returns the URL of the admin listener of a service that was started with --admin-listen.
func AdminBase(t testing.TB, p *Program) string {
	t.Helper()
	m := adminAddress.FindStringSubmatch(p.Stdout.String())
	if m == nil {
		t.Fatalf("got no line about the admin listener: %s", p.Stdout)
	}
	return m[1]
}
