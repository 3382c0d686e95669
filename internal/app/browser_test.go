package app_test

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// page is one in Chromium that keeps what went wrong and which hosts were asked.
type browserPage struct {
	t   *testing.T
	ctx context.Context

	mu       sync.Mutex
	problems []string
	hosts    map[string]bool
}

// screenshots is a folder that pictures of the pages are written to when it is set.
var screenshots = os.Getenv("SCREENSHOTS")

// lacking skips a test that wants what this machine lacks; where BROWSER_TESTS is "required",
// as in CI, nothing may be lacking.
func skipMissing(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("BROWSER_TESTS") == "required" {
		t.Fatal(what)
	}
	t.Skip(what)
}

// browse opens an empty page of a size, in dark mode if asked. No name of another host
// resolves in it.
func openBrowser(t *testing.T, width, height int64, dark bool) *browserPage {
	t.Helper()
	if testing.Short() {
		t.Skip("what a browser shows is the same with the race detector")
	}
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		skipMissing(t, "there is no Chromium on this machine")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.UserDataDir(t.TempDir()), chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"))
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 3*time.Minute)
	t.Cleanup(cancel)

	b := &browserPage{t: t, ctx: ctx, hosts: map[string]bool{}}
	if err := chromedp.Listen(ctx, b.onEvent); err != nil {
		t.Fatal(err)
	}
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	call(b, log.Enable, cdp.Empty{})
	call(b, network.Enable, network.EnableParams{})
	call(b, runtime.Enable, cdp.Empty{})
	call(b, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: width, Height: height,
		DeviceScaleFactor: 1, Mobile: width < 700,
	})
	call(
		b,
		emulation.SetEmulatedMedia,
		emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}},
	)
	return b
}

// tell sends the browser a command; the test ends when it is refused.
func call[P, R any](b *browserPage, command cdp.Command[P, R], params P) {
	b.t.Helper()
	if _, err := chromedp.Call(b.ctx, command, params); err != nil {
		b.t.Fatal(err)
	}
}

// heard takes the events of the page: what it asked for, and what it complains of.
func (b *browserPage) onEvent(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if u, err := url.Parse(e.Request.URL); err == nil && u.Scheme != "data" && u.Scheme != "blob" {
			b.hosts[u.Host] = true
		}
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			text += " " + e.ExceptionDetails.Exception.Description
		}
		b.problems = append(b.problems, text)
	case *runtime.EventConsoleAPICalled:
		switch e.Type {
		case runtime.ConsoleAPICalledTypeError, runtime.ConsoleAPICalledTypeAssert, runtime.ConsoleAPICalledTypeWarning:
			var text []string
			for _, a := range e.Args {
				text = append(text, string(a.Value)+a.Description)
			}
			b.problems = append(b.problems, strings.Join(text, " "))
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			b.problems = append(b.problems, e.Entry.Text+" "+e.Entry.URL)
		}
	}
}

// do runs actions one after the other; the test ends when one fails.
func (b *browserPage) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.fail(err)
	}
}

// until waits for a JavaScript expression to become true.
func (b *browserPage) waitFor(expression string) {
	b.t.Helper()
	if _, err := chromedp.Run(b.ctx, chromedp.Poll[bool](expression,
		chromedp.WithPollingTimeout(time.Minute))); err != nil {
		b.fail(fmt.Errorf("%s: %w", expression, err))
	}
}

// text is what a person reads in the first element that matches.
func (b *browserPage) text(selector chromedp.CSS) string {
	b.t.Helper()
	text, err := chromedp.Run(b.ctx, chromedp.Text(selector))
	if err != nil {
		b.fail(err)
	}
	return text
}

// value is that of a JavaScript expression.
func evaluate[T any](b *browserPage, expression string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.fail(fmt.Errorf("%s: %w", expression, err))
	}
	return v
}

func (b *browserPage) fail(err error) {
	b.t.Helper()
	b.screenshot("failed")
	b.mu.Lock()
	defer b.mu.Unlock()
	b.t.Fatalf("%v; the page complains of %q", err, b.problems)
}

// picture writes a screenshot when they are asked for.
func (b *browserPage) screenshot(name string) {
	if screenshots == "" {
		return
	}
	png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.t.Log("no picture:", err)
		return
	}
	name = strings.ReplaceAll(b.t.Name(), "/", "-") + "-" + name + ".png"
	if err := os.WriteFile(filepath.Join(screenshots, name), png, 0o600); err != nil {
		b.t.Error(err)
	}
}

// clean checks that the page asked its own host alone and complained of nothing.
func (b *browserPage) expectClean(base string) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	own := strings.TrimPrefix(base, "http://")
	if !b.hosts[own] {
		b.t.Error("the page asked its own host nothing")
	}
	for host := range b.hosts {
		if host != own {
			b.t.Errorf("the page asked %s", host)
		}
	}
	for _, p := range b.problems {
		b.t.Errorf("the page complains: %s", p)
	}
}
