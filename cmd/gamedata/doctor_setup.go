package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"gamedata/internal/auth"
	"gamedata/internal/telemetry"
)

// shortPepper is how many characters a pepper has at least: as many as a key of 128 bits in
// hexadecimal.
const shortPepper = 32

// examineSecrets looks at what credentials rest on.
func (f *serveFlags) examineSecrets(context.Context) (out []finding) {
	pepper, err := f.pepper.read()
	switch {
	case err != nil:
		out = append(out, finding{
			fails, "pepper", err.Error(),
			"name a file that the service may read, or take the setting away",
		})
	case pepper == "":
		out = append(out, finding{
			doubtful, "pepper", "none: a copy of the store tells whether a guessed secret is right",
			"set GAMEDATA_PEPPER_FILE before the first credential is made, to a file made with: head -c 32 /dev/urandom | base64",
		})
	case len(pepper) < shortPepper:
		out = append(out, finding{
			doubtful, "pepper", fmt.Sprintf("has %d characters", len(pepper)),
			fmt.Sprintf("use %d random ones at least; credentials made under this one are refused after the change",
				shortPepper),
		})
	default:
		out = append(out, finding{well, "pepper", "set", ""})
	}
	token, err := f.bootstrap.read()
	switch {
	case err != nil:
		out = append(out, finding{
			fails, "bootstrap token", err.Error(),
			"name a file that the service may read, or take the setting away",
		})
	case token != "" && !auth.IsTokenValue(token):
		out = append(out, finding{fails, "bootstrap token", "is no API token", "make one with: gamedata token make"})
	}
	for _, secret := range []secretFlag{f.pepper, f.bootstrap, f.counting.url} {
		if info, err := os.Stat(secret.file); secret.file != "" && err == nil && info.Mode().Perm()&0o007 != 0 {
			out = append(out, finding{doubtful, secret.name, "everybody on this machine can read " + secret.file, "chmod 600 " +
				secret.file})
		}
	}
	return out
}

// examineAddresses looks at where the service would listen, and who is believed.
func (f *serveFlags) examineAddresses(ctx context.Context) (out []finding) {
	out = append(out, free(ctx, "listen", f.listen))
	if f.admin.listen != "" {
		out = append(out, free(ctx, "admin-listen", f.admin.listen))
		if !onLoopback(f.admin.listen) {
			out = append(out, finding{
				doubtful, "admin-listen", "asks for no credential and is not on loopback",
				"bind 127.0.0.1, or see that only operators reach it",
			})
		}
	}
	proxies, _ := f.proxies()
	for _, p := range proxies {
		if p.Bits() == 0 {
			out = append(out, finding{fails, "trusted-proxies", p.String() +
				" believes anybody's X-Forwarded-For: rate limits count nobody", "name the networks of the proxies alone"})
		}
	}
	if len(proxies) == 0 && f.publicURL != "" {
		out = append(out, finding{
			doubtful, "trusted-proxies",
			"none, though --public-url says that something stands in front: all callers may share one address and one limit",
			"name the network of the proxy",
		})
	}
	if strings.HasPrefix(f.publicURL, "http://") && !onLoopback(strings.TrimPrefix(f.publicURL, "http://")) {
		out = append(out, finding{
			doubtful, "public-url", "is plain HTTP: browsers keep no session there, nobody can sign in",
			"put HTTPS in front and name it",
		})
	}
	return out
}

// free tells whether an address can be listened on.
func free(ctx context.Context, name, address string) finding {
	listener, err := net.Listen("tcp", address)
	if err == nil {
		_ = listener.Close()
		return finding{well, name, address + " is free", ""}
	}
	if serving(ctx, address) {
		return finding{well, name, "a service answers on " + address + " already", ""}
	}
	return finding{fails, name, err.Error(), "stop what has the address, or choose another with --" + name}
}

// serving tells whether something like this service has an address.
func serving(ctx context.Context, address string) bool {
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
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return false
	}
	return answer.Body.Close() == nil && answer.StatusCode == http.StatusOK
}

// onLoopback tells whether an address can be reached from this machine alone.
func onLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = address
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// examineTraces looks at what OpenTelemetry's variables say. Whether a collector is there shows
// when spans are sent.
func examineTraces(ctx context.Context) []finding {
	tracer, err := telemetry.NewTracer(ctx, buildVersion(), nobody)
	switch {
	case err != nil:
		return []finding{{fails, "traces", err.Error(), "mend the variable, or take it away"}}
	case tracer == nil:
		return nil
	}
	_ = tracer.Close() // it made no spans
	return []finding{{well, "traces", "sent to a collector", ""}}
}
