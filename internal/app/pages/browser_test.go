package pages

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

// browserPage is a page in Chromium. It records problems and the hosts that it requests.
type browserPage struct {
	t   *testing.T
	ctx context.Context

	subject string // what failures are about, empty or with a colon and a space

	mu       sync.Mutex
	problems []string
	hosts    map[string]bool
}

// screenshots is the folder for screenshots, none if empty.
var screenshots = os.Getenv("SCREENSHOTS")

// skipMissing skips a test because something is missing on this machine. It fails the test if BROWSER_TESTS is
// "required", as in CI.
func skipMissing(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("BROWSER_TESTS") == "required" {
		t.Fatal(what)
	}
	t.Skip(what)
}

// openBrowser opens an empty page of the given size, in dark mode if dark. It resolves no names of other hosts.
func openBrowser(t *testing.T, width, height int64, dark bool) *browserPage {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		skipMissing(t, "Chromium is not installed")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.UserDataDir(t.TempDir()), chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"))
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 6*time.Minute)
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
	b.resize(width, height, scheme)
	return b
}

// resize sets the size of the window, and the colour scheme light or dark.
func (b *browserPage) resize(width, height int64, scheme string) {
	b.t.Helper()
	call(b, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: width, Height: height, DeviceScaleFactor: 1, Mobile: width < 700,
	})
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"},
		},
	})
}

// call sends the browser a command; the test ends if that fails.
func call[P, R any](b *browserPage, command cdp.Command[P, R], params P) {
	b.t.Helper()
	if _, err := chromedp.Call(b.ctx, command, params); err != nil {
		b.t.Fatal(err)
	}
}

// onEvent records the requests and the problems of the page.
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

// waitFor waits until a JavaScript expression is true.
func (b *browserPage) waitFor(expression string) {
	b.t.Helper()
	if _, err := chromedp.Run(b.ctx, chromedp.Poll[bool](expression,
		chromedp.WithPollingTimeout(time.Minute))); err != nil {
		b.fail(fmt.Errorf("%s: %w", expression, err))
	}
}

// text returns the visible text of the first element that matches.
func (b *browserPage) text(selector chromedp.CSS) string {
	b.t.Helper()
	text, err := chromedp.Run(b.ctx, chromedp.Text(selector))
	if err != nil {
		b.fail(err)
	}
	return text
}

// evaluate returns the value of a JavaScript expression.
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
	b.t.Fatalf("%v; problems of the page: %q", err, b.problems)
}

// screenshot writes a screenshot if the folder for them is set.
func (b *browserPage) screenshot(name string) {
	if screenshots == "" {
		return
	}
	png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.t.Log("no screenshot:", err)
		return
	}
	name = strings.ReplaceAll(b.t.Name(), "/", "-") + "-" + name + ".png"
	if err := os.WriteFile(filepath.Join(screenshots, name), png, 0o600); err != nil {
		b.t.Error(err)
	}
}

// screenshots writes a picture of the page in every width and scheme if the folder for them is set, and leaves the
// window as wide as it was.
func (b *browserPage) screenshots(name string) {
	if screenshots == "" {
		return
	}
	before := evaluate[int64](b, "innerWidth")
	for _, width := range []int64{390, 820, 1280, 1920} {
		for _, scheme := range []string{"light", "dark"} {
			b.resize(width, 1400, scheme)
			b.screenshot(fmt.Sprintf("%s-%d-%s", name, width, scheme))
		}
	}
	b.resize(before, 1400, "light")
}

// expectClean checks that the page requested only its own host and had no problems.
func (b *browserPage) expectClean(base string) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	own := strings.TrimPrefix(base, "http://")
	if !b.hosts[own] {
		b.t.Error("the page requested nothing from its own host")
	}
	for host := range b.hosts {
		if host != own {
			b.t.Errorf("the page requested %s", host)
		}
	}
	for _, p := range b.problems {
		b.t.Errorf("problem of the page: %s", p)
	}
}
