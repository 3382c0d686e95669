// Package config reads the settings of the program: flags, environment variables and a YAML file, in that order of
// precedence. It validates them and explains where each value comes from. It opens nothing.
package config

import (
	"errors"
	"io"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"gamedata/internal/auth"
)

// defaultCacheSize is shared by cached responses and cached records, in bytes.
const defaultCacheSize = 64 << 20

// Service holds the settings of `gamedata serve`.
type Service struct {
	Store          Store
	World          World
	Pepper         Secret
	BootstrapToken Secret
	Admin          Admin
	AccessLog      AccessLog
	Rates          Rates
	Queries        QueryLimits
	Redis          Redis
	Capacity       Capacity
	Feed           Feed
	History        History
	Streams        Streams
	Log            Log

	Listen, PublicURL  string
	AllowedHosts       []string
	ServerTiming       bool
	TrustedProxies     []string
	Demo, DemoStill    bool
	DemoSpeed          float64
	PageSize           int
	RequestTimeout     time.Duration
	LeaderboardRefresh time.Duration
	DumpsDir           string // empty: no public dumps
	CacheSize          ByteSize
	MemoryLimit        ByteSize // 0: GOMEMLIMIT
	DrainDelay         AutoDuration
	DrainTimeout       time.Duration
}

// Add registers the settings as flags.
func (c *Service) Add(flags *pflag.FlagSet) {
	c.Store.AddServing(flags)
	c.World.Add(flags)
	AddPepper(&c.Pepper, flags)
	inGroup(flags, groupListening, c.Admin.Add)
	inGroup(flags, groupLogging, c.AccessLog.Add)
	c.BootstrapToken.Add(flags, "bootstrap-token", "API token of the account operator; created at startup when missing")
	flags.BoolVar(&c.Demo, "demo", false, "fill an empty store with the demo world")
	flags.BoolVar(&c.DemoStill, "demo-still", false, "freeze the demo world: simulate no activity")
	flags.Float64Var(&c.DemoSpeed, "demo-speed", 1,
		"clock speed of the demo world and of the jobs, 0.1 to 10000; above 1 it runs ahead of real time")
	flags.StringVar(&c.Listen, "listen", "127.0.0.1:8080", "address to listen on; port 0 picks a free one")
	flags.StringVar(&c.PublicURL, "public-url", "",
		"URL under which browsers and applications reach the service, such as https://data.example; "+
			"empty: the address of --listen")
	flags.IntVar(&c.PageSize, "page-size", 20, "entries per page, 1 to 1000")
	inGroup(flags, groupLimits, c.Rates.Add)
	inGroup(flags, groupLimits, c.Queries.Add)
	inGroup(flags, groupLimits, c.Redis.Add)
	flags.StringSliceVar(&c.TrustedProxies, "trusted-proxies", nil,
		"proxy networks to trust for X-Forwarded-For, such as 10.0.0.0/8")
	c.CacheSize = defaultCacheSize
	flags.Var(&c.CacheSize, "cache-size",
		"memory for cached responses and, a quarter of it, for cached records, 1MiB or more; 0 disables caching")
	flags.Var(&c.MemoryLimit, "memory-limit",
		"memory above which the garbage collector works harder, such as 512MiB; 0 uses GOMEMLIMIT, by default no limit")
	inGroup(flags, groupLimits, c.Capacity.Add)
	inGroup(flags, groupLimits, c.Feed.Add)
	inGroup(flags, groupJobs, c.History.Add)
	inGroup(flags, groupLimits, c.Streams.Add)
	flags.StringSliceVar(&c.AllowedHosts, "allowed-hosts", nil,
		"host names to serve besides that of --public-url and the machine's own. When neither is set, only the machine's "+
			"own on a loopback address, and every name on others. Health checks may use any name")
	flags.DurationVar(&c.RequestTimeout, "request-timeout", 5*time.Second, "time limit of one operation")
	flags.DurationVar(&c.LeaderboardRefresh, "leaderboard-refresh", 10*time.Minute,
		"time between leaderboard refreshes, 1s or more; 0 leaves all jobs to other instances")
	AddDumpsDir(&c.DumpsDir, flags)
	flags.Var(&c.DrainDelay, "drain-delay",
		"wait between failing readiness and refusing connections, so that load balancers notice; auto is 0s on a "+
			"terminal and 3s otherwise")
	flags.DurationVar(&c.DrainTimeout, "drain-timeout", 10*time.Second, "time limit for requests in flight at shutdown")
	flags.BoolVar(&c.ServerTiming, "server-timing", false,
		"send Server-Timing with every response; otherwise only to requests with Server-Timing: ?1")
	c.Log.Add(flags)
	setGroup(flags, groupCredentials, "bootstrap-token", "bootstrap-token-file")
	setGroup(flags, groupDemo, "demo", "demo-still", "demo-speed")
	setGroup(flags, groupListening, "listen", "public-url", "trusted-proxies", "allowed-hosts", "drain-delay",
		"drain-timeout")
	setGroup(flags, groupLimits, "page-size", "request-timeout")
	setGroup(flags, groupCache, "cache-size", "memory-limit")
	setGroup(flags, groupJobs, "leaderboard-refresh", "feed-retention")
	setGroup(flags, groupLogging, "server-timing")
}

