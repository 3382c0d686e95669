package webhook

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/internal/events"
	"gamedata/mongo"
)

const (
	// overlap is how far before the last delivery the log is read again: an event becomes visible up to
	// mongo.LongestTransaction after the time in its id, and the hub finds it within the other 15 seconds.
	overlap = mongo.LongestTransaction + 15*time.Second
	// idleTime is how long a worker waits for events before it records its position.
	idleTime = 15 * time.Second
	// noteInterval is how far the stored position of a webhook without deliveries may lag behind.
	noteInterval = time.Minute
	// saveInterval is the time between two writes of deliveries. Deliveries not written before a crash are repeated.
	saveInterval = time.Second
	// maxQueued is how many events of a webhook wait in memory; later ones wait in the log.
	maxQueued = 256

	minBackoff = 5 * time.Second
	maxBackoff = time.Hour
	// A webhook is disabled after failuresToDisable failed attempts in a row if the first failed at least failingTime
	// ago.
	failuresToDisable = 10
	failingTime       = 24 * time.Hour
)

// worker delivers the events of one webhook, one after the other.
type worker struct {
	*Runner
	hook   *model.Webhook
	stored model.Webhook // as last written to the store
	saved  time.Time     // when it was written
	dirty  bool          // the state has changed since
}

var (
	errIdle    = errors.New("there were no events for a while")
	errChanged = errors.New("the owner may see less of the event than before")
	errOther   = errors.New("the webhook was changed or deleted")
)

// run delivers until ctx ends or the webhook is disabled. It returns mongo.ErrNotFound if the webhook was changed or
// deleted, or an error of the store.
func (w *worker) run(ctx context.Context) error {
	for w.hook.DisabledAt == nil && ctx.Err() == nil {
		if at := w.hook.RetryAt; at != nil && w.o.Wait(ctx, at.Sub(w.o.Now())) != nil {
			return nil
		}
		if err := w.follow(ctx); err != nil {
			return err
		}
	}
	return nil
}

// follow delivers events until an attempt fails, or the events read are too old to send.
func (w *worker) follow(ctx context.Context) error {
	about := events.Subjects{
		Guilds: w.hook.GuildUuids, Players: w.hook.PlayerUuids, Territories: w.hook.TerritoryNames,
	}
	start := w.hook.DeliveredTo.Add(-overlap)
	if start.Before(w.hook.Since) {
		start = w.hook.Since
	}
	sub, err := w.o.Hub.Subscribe(ctx, events.Filter{
		Types: w.hook.Types, Match: about.Match, MaxQueued: maxQueued,
	}, mongo.EventIDAt(start))
	if err != nil {
		return err
	}
	defer sub.Close()
	for {
		list, err := next(ctx, sub)
		switch {
		case ctx.Err() != nil, errors.Is(err, events.ErrTooSlow):
			return w.save(ctx)
		case err != nil && !errors.Is(err, errIdle):
			return err
		}
		if goOn, err := w.deliverAll(ctx, list, about); err != nil || !goOn {
			return err
		}
		if err := w.note(ctx, sub); err != nil {
			return err
		}
	}
}

func next(ctx context.Context, sub *events.Subscription) ([]*model.Event, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, idleTime, errIdle)
	defer cancel()
	return sub.Next(ctx)
}

// note advances the webhook to the position read: a restart then does not read those events again.
func (w *worker) note(ctx context.Context, sub *events.Subscription) error {
	id, ok := sub.Position()
	if at, _ := mongo.EventTime(id); ok && at.Sub(w.hook.DeliveredTo) >= noteInterval {
		w.advance(at)
		return w.save(ctx)
	}
	return nil
}

// advance records that events were delivered up to a time, and drops the ids that will not be read again.
func (w *worker) advance(to time.Time) {
	if to.After(w.hook.DeliveredTo) {
		w.hook.DeliveredTo = to
	}
	read := mongo.EventIDAt(w.hook.DeliveredTo.Add(-overlap))
	w.hook.Recent = slices.DeleteFunc(w.hook.Recent, func(id string) bool { return id < read })
	w.dirty = true
}

// deliverAll delivers the events that the webhook's owner may see, redacted for them. It returns false if they must be
// read again. It checks access rules when a request may start, because the request may have waited.
func (w *worker) deliverAll(ctx context.Context, list []*model.Event, about events.Subjects) (bool, error) {
	list = slices.DeleteFunc(slices.Clone(list), func(e *model.Event) bool {
		return slices.Contains(w.hook.Recent, e.ID)
	})
	for read := false; len(list) > 0; {
		if ctx.Err() != nil {
			return false, w.save(ctx)
		}
		release, err := w.sending.acquire(ctx, w.hook)
		if err != nil {
			return false, w.save(ctx)
		}
		if !read || w.o.Hub.Stale(list[0]) {
			read = true
			all := list
			if list, err = w.visible(ctx, all); err == nil {
				// Some events matched only by a player who is hidden from the owner.
				list = slices.DeleteFunc(list, func(e *model.Event) bool { return !about.Match(e) })
				w.passOver(all, list)
			}
		}
		delivered := true
		if err == nil && len(list) > 0 {
			delivered, err = w.deliver(ctx, list[0])
			list = list[1:]
		}
		release()
		switch {
		case err != nil:
			return false, err
		case !delivered:
			return false, w.save(ctx)
		case w.o.Now().Sub(w.saved) >= saveInterval:
			if err := w.save(ctx); err != nil {
				return false, err
			}
		}
	}
	return true, w.save(ctx)
}

// passOver records the events of all that are not to be sent. Read again, they might be visible, and would come after
// later ones.
func (w *worker) passOver(all, send []*model.Event) {
	for _, e := range all {
		if !slices.ContainsFunc(send, func(s *model.Event) bool { return s.ID == e.ID }) {
			w.hook.Recent = append(w.hook.Recent, e.ID)
		}
	}
}

