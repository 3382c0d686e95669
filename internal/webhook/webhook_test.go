package webhook_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"gamedata/graph/model"
	"gamedata/mongo/mongotest"
)

// A receiver gets the events that its webhook selects, signed, in order, with the bodies of GET /events.
func TestDeliveries(t *testing.T) {
	t.Parallel()
	f, r, seasonsOnly := newFixture(t, true), newReceiver(t), newReceiver(t)
	hook := f.create(model.CreateWebhookInput{URL: r.URL, Territories: []string{"Detlas", "Nemract"}})
	f.create(model.CreateWebhookInput{URL: seasonsOnly.URL, Types: []model.EventType{model.EventSeasonStarted}})
	r.secret = f.users.Webhooks.Secret(hook)
	f.start()
	for n := range 20 {
		f.record(&model.TerritoryCaptured{Territory: []string{"Detlas", "Ragni", "Nemract"}[n%3]},
			&model.SeasonStarted{Season: n})
	}
	f.record(&model.SeasonEnded{Season: 20}, &model.TerritoryCaptured{Territory: "Detlas"})
	var last string
	for n, d := range r.next(14) {
		if want := []string{"Detlas", "Nemract"}[n%2]; n < 13 && d.Data.Territory != want {
			t.Errorf("delivery %d is about %s, want %s", n, d.Data.Territory, want)
		}
		if d.ID != d.id || d.Type != "territoryCaptured" || d.ID == last || d.At.IsZero() {
			t.Errorf("got %+v", d)
		}
		last = d.ID
	}
	var want []int
	for n := range 20 {
		want = append(want, n)
	}
	seasonsOnly.wantSeasons(want...)
	stored := f.until(hook, func(w *model.Webhook) bool {
		return len(w.Deliveries) == 10 && w.Deliveries[0].EventID == last
	})
	if d := stored.Deliveries[0]; *d.Status != http.StatusNoContent || d.Error != nil || d.SentAt.IsZero() {
		t.Errorf("the last result is %+v", d)
	}
}

