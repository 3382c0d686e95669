package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// defaultCacheSize is the room for finished answers and for records.
const defaultCacheSize = 64 << 20

// serveFlags are the settings of the service.
type serveFlags struct {
	store     storeFlags
	world     worldFlags
	pepper    secretFlag
	bootstrap secretFlag
	admin     adminFlags
	watch     watchFlags

	listen, publicURL   string
	demo, demoStill     bool
	demoSpeed           float64
	pageSize            int
	rates               rateFlags
	queries             queryLimitFlags
	counting            countingFlags
	trusted             []string
	logLevel, logFormat string
	timeout, refresh    time.Duration
	budget              budgetFlags
	hosts               hostFlags
	cacheSize           byteSize
	now                 func() time.Time // decides what is fresh; time.Now when nil
	drainDelay, drain   time.Duration
}

func (f *serveFlags) add(flags *pflag.FlagSet) {
	f.store.add(flags)
	f.world.add(flags)
	addPepper(&f.pepper, flags)
	f.admin.add(flags)
	f.watch.add(flags)
	f.bootstrap.add(flags, "bootstrap-token",
		"API token that the account operator has, made at the start when it is not there")
	flags.BoolVar(&f.demo, "demo", false, "fill the store with the demo world when it is empty")
	flags.BoolVar(&f.demoStill, "demo-still", false, "let nothing happen in the demo world; else it is played")
	flags.Float64Var(&f.demoSpeed, "demo-speed", 1,
		"how fast the clock of the demo world and of the jobs runs, 0.1 to 10000; above 1 ahead of the present")
	flags.StringVar(&f.listen, "listen", "127.0.0.1:8080", "address to listen on; port 0 takes a free one")
	flags.StringVar(&f.publicURL, "public-url", "",
		"address under which browsers and applications reach the service, such as https://data.example; that of --listen when empty")
	flags.IntVar(&f.pageSize, "page-size", 20, "entries of a page, 1 to 1000")
	f.rates.add(flags)
	f.queries.add(flags)
	f.counting.add(flags)
	flags.StringSliceVar(&f.trusted, "trusted-proxies", nil,
		"networks whose X-Forwarded-For is believed, such as 10.0.0.0/8")
	f.cacheSize = defaultCacheSize
	flags.Var(&f.cacheSize, "cache-size", "room for finished answers and, a quarter of it, for records, 1MiB or more; 0 keeps none")
	f.budget.add(flags)
	f.hosts.add(flags)
	flags.DurationVar(&f.timeout, "request-timeout", 5*time.Second, "longest run of one operation")
	flags.DurationVar(&f.refresh, "leaderboard-refresh", 10*time.Minute,
		"time between refreshes of the leaderboards, 1s or more; 0 leaves all jobs to other instances")
	flags.DurationVar(&f.drainDelay, "drain-delay", 0,
		"wait between failing readiness and refusing connections, for load balancers")
	flags.DurationVar(&f.drain, "drain-timeout", 10*time.Second, "longest wait for requests in flight at the end")
	flags.StringVar(&f.logLevel, "log-level", "info", "debug, info, warn or error")
	flags.StringVar(&f.logFormat, "log-format", "text", "text or json")
}

func (f *serveFlags) check() error {
	switch {
	case f.pageSize < 1 || f.pageSize > 1000:
		return usageError{errors.New("--page-size must be 1 to 1000")}
	case !(f.demoSpeed >= 0.1 && f.demoSpeed <= 10_000):
		return usageError{errors.New("--demo-speed must be 0.1 to 10000")}
	case f.cacheSize != 0 && f.cacheSize < 1<<20:
		return usageError{errors.New("--cache-size must be 0, or 1MiB or more")}
	case f.timeout < time.Millisecond || f.timeout > 10*time.Minute:
		return usageError{errors.New("--request-timeout must be between 1ms and 10m")}
	case f.refresh != 0 && (f.refresh < time.Second || f.refresh > 24*time.Hour):
		return usageError{errors.New("--leaderboard-refresh must be 0, or between 1s and 24h")}
	case f.drainDelay < 0 || f.drainDelay > 10*time.Minute, f.drain < 0 || f.drain > 10*time.Minute:
		return usageError{errors.New("--drain-delay and --drain-timeout must be between 0s and 10m")}
	}
	_, err := f.origin("")
	return errors.Join(err, f.rates.check(), f.queries.check(), f.counting.check(), f.budget.check(), f.store.check(),
		f.watch.check(),
		f.hosts.check())
}

// origin is the address the service is known under, without a slash at its end; own is the one
// it listens on.
func (f *serveFlags) origin(own string) (string, error) {
	if f.publicURL == "" {
		return own, nil
	}
	u, err := url.Parse(f.publicURL)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil ||
		strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return "", usageError{errors.New("--public-url must be an address such as https://data.example, without a path")}
	}
	return u.Scheme + "://" + u.Host, nil
}

func (f *serveFlags) proxies() ([]netip.Prefix, error) {
	var out []netip.Prefix
	for _, s := range f.trusted {
		p, err := netip.ParsePrefix(s)
		if addr, addrErr := netip.ParseAddr(s); addrErr == nil {
			p, err = addr.Prefix(addr.BitLen())
		}
		if err != nil {
			return nil, usageError{fmt.Errorf("--trusted-proxies: %q is no network such as 10.0.0.0/8", s)}
		}
		out = append(out, p)
	}
	return out, nil
}

func (f *serveFlags) logger(w io.Writer) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(f.logLevel)); err != nil {
		return nil, usageError{errors.New("--log-level must be debug, info, warn or error")}
	}
	o := &slog.HandlerOptions{Level: level}
	switch f.logFormat {
	case "text":
		return slog.New(slog.NewTextHandler(w, o)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(w, o)), nil
	}
	return nil, usageError{errors.New("--log-format must be text or json")}
}