// visible filters and redacts events for the owner of the webhook. It deletes a webhook whose owner is gone.
func (w *worker) visible(ctx context.Context, list []*model.Event) ([]*model.Event, error) {
	account, err := w.owners.Load(ctx, w.hook.Account)()
	if err != nil {
		return nil, err
	}
	if account == nil {
		return nil, errors.Join(w.o.Store.Webhooks.Delete(ctx, w.hook.Key), mongo.ErrNotFound)
	}
	if list, err = w.o.Hub.Current(ctx, list); err != nil {
		return nil, err
	}
	owner := viewer.Viewer{Kind: viewer.Session, Account: w.hook.Account, Profiles: account.Profiles}
	return w.o.Visible(viewer.With(ctx, owner), list)
}

// deliver attempts to deliver an event. Right before sending, it checks that the webhook is enabled and that the owner
// still sees the same event. A sent request finishes even if the service stops, unless another instance took over.
func (w *worker) deliver(ctx context.Context, e *model.Event) (delivered bool, err error) {
	body, err := w.body(ctx, e)
	if err != nil {
		return false, err
	}
	attempt, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() {
		if errors.Is(context.Cause(ctx), mongo.ErrLeaseLost) {
			cancel()
		}
	})()
	d, retryAfter, refused := w.sender.send(attempt, w.hook, e.ID, body, func() error { return w.unchanged(ctx, e) })
	switch {
	case attempt.Err() != nil:
		return false, mongo.ErrLeaseLost
	case ctx.Err() != nil && refused != nil, errors.Is(refused, errChanged):
		return false, nil
	case errors.Is(refused, errOther):
		return false, cmp.Or(w.save(ctx), mongo.ErrNotFound)
	case refused != nil:
		return false, refused
	}
	at, _ := mongo.EventTime(e.ID)
	w.hook.Record(d)
	w.o.Observe(d.Error == nil, w.o.Now().Sub(at))
	if d.Error != nil {
		w.failed(d, retryAfter)
		return false, nil
	}
	w.hook.Enable()
	w.hook.Recent = append(w.hook.Recent, e.ID)
	w.advance(at)
	return true, nil
}

// unchanged returns an error unless the event may still be sent unchanged, by the webhook as it was.
func (w *worker) unchanged(ctx context.Context, e *model.Event) error {
	found, err := w.o.Store.Webhooks.ByID(mongo.FromPrimary(ctx), []string{w.hook.Key})
	switch {
	case ctx.Err() != nil || err != nil:
		return cmp.Or(ctx.Err(), err)
	case found[0] == nil || found[0].Version != w.stored.Version:
		return errOther
	case !w.o.Hub.Stale(e):
		return nil
	}
	list, err := w.visible(ctx, []*model.Event{e})
	if err == nil && (len(list) == 0 || !bytes.Equal(events.Body(list[0]), events.Body(e))) {
		err = errChanged
	}
	return err
}

// body returns the body of a request in the format of the webhook.
func (w *worker) body(ctx context.Context, e *model.Event) ([]byte, error) {
	if w.hook.Format != model.WebhookFormatDiscord {
		return events.Body(e), nil
	}
	about, known := e.Subjects(), names{}
	players, err := w.o.Store.Players.ByID(ctx, about.Players)
	if err != nil {
		return nil, err
	}
	guilds, err := w.o.Store.Guilds.ByID(ctx, about.Guilds)
	if err != nil {
		return nil, err
	}
	for _, p := range players {
		if p != nil {
			known[p.UUID] = p.Username
		}
	}
	for _, g := range guilds {
		if g != nil {
			known[g.UUID] = g.Name
		}
	}
	text := sentence(e.Data, known)
	if d, ok := e.Data.(*model.GuildWeekEnded); ok && known[d.Guild] != "" { // Discord shows the picture of the page
		text += "\n" + w.o.Origin + "/guilds/" + url.PathEscape(known[d.Guild]) + "/week?week=" + d.Week
	}
	return discordMessage(text, e.Type(), e.At), nil
}

// failed schedules the next attempt or disables the webhook.
func (w *worker) failed(d *model.WebhookDelivery, retryAfter time.Duration) {
	h, now := w.hook, w.o.Now().UTC()
	w.dirty = true
	h.Failures++
	if h.FailingSince == nil {
		h.FailingSince = &now
	}
	switch {
	case d.Status != nil && *d.Status == http.StatusGone:
		h.Disable(now, model.WebhookDisabledReasonGone)
	case h.Failures >= failuresToDisable && now.Sub(*h.FailingSince) >= failingTime:
		h.Disable(now, model.WebhookDisabledReasonFailed)
	default:
		at := now.Add(max(backoff(h.Failures), retryAfter))
		h.RetryAt = &at
		return
	}
	w.o.Log.Info("webhook disabled", "webhook", h.Key, "account", h.Account, "reason", *h.DisabledReason)
}

// backoff returns the wait after a number of failures in a row. It doubles each time; a random part spreads the
// webhooks of one receiver.
func backoff(failures int) time.Duration {
	wait := maxBackoff
	if doublings := failures - 1; doublings < 10 {
		wait = min(minBackoff<<doublings, maxBackoff)
	}
	return wait/2 + rand.N(wait/2)
}

// save writes the state of deliveries, even if ctx has ended.
func (w *worker) save(ctx context.Context) error {
	if !w.dirty || errors.Is(context.Cause(ctx), mongo.ErrLeaseLost) {
		return nil
	}
	_, err := w.states.Load(ctx, w)()
	if err == nil {
		w.stored, w.saved, w.dirty = *w.hook, w.o.Now(), false
	}
	return err
}
