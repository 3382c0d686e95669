package webhook_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/auth"
	"gamedata/internal/events"
	"gamedata/internal/webhook"
	"gamedata/loaders"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
	"gamedata/resolvers"
)

// clock is a clock that waiting advances, so that no test waits for a retry.
type clock struct {
	mu     sync.Mutex
	offset time.Duration
	waits  []time.Duration
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.offset)
}

func (c *clock) wait(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waits = append(c.waits, d)
	c.offset += max(d, 0)
	return ctx.Err()
}

// fixture is a store with an account, and instances that deliver its webhooks.
type fixture struct {
	t      *testing.T
	store  *mongo.Store
	server *mongotest.Server
	users  *auth.Accounts
	owner  *model.Account
	clock  clock
	// timeout of a request; that of the service when 0
	timeout time.Duration
	// connecting is called before a connection is made
	connecting func()
}

func newFixture(t *testing.T, private bool) *fixture {
	t.Helper()
	f := &fixture{t: t}
	f.store, f.server = mongotest.Open(t, func(o *mongo.Options) { o.EventClock = f.clock.now })
	f.users = auth.New(f.store, auth.Options{Pepper: "of a test", PrivateWebhooks: private, Now: f.clock.now})
	f.owner = must(f.users.Create(t.Context(), "Salted"))(t)
	return f
}

func must[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// start starts an instance; stop ends it as a shutdown does.
func (f *fixture) start() (stop func()) {
	ctx, cancel := context.WithCancel(f.t.Context())
	hub := events.New(f.store, events.Options{Interval: 10 * time.Millisecond, Now: f.clock.now})
	source := loaders.New(f.store, loaders.Options{})
	sender := webhook.NewSender(f.users.Webhooks)
	if f.timeout != 0 {
		sender.SetTimeout(f.timeout)
	}
	if f.connecting != nil {
		sender.OnConnect(f.connecting)
	}
	runner := webhook.New(sender, webhook.Options{
		Store: f.store, Hub: hub, Holder: "test", Origin: "https://data.example", Interval: 20 * time.Millisecond,
		Now: f.clock.now, Wait: f.clock.wait,
		Visible: func(ctx context.Context, list []*model.Event) ([]*model.Event, error) {
			return resolvers.VisibleEvents(source.Attach(ctx, nil), list)
		},
		Log: slog.New(slog.NewTextHandler(f.t.Output(), nil)),
	})
	var running sync.WaitGroup
	running.Go(func() { hub.Run(ctx) })
	running.Go(func() { runner.Run(ctx) })
	stop = func() { cancel(); running.Wait() }
	f.t.Cleanup(stop)
	return stop
}

func (f *fixture) create(in model.CreateWebhookInput) *model.Webhook {
	f.t.Helper()
	if in.Format == "" {
		in.Format = model.WebhookFormatJSON
	}
	return must(f.users.Webhooks.Create(f.t.Context(), f.owner.ID, in))(f.t)
}

func (f *fixture) record(data ...model.EventData) {
	f.t.Helper()
	var list []mongo.NewEvent
	for _, d := range data {
		list = append(list, mongo.NewEvent{Data: d})
	}
	if err := f.store.Events.Append(f.t.Context(), list...); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) seasons(from, to int) {
	f.t.Helper()
	for n := from; n <= to; n++ {
		f.record(&model.SeasonStarted{Season: n})
	}
}

// until reads a webhook until it is as a test wants it.
func (f *fixture) until(hook *model.Webhook, is func(*model.Webhook) bool) *model.Webhook {
	f.t.Helper()
	for {
		found := must(f.users.Webhooks.Own(f.t.Context(), f.owner.ID, hook.Key))(f.t)
		if is(found) {
			return found
		}
	}
}

// delivery is a request that a receiver got.
type delivery struct {
	ID   string
	Type string
	At   time.Time
	Data struct {
		Season          int
		Player          string
		Players         []string
		Territory, Test string
	}
	Content string
	raw     string
	id      string // of the header
}

// receiver is a server that webhooks send to. It verifies signatures once it has a secret, and responds with status.
type receiver struct {
	*httptest.Server
	t      *testing.T
	got    chan delivery
	mu     sync.Mutex
	secret string
	status func(w http.ResponseWriter, n int) // of the nth request; 204 when nil
	n      int
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{t: t, got: make(chan delivery, 1000)}
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	d := delivery{raw: string(body), id: req.Header.Get("webhook-id")}
	if err != nil || req.Method != http.MethodPost || json.Unmarshal(body, &d) != nil {
		r.t.Errorf("got %s %q, %v", req.Method, body, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.secret != "" && !verified(r.secret, req.Header, body) {
		r.t.Errorf("the signature is wrong: %v", req.Header)
	}
	r.n++
	if r.status != nil {
		r.status(w, r.n)
	} else {
		w.WriteHeader(http.StatusNoContent)
	}
	r.got <- d
}

// verified verifies a request as a receiver does, by the specification of Standard Webhooks.
func verified(secret string, h http.Header, body []byte) bool {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(key) < 24 {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(h.Get("webhook-id") + "." + h.Get("webhook-timestamp") + "." + string(body)))
	return slices.Contains(strings.Fields(h.Get("webhook-signature")),
		"v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
}

func (r *receiver) next(n int) (list []delivery) {
	r.t.Helper()
	for range n {
		select {
		case d := <-r.got:
			list = append(list, d)
		case <-time.After(3 * time.Minute):
			r.t.Fatalf("got %d of %d deliveries", len(list), n)
		}
	}
	return list
}

// wantSeasons checks the seasons of the next deliveries.
func (r *receiver) wantSeasons(want ...int) {
	r.t.Helper()
	var got []int
	for _, d := range r.next(len(want)) {
		got = append(got, d.Data.Season)
	}
	if !slices.Equal(got, want) {
		r.t.Errorf("got the seasons %v, want %v", got, want)
	}
}
