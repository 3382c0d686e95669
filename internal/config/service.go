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
	"gamedata/internal/history"
	"gamedata/internal/httpapi"
	"gamedata/internal/ratelimit"
)

// defaultCacheSize is the total for cached responses and records, in bytes.
const defaultCacheSize = 64 << 20

// Service holds the settings of `gamedata serve`.
type Service struct {
	settings *Settings

	Store          Store
	World          World
	Pepper         Secret
	BootstrapToken Secret
	RedisURL       Secret // empty: this instance counts alone
	AccessLog      AccessLog
	Rates          Rates
	Capacity       Capacity
	History        history.Retention
	Log            Log

	Listen, PublicURL  string
	AdminListen        string // empty: none
	AllowedHosts       []string
	PrivateWebhooks    bool
	TrustedProxies     []string
	Demo               bool
	DemoSpeed          float64 // 0: frozen
	RequestTimeout     time.Duration
	LeaderboardRefresh time.Duration
	DumpsDir           string // empty: no public dumps
	CacheSize          ByteSize
	DrainDelay         time.Duration
	StreamsPerCaller   int
	feedRate           int
}

// Add registers the settings as flags.
func (c *Service) Add(flags *pflag.FlagSet) {
	s := NewSettings(flags)
	c.settings = s
	c.Store.AddServing(flags)
	c.World.Add(flags)
	c.Pepper.AddPepper(flags)
	c.Log.Add(flags)
	c.BootstrapToken.add(s, "bootstrap-token", "API token of the account operator; created at startup when missing")
	c.RedisURL.add(s, "redis-url", "Redis that all instances share for rate limits, such as redis://localhost:6379/0; "+
		"when empty each instance counts alone")
	c.addListening(s)
	c.addLimits(s)
	c.addJobs(s)
	s.BoolVar(&c.Demo, "demo", false, "fill an empty store with the demo world")
	s.Float(&c.DemoSpeed, "demo-speed", 1, Range[float64]{Low: 0.1, High: 10_000, OrZero: true},
		"clock speed of the demo world and of the jobs, {range}; above 1 it runs ahead of real time, 0 freezes the world")
	s.Choice(&c.AccessLog.Mode, "access-log", "on",
		"log requests: on, sampled (one in 100, and every slow or failed one) or off", "on", "sampled", "off")
	s.BoolVar(&c.AccessLog.Addresses, "access-log-addresses", false, "include client addresses in the access log")
}

func (c *Service) addListening(s *Settings) {
	s.StringVar(&c.AdminListen, "admin-listen", "",
		"address of a second listener for metrics, profiles and purging, such as 127.0.0.1:9090; none when empty. "+
			"It requires no credentials: never make it public")
	s.StringVar(&c.Listen, "listen", "127.0.0.1:8080", "address to listen on; port 0 picks a free one")
	s.StringVar(&c.PublicURL, "public-url", "",
		"URL under which browsers and applications reach the service, such as https://data.example; "+
			"empty: the address of --listen, or localhost for all addresses")
	s.StringSliceVar(&c.TrustedProxies, "trusted-proxies", nil,
		"proxy networks to trust for X-Forwarded-For, such as 10.0.0.0/8")
	s.StringSliceVar(&c.AllowedHosts, "allowed-hosts", nil,
		"host names to serve besides that of --public-url and the machine's own. When neither is set, only the machine's "+
			"own on a loopback address, and every name on others. Health checks may use any name")
	s.Duration(&c.DrainDelay, "drain-delay", 3*time.Second, Range[time.Duration]{High: 10 * time.Minute},
		"wait between failing readiness and refusing connections, so that load balancers notice; none on a terminal")
}

func (c *Service) addLimits(s *Settings) {
	c.Rates.add(s)
	c.Capacity.add(s)
	s.Duration(&c.RequestTimeout, "request-timeout", 5*time.Second,
		Range[time.Duration]{Low: time.Millisecond, High: 10 * time.Minute}, "time limit of one operation")
	s.Int(&c.StreamsPerCaller, "streams-per-caller", httpapi.DefaultStreamsOfCaller, rateRange,
		"streams of one caller, counted like rate limits, {range}")
	s.Int(&c.feedRate, "feed-rate", 600, rateRange, "requests to POST /feed per minute and feed token, {range}")
	s.BoolVar(&c.PrivateWebhooks, "webhook-private-addresses", false,
		"let webhooks send to private and loopback addresses, and over plain http: for networks whose users are trusted")
	s.Bytes(&c.CacheSize, "cache-size", defaultCacheSize, Range[ByteSize]{Low: 1 << 20, OrZero: true},
		"memory for cached responses and, a quarter of it, for cached records, {range}; 0 disables caching")
}