// AddDumpsDir registers the directory of public dumps.
func AddDumpsDir(dir *string, flags *pflag.FlagSet) {
	flags.StringVar(dir, "dumps-dir", "",
		"directory of the public dumps, written once a day and served under /dumps/, created when missing; none when "+
			"empty. With --leaderboard-refresh 0 they are only served")
	setGroup(flags, groupJobs, "dumps-dir")
}

// Check validates what can be validated without opening anything.
func (c *Service) Check() error {
	switch {
	case c.PageSize < 1 || c.PageSize > 1000:
		return Usagef("--page-size must be 1 to 1000")
	case !(c.DemoSpeed >= 0.1 && c.DemoSpeed <= 10_000):
		return Usagef("--demo-speed must be 0.1 to 10000")
	case c.CacheSize != 0 && c.CacheSize < 1<<20:
		return Usagef("--cache-size must be 0, or 1MiB or more")
	case c.MemoryLimit != 0 && c.MemoryLimit < 64<<20:
		return Usagef("--memory-limit must be 0, or 64MiB or more")
	case c.RequestTimeout < time.Millisecond || c.RequestTimeout > 10*time.Minute:
		return Usagef("--request-timeout must be between 1ms and 10m")
	case c.LeaderboardRefresh != 0 && (c.LeaderboardRefresh < time.Second || c.LeaderboardRefresh > 24*time.Hour):
		return Usagef("--leaderboard-refresh must be 0, or between 1s and 24h")
	case c.DrainDelay.Duration < 0 || c.DrainDelay.Duration > 10*time.Minute,
		c.DrainTimeout < 0 || c.DrainTimeout > 10*time.Minute:
		return Usagef("--drain-delay and --drain-timeout must be between 0s and 10m")
	}
	_, origin := c.Origin("")
	_, proxies := c.Proxies()
	_, logger := c.Log.Logger(io.Discard)
	_, world := c.World.Options()
	return errors.Join(origin, c.Rates.Check(), c.Queries.Check(), c.Redis.Check(), c.Capacity.Check(), c.Feed.Check(),
		c.History.Check(), c.Streams.Check(), c.Store.Check(),
		c.AccessLog.Check(), checkHosts(c.AllowedHosts), proxies, logger, world)
}

// Origin is the public URL of the service without a trailing slash; own is used when none is set.
func (c *Service) Origin(own string) (string, error) {
	if c.PublicURL == "" {
		return own, nil
	}
	u, err := url.Parse(c.PublicURL)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil ||
		strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return "", Usagef("--public-url must be a URL such as https://data.example, without a path")
	}
	return u.Scheme + "://" + u.Host, nil
}

// Proxies parses --trusted-proxies. A single address is a network of one.
func (c *Service) Proxies() ([]netip.Prefix, error) {
	var out []netip.Prefix
	for _, s := range c.TrustedProxies {
		p, err := netip.ParsePrefix(s)
		if addr, addrErr := netip.ParseAddr(s); addrErr == nil {
			p, err = addr.Prefix(addr.BitLen())
		}
		if err != nil {
			return nil, Usagef("--trusted-proxies: %q is not a network such as 10.0.0.0/8", s)
		}
		out = append(out, p)
	}
	return out, nil
}

// Secrets reads the pepper and the bootstrap token; both may be empty.
func (c *Service) Secrets() (pepper, bootstrapToken string, err error) {
	if pepper, err = c.Pepper.Read(); err != nil {
		return "", "", err
	}
	bootstrapToken, err = c.BootstrapToken.Read()
	if err == nil && bootstrapToken != "" && !auth.IsTokenValue(bootstrapToken) {
		err = Usagef("--bootstrap-token: %w", auth.ErrInvalidTokenValue)
	}
	return pepper, bootstrapToken, err
}

func checkHosts(names []string) error {
	if slices.ContainsFunc(names, func(name string) bool { return name == "" || strings.ContainsAny(name, "/*?# @") }) {
		return Usagef("--allowed-hosts must be names such as data.example")
	}
	return nil
}

// Hosts lists the host names to serve besides the machine's own, or says that all are served. By default, what listens
// on a loopback address is for this machine, whose browsers could be led there by any name; other networks resolve
// names that are not known here.
func (c *Service) Hosts() (names []string, all bool) {
	names = slices.Clone(c.AllowedHosts)
	if u, err := url.Parse(c.PublicURL); err == nil && u.Host != "" {
		names = append(names, u.Host)
	}
	return names, len(names) == 0 && !isLoopback(c.Listen)
}

// isLoopback reports whether an address to listen on is for this machine only.
func isLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}
