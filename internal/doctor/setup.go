package doctor

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"gamedata/internal/auth"
	"gamedata/internal/buildinfo"
	"gamedata/internal/config"
	"gamedata/internal/telemetry"
)

// shortPepper is the recommended minimum length of a pepper: a 128-bit key in hexadecimal.
const shortPepper = 32

func examineSecrets(_ context.Context, c *config.Service) (out []Finding) {
	const unreadable = "name a file that the service may read, or remove the setting"
	pepper, err := c.Pepper.Read()
	switch {
	case err != nil:
		out = append(out, fail("pepper", err.Error(), unreadable))
	case pepper == "":
		out = append(out, warn("pepper", "not set: anyone with a copy of the database can test guessed tokens offline",
			"before creating credentials, set GAMEDATA_PEPPER_FILE to a file made with: head -c 32 /dev/urandom | base64"))
	case len(pepper) < shortPepper:
		out = append(out, warn("pepper", fmt.Sprintf("has only %d characters", len(pepper)),
			fmt.Sprintf("use at least %d random ones; changing it invalidates all credentials", shortPepper)))
	default:
		out = append(out, ok("pepper", "set"))
	}
	token, err := c.BootstrapToken.Read()
	switch {
	case err != nil:
		out = append(out, fail("bootstrap token", err.Error(), unreadable))
	case token != "" && !auth.IsTokenValue(token):
		out = append(out, fail("bootstrap token", "is not an API token", "create one with: gamedata token make"))
	}
	for _, secret := range []config.Secret{c.Pepper, c.BootstrapToken, c.RedisURL} {
		if info, err := os.Stat(secret.File); secret.File != "" && err == nil && info.Mode().Perm()&0o007 != 0 {
			out = append(out, warn(secret.Name, "every user of this machine can read "+secret.File,
				"run chmod 600 "+secret.File))
		}
	}
	return out
}

func examineAddresses(ctx context.Context, c *config.Service) (out []Finding) {
	out = append(out, examineListen(ctx, "listen", c.Listen))
	if c.AdminListen != "" {
		out = append(out, examineListen(ctx, "admin-listen", c.AdminListen))
		if !config.IsLoopback(c.AdminListen) {
			out = append(out, warn("admin-listen", "requires no credentials and is not on loopback",
				"bind 127.0.0.1, or let only operators reach it"))
		}
	}
	if c.ListensOnAll() && c.PublicURL == "" {
		out = append(out, warn("public-url", "none, and --listen names all addresses: links contain localhost",
			"set the URL under which browsers reach the service"))
	}
	proxies, _ := c.Proxies()
	for _, p := range proxies {
		if p.Bits() == 0 {
			out = append(out, fail("trusted-proxies",
				p.String()+" trusts X-Forwarded-For from anyone: rate limits can be evaded",
				"list only the networks of the proxies"))
		}
	}
	if len(proxies) == 0 && c.PublicURL != "" {
		out = append(out, warn("trusted-proxies",
			"none, but --public-url suggests a proxy: all callers may share one address and one limit",
			"list the network of the proxy"))
	}
	if strings.HasPrefix(c.PublicURL, "http://") && !config.IsLoopback(strings.TrimPrefix(c.PublicURL, "http://")) {
		out = append(out, warn("public-url", "is plain HTTP: browsers keep no session cookie, so sign-in fails",
			"put HTTPS in front and set its URL"))
	}
	return out
}

// examineListen reports whether an address is free, or taken by a working service.
func examineListen(ctx context.Context, flag, address string) Finding {
	listener, err := net.Listen("tcp", address)
	if err == nil {
		_ = listener.Close()
		return ok(flag, address+" is free")
	}
	if isServing(ctx, address) {
		return ok(flag, "a service already runs on "+address)
	}
	return fail(flag, err.Error(), "stop the process that uses the address, or choose another with --"+flag)
}

func isServing(ctx context.Context, address string) bool {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+"/livez", nil)
	if err != nil {
		return false
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return false
	}
	return response.Body.Close() == nil && response.StatusCode == http.StatusOK
}

// examineTraces checks OpenTelemetry's environment variables. It does not contact the collector.
func examineTraces(ctx context.Context, _ *config.Service) []Finding {
	tracer, err := telemetry.NewTracer(ctx, buildinfo.Version, discard)
	switch {
	case err != nil:
		return []Finding{fail("traces", err.Error(), "correct the variable, or remove it")}
	case tracer == nil:
		return nil
	}
	_ = tracer.Close() // it recorded no spans
	return []Finding{ok("traces", "sent to a collector")}
}