func (c *Service) addJobs(s *Settings) {
	s.Duration(&c.LeaderboardRefresh, "leaderboard-refresh", 10*time.Minute,
		Range[time.Duration]{Low: time.Second, High: 24 * time.Hour, OrZero: true},
		"time between leaderboard refreshes, 1s or more; 0 leaves all jobs to other instances")
	c.History = history.DefaultRetention
	s.Duration(&c.History.Daily, "history-retention", history.DefaultRetention.Daily,
		Range[time.Duration]{Low: 720 * time.Hour},
		"how long the daily points of players, guilds and leaderboards are stored, {range}")
	AddDumpsDir(&c.DumpsDir, s.FlagSet)
}

// FeedRate returns the rate limit of each feed token.
func (c *Service) FeedRate() ratelimit.Rate { return perMinute(c.feedRate) }

// AddDumpsDir registers the directory of public dumps.
func AddDumpsDir(dir *string, flags *pflag.FlagSet) {
	flags.StringVar(dir, "dumps-dir", "",
		"directory of the public dumps, written once a day and served under /dumps/, created when missing; none when "+
			"empty. With --leaderboard-refresh 0 they are only served")
}

// Check validates the settings without opening anything.
func (c *Service) Check() error {
	_, origin := c.Origin("")
	_, proxies := c.Proxies()
	_, world := c.World.Options()
	_, logger := c.Log.Logger(io.Discard)
	return errors.Join(c.settings.Check(), c.Store.Check(), origin, checkHosts(c.AllowedHosts),
		checkAddress("listen", c.Listen), checkAddress("admin-listen", c.AdminListen), proxies, logger, world)
}

// Origin returns the public URL of the service without a trailing slash, or own if none is set.
func (c *Service) Origin(own string) (string, error) {
	if c.PublicURL == "" {
		return own, nil
	}
	u, err := url.Parse(c.PublicURL)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.User != nil ||
		strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" || !httpapi.IsHostName(u.Host) {
		return "", Usagef("--public-url must be a URL such as https://data.example, without a path")
	}
	return u.Scheme + "://" + u.Host, nil
}

// ListensOnAll reports whether --listen names all addresses of the machine; links cannot use such an address.
func (c *Service) ListensOnAll() bool {
	to, err := net.ResolveTCPAddr("tcp", c.Listen)
	return err == nil && (to.IP == nil || to.IP.IsUnspecified())
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
		// IPv4 clients inside IPv6 are compared as IPv4: a mapped network would match none.
		if p = p.Masked(); p.Addr().Is4In6() || p.IsSingleIP() && p.Addr().IsUnspecified() {
			return nil, Usagef("--trusted-proxies: %q matches no address; write a network such as 10.0.0.0/8", s)
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
	for _, name := range names {
		if !httpapi.IsHostName(name) {
			return Usagef("--allowed-hosts: %q is not a name such as data.example", name)
		}
	}
	return nil
}

// checkAddress rejects an address without a port, such as ":" from two unset variables: the service would listen on all
// addresses.
func checkAddress(flag, address string) error {
	if address == "" {
		return nil
	}
	_, port, err := net.SplitHostPort(address)
	if err == nil && port != "" {
		_, err = net.LookupPort("tcp", port)
	}
	if err != nil || port == "" {
		return Usagef("--%s must be an address such as 127.0.0.1:8080; port 0 picks a free one", flag)
	}
	return nil
}

// Hosts lists the host names to serve besides the machine's own, or reports that all are served. By default, a loopback
// listener serves only the machine's own names, because any page could lead its browsers there. Other listeners serve
// all names, which are unknown here.
func (c *Service) Hosts() (names []string, all bool) {
	names = slices.Clone(c.AllowedHosts)
	if u, err := url.Parse(c.PublicURL); err == nil && u.Host != "" {
		names = append(names, u.Host)
	}
	return names, len(names) == 0 && !IsLoopback(c.Listen)
}

// IsLoopback reports whether an address, with or without a port, is reachable from this machine alone.
func IsLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = address
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}
