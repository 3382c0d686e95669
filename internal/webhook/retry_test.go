package webhook_test

import (
	"net/http"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/webhook"
)

func (f *fixture) sender() *webhook.Sender { return webhook.NewSender(f.users.Webhooks) }

// A failed attempt is repeated after a time that grows, and longer if the receiver requests it; the events after it
// wait.
func TestRetries(t *testing.T) {
	t.Parallel()
	f, r := newFixture(t, true), newReceiver(t)
	r.status = func(w http.ResponseWriter, n int) {
		switch n {
		case 2, 3:
			w.WriteHeader(http.StatusInternalServerError)
		case 4:
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(http.StatusFound)
		case 5:
			w.Header().Set("Retry-After", "1234.5")
			w.WriteHeader(http.StatusTooManyRequests)
		}
	}
	hook := f.create(model.CreateWebhookInput{URL: r.URL})
	f.start()
	f.seasons(1, 4)
	r.wantSeasons(1, 2, 2, 2, 2, 2, 3, 4)
	f.clock.mu.Lock()
	waits := f.clock.waits
	f.clock.mu.Unlock()
	for n, seconds := range []float64{2.5, 5, 10, 1234.5} {
		least := time.Duration(seconds * float64(time.Second))
		if n >= len(waits) || waits[n] < least-time.Second || waits[n] > max(2*least, time.Hour/4) {
			t.Fatalf("waited %v, want about %v before attempt %d", waits, least, n+2)
		}
	}
	stored := f.until(hook, func(w *model.Webhook) bool { return len(w.Deliveries) == 8 })
	if stored.Failures != 0 || stored.RetryAt != nil || stored.FailingSince != nil {
		t.Errorf("after a success: %+v", stored.WebhookState)
	}
	if d := stored.Deliveries[4]; *d.Error != "status 302: redirects are not followed" || *d.Status != http.StatusFound {
		t.Errorf("the redirect is %+v", d)
	}
}

// A webhook is disabled when all attempts of a day failed, and at once by 410. It goes on with the same event when its
// owner enables it, and with the next one after more than a week.
func TestDisabled(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status         int
		reason         model.WebhookDisabledReason
		fewest, most   int
		later          time.Duration
		continuesAfter bool
	}{
		"failing":    {503, model.WebhookDisabledReasonFailed, 25, 80, time.Hour, false},
		"gone":       {410, model.WebhookDisabledReasonGone, 1, 1, time.Hour, false},
		"a week ago": {410, model.WebhookDisabledReasonGone, 1, 1, 8 * 24 * time.Hour, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, r := newFixture(t, true), newReceiver(t)
			failing := true
			r.status = func(w http.ResponseWriter, _ int) {
				if failing {
					w.WriteHeader(c.status)
				}
			}
			hook := f.create(model.CreateWebhookInput{URL: r.URL})
			f.start()
			f.seasons(1, 2)
			stored := f.until(hook, func(w *model.Webhook) bool { return w.DisabledAt != nil })
			if *stored.DisabledReason != c.reason || stored.RetryAt != nil || stored.Failures < c.fewest ||
				stored.Failures > c.most || *stored.Deliveries[0].Status != c.status {
				t.Errorf("got %+v", stored.WebhookState)
			}
			r.next(stored.Failures)
			r.mu.Lock()
			failing = false
			r.mu.Unlock()
			_ = f.clock.wait(t.Context(), c.later)
			enabled := true
			stored = must(f.users.Webhooks.Update(t.Context(), f.owner.ID, hook.Key, model.UpdateWebhookInput{
				Enabled: &enabled,
			}))(t)
			if stored.DisabledAt != nil || stored.Failures != 0 {
				t.Errorf("enabled: %+v", stored.WebhookState)
			}
			if c.continuesAfter {
				if !stored.Since.After(hook.Since) {
					t.Errorf("it begins at %v", stored.Since)
				}
				return
			}
			r.wantSeasons(1, 2)
		})
	}
}

// A change takes effect while the webhook waits to try again; a webhook that is deleted or disabled gets nothing.
func TestChanges(t *testing.T) {
	t.Parallel()
	f, broken, r := newFixture(t, true), newReceiver(t), newReceiver(t)
	broken.status = func(w http.ResponseWriter, _ int) { w.WriteHeader(http.StatusInternalServerError) }
	hook := f.create(model.CreateWebhookInput{URL: broken.URL})
	f.start()
	f.seasons(1, 1)
	broken.next(1)
	change := func(in model.UpdateWebhookInput) {
		t.Helper()
		must(f.users.Webhooks.Update(t.Context(), f.owner.ID, hook.Key, in))(t)
	}
	change(model.UpdateWebhookInput{URL: &r.URL})
	r.wantSeasons(1)
	no := false
	change(model.UpdateWebhookInput{Enabled: &no})
	stored := f.until(hook, func(w *model.Webhook) bool { return w.DisabledAt != nil })
	if *stored.DisabledReason != model.WebhookDisabledReasonOwner {
		t.Errorf("disabled because %s", *stored.DisabledReason)
	}
	f.record(&model.SeasonStarted{Season: 2})
	last := newReceiver(t)
	other := f.create(model.CreateWebhookInput{URL: last.URL, Types: []model.EventType{model.EventSeasonEnded}})
	f.record(&model.SeasonEnded{Season: 3})
	last.wantSeasons(3)
	for len(r.got) > 0 {
		if d := <-r.got; d.Data.Season == 2 {
			t.Error("the disabled webhook got an event")
		}
	}
	if err := f.users.Webhooks.Delete(t.Context(), f.owner.ID, other.Key); err != nil {
		t.Fatal(err)
	}
	if list := must(f.users.Webhooks.Of(t.Context(), f.owner.ID))(t); len(list) != 1 || list[0].Key != hook.Key {
		t.Errorf("got %v", list)
	}
}
