package webhook

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/auth"
)

const (
	// timeout limits an attempt, from the DNS lookup to the response.
	timeout = 10 * time.Second
	// testTimeout limits a test: the operation that sends it counts as a concurrent operation.
	testTimeout = 3 * time.Second
	// maxResponse is how many bytes of a response are read, which lets the connection be reused.
	maxResponse = 64 << 10
)

// Headers of Standard Webhooks, https://www.standardwebhooks.com.
const (
	headerID        = "webhook-id"
	headerTimestamp = "webhook-timestamp"
	headerSignature = "webhook-signature"
)

// errNotPublic rejects a connection to an address that is not on the internet.
var errNotPublic = errors.New("the address is not public")

// Sender sends single requests to webhooks. It connects to public addresses only, unless the operator allows all,
// follows no redirects and uses no proxy.
type Sender struct {
	client  *http.Client
	hooks   *auth.Webhooks
	testing sync.Map // accounts with a test in progress
}

// NewSender returns a sender.
func NewSender(hooks *auth.Webhooks) *Sender {
	dialer := &net.Dialer{Timeout: timeout}
	if !hooks.Private() {
		dialer.Control = publicOnly
	}
	return &Sender{hooks: hooks, client: &http.Client{
		Timeout: timeout,
		Transport: &http.Transport{
			DialContext: dialer.DialContext, TLSHandshakeTimeout: timeout, ForceAttemptHTTP2: true,
			MaxResponseHeaderBytes: maxResponse, MaxIdleConns: 100, IdleConnTimeout: time.Minute,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// publicOnly checks the resolved address before a connection is made.
func publicOnly(_, address string, _ syscall.RawConn) error {
	if to, err := netip.ParseAddrPort(address); err != nil || !auth.PublicAddress(to.Addr()) {
		return errNotPublic
	}
	return nil
}

// Test sends a test event to a webhook, one at a time for each account.
func (s *Sender) Test(ctx context.Context, hook *model.Webhook) *model.WebhookDelivery {
	id, now := "test-"+strings.ToLower(rand.Text()), time.Now().UTC()
	if _, busy := s.testing.LoadOrStore(hook.Account, true); busy {
		reason := "another test is being sent: try again"
		return &model.WebhookDelivery{SentAt: now, EventID: id, Error: &reason}
	}
	defer s.testing.Delete(hook.Account)
	ctx, cancel := context.WithTimeout(ctx, testTimeout)
	defer cancel()
	body, _ := json.Marshal(map[string]any{"id": id, "type": "test", "at": now, "data": struct{}{}})
	if hook.Format == model.WebhookFormatDiscord {
		body = discordMessage("This is a test of your webhook.", "test", now)
	}
	delivery, _, _ := s.send(ctx, hook, id, body, func() error { return nil })
	return delivery
}

// send makes one attempt. It calls check once connected, which may take seconds; if check fails, it sends nothing and
// returns the error. retryAfter is the wait that the receiver requests, or 0.
func (s *Sender) send(ctx context.Context, hook *model.Webhook, id string, body []byte, check func() error) (
	d *model.WebhookDelivery, retryAfter time.Duration, refused error,
) {
	begun := time.Now()
	d = &model.WebhookDelivery{SentAt: begun.UTC(), EventID: id}
	fault := func(reason string) { d.Error = &reason }
	defer func() { d.Milliseconds = int(time.Since(begun).Milliseconds()) }()
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(got httptrace.GotConnInfo) {
		if refused = check(); refused != nil {
			_ = got.Conn.Close()
		}
	}})
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, hook.URL, bytes.NewReader(body))
	if err != nil {
		fault("the address is not valid")
		return d, 0, nil
	}
	at := strconv.FormatInt(begun.Unix(), 10)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "gamedata")
	r.Header.Set(headerID, id)
	r.Header.Set(headerTimestamp, at)
	r.Header.Set(headerSignature, "v1,"+sign(s.hooks.SigningKey(hook), id, at, body))
	res, err := s.client.Do(r)
	if err != nil {
		fault(reasonOf(err))
		return d, 0, refused
	}
	defer res.Body.Close()
	_, _ = io.CopyN(io.Discard, res.Body, maxResponse)
	d.Status = &res.StatusCode
	switch res.StatusCode / 100 {
	case 2:
	case 3:
		fault(fmt.Sprintf("status %d: redirects are not followed", res.StatusCode))
	default:
		fault(fmt.Sprintf("status %d", res.StatusCode))
	}
	return d, waitOf(res.Header.Get("Retry-After")), nil
}

// sign returns the signature of a request according to Standard Webhooks.
func sign(key []byte, id, at string, body []byte) string {
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", id, at, body)
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// waitOf parses Retry-After, whole or fractional seconds or a date, capped at the longest wait.
func waitOf(header string) time.Duration {
	if seconds, err := strconv.ParseFloat(header, 64); err == nil && seconds > 0 {
		return time.Duration(min(seconds, maxBackoff.Seconds()) * float64(time.Second))
	}
	if at, err := http.ParseTime(header); err == nil {
		return min(max(time.Until(at), 0), maxBackoff)
	}
	return 0
}

// reasonOf says in words why there was no response, without the address.
func reasonOf(err error) string {
	var network net.Error
	switch {
	case errors.Is(err, errNotPublic):
		return errNotPublic.Error()
	case errors.As(err, new(*net.DNSError)):
		return "the host name cannot be resolved"
	case errors.As(err, &network) && network.Timeout():
		return "no response in time"
	case errors.As(err, new(*tls.CertificateVerificationError)):
		return "the certificate is not valid"
	}
	return "the connection failed"
}