// Events recorded before the webhook, of other selections or about a hidden player are not delivered; the
// owner of the webhook sees their own player.
func TestHiddenPlayers(t *testing.T) {
	t.Parallel()
	f, r, about := newFixture(t, true), newReceiver(t), newReceiver(t)
	own, hidden, open := mongotest.UUID(1), mongotest.UUID(2), mongotest.UUID(3)
	private := model.UniformAccessRules(model.Private)
	if err := f.store.Players.Insert(t.Context(), []*model.Player{
		{UUID: own, Username: "Own", Rules: private},
		{UUID: hidden, Username: "Hidden", Rules: private},
		{UUID: open, Username: "Open"},
	}); err != nil {
		t.Fatal(err)
	}
	if err := f.store.Accounts.Edit(t.Context(), f.owner.ID, func(a *model.Account) error {
		a.Profiles = append(a.Profiles, own)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	f.record(&model.PlayerCameOnline{Player: open})
	for now := time.Now().UnixMilli(); time.Now().UnixMilli() == now; { // ids of events are exact to the millisecond
	}
	f.create(model.CreateWebhookInput{URL: r.URL})
	f.create(model.CreateWebhookInput{URL: about.URL, Players: []string{hidden}})
	f.start()
	party := []string{own, hidden, open}
	f.record(&model.PlayerCameOnline{Player: hidden}, &model.PlayerCameOnline{Player: own},
		&model.AccessRulesChanged{Player: open}, &model.RaidFinished{Raid: "Nest", Players: party})
	if got := r.next(2); got[0].Data.Player != own || !slices.Equal(got[1].Data.Players, []string{own, open}) {
		t.Errorf("got %+v", got)
	}
	// What follows is delivered, so nothing of the above is missing because it is late.
	player, err := f.store.Players.ByID(t.Context(), []string{hidden})
	if err != nil {
		t.Fatal(err)
	}
	player[0].Rules = model.AccessRules{}
	if err := f.store.Players.Put(t.Context(), player); err != nil {
		t.Fatal(err)
	}
	f.record(&model.PlayerWentOffline{Player: hidden})
	for name, d := range map[string]delivery{"all": r.next(1)[0], "about the player": about.next(1)[0]} {
		if d.Type != "playerWentOffline" {
			t.Errorf("%s: got %s", name, d.raw)
		}
	}
}

// What a hidden player did does not come later, behind what they did since: neither after a failed attempt nor after a
// change of the webhook, which both read the log again. A change repeats nothing.
func TestOrderAfterHiding(t *testing.T) {
	t.Parallel()
	f, r, moved := newFixture(t, true), newReceiver(t), newReceiver(t)
	player := &model.Player{UUID: mongotest.UUID(1), Username: "Shy", Rules: model.UniformAccessRules(model.Private)}
	if err := f.store.Players.Insert(t.Context(), []*model.Player{player}); err != nil {
		t.Fatal(err)
	}
	r.status = func(w http.ResponseWriter, n int) {
		if n == 2 {
			w.WriteHeader(http.StatusInternalServerError)
		}
	}
	hook := f.create(model.CreateWebhookInput{URL: r.URL})
	f.start()
	f.record(&model.PlayerCameOnline{Player: player.UUID}, &model.SeasonStarted{Season: 1})
	r.wantSeasons(1) // so the hidden event was passed over
	player.Rules = model.AccessRules{}
	if err := f.store.Players.Put(t.Context(), []*model.Player{player}); err != nil {
		t.Fatal(err)
	}
	f.record(&model.PlayerWentOffline{Player: player.UUID})
	for _, d := range r.next(2) {
		if d.Type != "playerWentOffline" {
			t.Errorf("around the failed attempt: got %s", d.raw)
		}
	}
	must(f.users.Webhooks.Update(t.Context(), f.owner.ID, hook.Key, model.UpdateWebhookInput{URL: &moved.URL}))(t)
	f.seasons(2, 2)
	moved.wantSeasons(2)
}

// An instance that stops leaves the webhooks to another one: each event arrives, in order, and none twice.
func TestInstancesTakeOver(t *testing.T) {
	t.Parallel()
	f, r := newFixture(t, true), newReceiver(t)
	f.create(model.CreateWebhookInput{URL: r.URL})
	stop := f.start()
	var want []int
	for round := range 4 {
		next := f.start()
		for n := range 10 {
			season := round*10 + n
			want = append(want, season)
			f.record(&model.SeasonStarted{Season: season})
			if n == 5 {
				stop()
			}
		}
		stop = next
	}
	r.wantSeasons(want...)
	stop()
	select {
	case d := <-r.got:
		t.Errorf("delivered again: %s", d.raw)
	default:
	}
}

// A message for Discord is a sentence with names, in which nothing formats or mentions.
func TestDiscord(t *testing.T) {
	t.Parallel()
	f, r := newFixture(t, true), newReceiver(t)
	player, guild := mongotest.UUID(1), mongotest.UUID(2)
	if err := f.store.Players.Insert(t.Context(), []*model.Player{{UUID: player, Username: "_Salted_"}}); err != nil {
		t.Fatal(err)
	}
	guilds := []*model.Guild{{UUID: guild, Name: "Mossbound", Prefix: "MOS"}}
	if err := f.store.Guilds.Insert(t.Context(), guilds); err != nil {
		t.Fatal(err)
	}
	f.create(model.CreateWebhookInput{URL: r.URL, Format: model.WebhookFormatDiscord})
	f.start()
	f.record(&model.GuildMemberJoined{Player: player, Guild: guild, Rank: "RECRUIT"})
	f.record(&model.ArticlePublished{Title: "@everyone <b>"}, &model.ArticlePublished{Title: strings.Repeat("é", 3000)})
	f.record(&model.GuildWeekEnded{Guild: guild, Week: "2026-W48", Captured: 1, Lost: 2, Wars: 3})
	got := r.next(4)
	if want := "**Mossbound** captured 1 territory, lost 2 and won 3 wars in week 2026-W48.\n" +
		"https://data.example/guilds/Mossbound/week?week=2026-W48"; got[3].Content != want {
		t.Errorf("got %q, want %q", got[3].Content, want)
	}
	if want := `**\_Salted\_** joined **Mossbound** as recruit.`; got[0].Content != want {
		t.Errorf("got %q, want %q", got[0].Content, want)
	}
	for _, want := range []string{
		`"allowed_mentions":{"parse":[]}`, `"embeds":[{"title":"Article published","timestamp":"2`,
	} {
		if !strings.Contains(got[1].raw, want) {
			t.Errorf("got %s, want %s", got[1].raw, want)
		}
	}
	if strings.Contains(got[1].Content, " @everyone") || !strings.Contains(got[1].Content, `\<b\>`) {
		t.Errorf("got %q", got[1].Content)
	}
	if n := utf8.RuneCountInString(got[2].Content); n != 2000 {
		t.Errorf("got %d characters, want the 2000 that Discord accepts", n)
	}
}

// A test event is sent at once, by the webhook's format and with its signature.
func TestTestEvent(t *testing.T) {
	t.Parallel()
	f, r := newFixture(t, true), newReceiver(t)
	for _, format := range model.AllWebhookFormat {
		hook := f.create(model.CreateWebhookInput{URL: r.URL, Format: format})
		r.secret = f.users.Webhooks.Secret(hook)
		d := f.sender().Test(t.Context(), hook)
		if got := r.next(1)[0]; d.Error != nil || *d.Status != http.StatusNoContent || d.EventID != got.id {
			t.Errorf("%s: %+v, received %s", format, d, fmt.Sprint(got))
		}
	}
}

// A receiver that does not respond delays no more than one test of its account, and none of others.
func TestSlowTestEvent(t *testing.T) {
	t.Parallel()
	f, called, r := newFixture(t, true), make(chan struct{}), newReceiver(t)
	server := stalling(t, called)
	hook, sender := f.create(model.CreateWebhookInput{URL: server.URL}), f.sender()
	first := make(chan string)
	go func() { first <- *sender.Test(t.Context(), hook).Error }()
	<-called
	if d := sender.Test(t.Context(), hook); d.Error == nil || !strings.Contains(*d.Error, "another test") {
		t.Errorf("the second test: %+v", d)
	}
	f.owner = must(f.users.Create(t.Context(), "Other"))(t)
	if d := sender.Test(t.Context(), f.create(model.CreateWebhookInput{URL: r.URL})); d.Error != nil {
		t.Errorf("the test of another account: %s", *d.Error)
	}
	if got := <-first; got != "no response in time" {
		t.Errorf("the first test: %s", got)
	}
}

// stalling is a receiver that reports each request and does not respond.
func stalling(t *testing.T, called chan<- struct{}) *httptest.Server {
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // the end of the connection is noticed after the body
		select {
		case called <- struct{}{}:
			<-r.Context().Done()
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(server.Close)
	return server
}

// Receivers that do not respond, of one account and of many, delay no receiver of another account.
func TestSlowReceivers(t *testing.T) {
	t.Parallel()
	f, called, r := newFixture(t, true), make(chan struct{}, 1000), newReceiver(t)
	for n := range 30 {
		f.owner = must(f.users.Create(t.Context(), fmt.Sprint("Slow", n)))(t)
		server := stalling(t, called)
		for range 10 {
			f.create(model.CreateWebhookInput{URL: server.URL})
		}
	}
	f.owner = must(f.users.Create(t.Context(), "Fast"))(t)
	f.start()
	f.seasons(0, 0)
	for range 60 { // two of each account
		<-called
	}
	f.create(model.CreateWebhookInput{URL: r.URL})
	f.seasons(1, 20)
	r.next(20)
}

// Receivers of many accounts that were quick, and then do not respond, delay no receiver of another account: a place
// that a request got because its receiver was quick does not last.
func TestReceiversThatBecomeSlow(t *testing.T) {
	t.Parallel()
	f, quick, held := newFixture(t, true), make(chan struct{}, 1000), make(chan struct{}, 1000)
	release := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if strings.Contains(string(body), `"season":1`) {
			quick <- struct{}{}
			return
		}
		held <- struct{}{}
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(slow.Close)
	var accounts []string
	for n := range 50 {
		f.owner = must(f.users.Create(t.Context(), fmt.Sprint("Slow", n)))(t)
		accounts = append(accounts, f.owner.ID)
		for range 10 {
			f.create(model.CreateWebhookInput{URL: slow.URL})
		}
	}
	f.owner = must(f.users.Create(t.Context(), "Fast"))(t)
	r := newReceiver(t)
	f.create(model.CreateWebhookInput{URL: r.URL})
	f.timeout = time.Hour // a held request never ends
	f.start()
	t.Cleanup(func() { close(release) })
	f.seasons(1, 1)
	for range 500 {
		<-quick
	}
	r.wantSeasons(1)
	unsaved := func(w *model.Webhook) bool { return len(w.Deliveries) == 0 }
	were := 0 // quick: not all are on a busy machine
	for _, account := range accounts {
		hooks := must(f.users.Webhooks.Of(t.Context(), account))(t)
		for slices.ContainsFunc(hooks, unsaved) {
			hooks = must(f.users.Webhooks.Of(t.Context(), account))(t)
		}
		for _, hook := range hooks {
			if hook.Deliveries[0].Milliseconds < 1000 {
				were++
			}
		}
	}
	for range 10 {
		f.seasons(2, 2)
		r.wantSeasons(2)
	}
	for range were { // each gives its place to the next
		<-held
	}
	f.seasons(3, 5)
	r.wantSeasons(3, 4, 5)
}

// The states of webhooks that get an event at the same time are written together.
func TestStatesAreWrittenTogether(t *testing.T) {
	t.Parallel()
	f, r := newFixture(t, true), newReceiver(t)
	hooks := make([]*model.Webhook, model.MaxWebhooks)
	for n := range hooks {
		hooks[n] = f.create(model.CreateWebhookInput{URL: r.URL})
	}
	f.start()
	commits := func() int64 { return f.server.Stats().Commands["commitTransaction"] }
	before := commits()
	f.seasons(1, 1)
	r.next(len(hooks))
	for _, hook := range hooks {
		f.until(hook, func(w *model.Webhook) bool { return len(w.Deliveries) == 1 })
	}
	if n := commits() - before; n >= int64(len(hooks))/2 {
		t.Errorf("%d webhooks took %d transactions", len(hooks), n)
	}
}

// hiding adds a player who shows everything, and returns what makes the player hide, 4 seconds ago.
func (f *fixture) hiding(uuid string) func() {
	f.t.Helper()
	player := []*model.Player{{UUID: uuid, Username: "Hiding"}}
	if err := f.store.Players.Insert(f.t.Context(), player); err != nil {
		f.t.Fatal(err)
	}
	return func() {
		player[0].Rules = model.UniformAccessRules(model.Private)
		if err := f.store.Players.Put(f.t.Context(), player); err != nil {
			f.t.Error(err)
		}
		_ = f.clock.wait(f.t.Context(), 4*time.Second)
	}
}

// A player who hides while a connection is made is in no request; nothing counts as a failure.
func TestHidingWhileConnecting(t *testing.T) {
	t.Parallel()
	f, r, player := newFixture(t, true), newReceiver(t), mongotest.UUID(1)
	f.connecting = sync.OnceFunc(f.hiding(player))
	hook := f.create(model.CreateWebhookInput{URL: r.URL})
	f.start()
	f.record(&model.PlayerCameOnline{Player: player}, &model.SeasonStarted{Season: 1})
	if got := r.next(1); got[0].Type != "seasonStarted" {
		t.Errorf("got %s, want nothing of who hides", got[0].raw)
	}
	f.until(hook, func(w *model.Webhook) bool { return len(w.Deliveries) == 1 && w.Deliveries[0].Error == nil })
}

// A player who hides while a request is sent is in none that begins later than 3 s after the rules were read.
func TestHidingWhileSending(t *testing.T) {
	t.Parallel()
	f, r, player := newFixture(t, true), newReceiver(t), mongotest.UUID(1)
	hide := f.hiding(player)
	r.status = func(w http.ResponseWriter, n int) {
		if n == 1 {
			hide()
		}
		w.WriteHeader(http.StatusNoContent)
	}
	f.create(model.CreateWebhookInput{URL: r.URL})
	f.start()
	f.record(&model.PlayerCameOnline{Player: player}, &model.PlayerWentOffline{Player: player},
		&model.PlayerCameOnline{Player: player}, &model.SeasonStarted{Season: 1})
	if got := r.next(2); got[0].Type != "playerCameOnline" || got[1].Type != "seasonStarted" {
		t.Errorf("got %s and %s, want nothing of who hides", got[0].raw, got[1].raw)
	}
}
