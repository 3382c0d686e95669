package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/app"
	"gamedata/internal/app/apptest"
	"gamedata/internal/demo/simulator"
	"gamedata/internal/slowtest"
	"gamedata/mongo"
	"gamedata/mongo/conn"
	"gamedata/mongo/mongotest"
)

// streamLoad is the size of TestStreamsSurviveKills.
type streamLoad struct {
	clients int
	// between is the time between two kills, and after the last of them.
	between time.Duration
	// kills are the processes to kill, one after the other: "service" or "store".
	kills   []string
	speed   float64 // of the simulation
	players string
}

// streamLoadOf returns a few seconds for a few clients, or what STREAMS, such as "1000 clients", and SOAK, such as 5m,
// say: as many kills, or none for "1000 clients, no kills".
func streamLoadOf(t *testing.T) streamLoad {
	l := streamLoad{20, time.Second, []string{"service", "store", "service"}, 6000, "200"}
	text := os.Getenv("STREAMS")
	if text == "" {
		return l
	}
	number, rest, _ := strings.Cut(text, " clients")
	clients, err := strconv.Atoi(number)
	d, wrong := time.ParseDuration(os.Getenv("SOAK"))
	if err != nil || wrong != nil || clients < 1 || d < time.Second || d > 24*time.Hour {
		t.Fatal(`STREAMS must be as "1000 clients", SOAK between 1s and 24h`)
	}
	l.clients, l.speed, l.players = clients, 60, "2000"
	if rest == ", no kills" {
		l.kills = nil
	}
	l.between = d / time.Duration(len(l.kills)+1)
	return l
}

// Clients that follow a simulated world receive every event once and in order by subject, though the service and the
// store are killed: they connect again with the last id that they have.
func TestStreamsSurviveKills(t *testing.T) {
	slowtest.Only(t)
	t.Parallel()
	load := streamLoadOf(t)
	dir := apptest.Dir(t)
	runCommand(t, dir, 0, "seed", "--players", load.players, "--seed-days", "0")
	store := startServing(t, "--listen", "127.0.0.1:0", "--data-dir", dir)
	socket := "mongodb://" + url.PathEscape(filepath.Join(dir, "gamedata.sock")) +
		"/?directConnection=true&retryWrites=false"
	listen := freeAddress(t)
	startService := func() *process {
		return startServing(t, "--listen", listen, "--mongo-uri", socket, "--guest-rate", "1000000",
			"--streams-per-caller", "5000")
	}
	service := startService()
	stopSimulation := simulate(t, dir, load.speed)

	base, first := "http://"+listen, mongo.EventIDAt(time.Now())
	clients := make([]*streamClient, load.clients)
	var done sync.WaitGroup
	for i := range clients {
		clients[i] = &streamClient{seen: map[string]bool{}}
		clients[i].latest.Store(&first)
		done.Go(func() { clients[i].follow(base) })
	}
	follow := func() { // for a while, and until everyone has more events
		t.Helper()
		ends := time.After(load.between)
		some := clients[0].received.Load() + 20
		for _, c := range clients {
			apptest.Await(t, "more events", func() bool { return c.received.Load() >= some })
		}
		<-ends
	}
	follow()
	for _, name := range load.kills {
		if name == "store" {
			store.kill()
			store = startServing(t, "--listen", "127.0.0.1:0", "--data-dir", dir)
		} else {
			service.kill()
			service = startService()
		}
		follow()
	}
	stopSimulation()

	log := recordedEvents(t, socket, first)
	last, shown := "", 0
	for _, e := range log {
		if e.shown {
			last, shown = e.ID, shown+1
		}
	}
	if shown < 20 {
		t.Fatalf("guests may see %d of the %d events, too few to show anything", shown, len(log))
	}
	for _, c := range clients {
		apptest.Await(t, "the last event", func() bool { return *c.latest.Load() >= last })
		c.ended.Store(true)
	}
	service.kill()
	done.Wait()
	connections, repeated := 0, 0
	for i, c := range clients {
		if problem := c.compare(log); problem != "" {
			t.Fatalf("client %d of %d: %s", i, len(clients), problem)
		}
		connections += c.connections
		repeated += c.repeated
	}
	t.Logf("%d clients on %d connections received each of %d events, %d of them again after a resumption",
		len(clients), connections, shown, repeated)
	if want := len(clients) * (1 + len(load.kills)/2); connections < want {
		t.Errorf("got %d connections, want at least %d", connections, want)
	}
}

// simulate plays the game on the store in dir until it is stopped, and goes on when the store was away.
func simulate(t *testing.T, dir string, speed float64) (stop func()) {
	t.Helper()
	db, err := app.JoinStore(t.Context(), apptest.StoreIn(dir))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	o := simulator.Options{Seed: 1, Start: time.Now(), Speed: speed}
	o.OnStep = func(at time.Time) { o.Start = at }
	var done sync.WaitGroup
	done.Go(func() {
		for ctx.Err() == nil {
			if err := simulator.Play(ctx, db.Store, o); err != nil {
				time.Sleep(100 * time.Millisecond) // until the store is back
			}
		}
	})
	stop = sync.OnceFunc(func() { cancel(); done.Wait(); _ = db.Close() })
	t.Cleanup(stop)
	return stop
}

type recordedEvent struct {
	*model.Event
	// shown says that clients must receive it: it is later than where they began, and no rule can have hidden it from
	// guests, since everyone named in it shares everything with everyone.
	shown bool
}

func recordedEvents(t *testing.T, uri, after string) (events []recordedEvent) {
	t.Helper()
	store, err := mongo.Open(t.Context(), mongo.Options{Options: conn.Options{URI: uri, Timeout: time.Minute}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = store.Close(t.Context()) }()
	hidden, all := map[string]bool{}, mongotest.Events(t, store)
	for _, e := range all {
		if c, ok := e.Data.(*model.AccessRulesChanged); ok {
			hidden[c.Player] = true
		}
	}
	for _, e := range all {
		if e.Type().Internal() {
			continue
		}
		players, err := store.Players.Access(t.Context(), e.NamedPlayers())
		if err != nil {
			t.Fatal(err)
		}
		hides := func(uuid string) bool {
			return hidden[uuid] || players[uuid] == nil || players[uuid].Rules != model.UniformAccessRules(model.Public)
		}
		events = append(events, recordedEvent{e, e.ID > after && !slices.ContainsFunc(e.NamedPlayers(), hides)})
	}
	return events
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// streamClient follows the events and connects again whenever a stream ends.
type streamClient struct {
	ended    atomic.Bool
	received atomic.Int64           // different events
	latest   atomic.Pointer[string] // id, which the client resumes after

	seen        map[string]bool
	ids         []string // in the order of receipt
	connections int
	repeated    int    // received again on another connection
	problem     string // the first
}

func (c *streamClient) follow(base string) {
	for !c.ended.Load() {
		r, err := http.NewRequest(http.MethodGet, base+"/events", nil)
		if err != nil {
			c.problem = err.Error()
			return
		}
		r.Header.Set("Last-Event-ID", *c.latest.Load())
		res, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			time.Sleep(20 * time.Millisecond) // as clients do while nothing listens
			continue
		}
		if res.StatusCode == http.StatusOK {
			c.connections++
			c.read(res.Body)
		}
		_ = res.Body.Close()
	}
}

func (c *streamClient) read(body io.Reader) {
	id, here := "", map[string]bool{}
	for lines := bufio.NewScanner(body); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch {
		case name == "id":
			id = value
		case name == "data" && id != "":
			var e struct{ ID, Type string }
			if err := json.Unmarshal([]byte(value), &e); err != nil {
				c.problem = err.Error()
			}
			if e.Type == "" { // the reason of the end
				continue
			}
			if here[id] || id != e.ID {
				c.problem = fmt.Sprintf("received %s twice on a connection, or under id %s", e.ID, id)
			}
			c.latest.Store(&id)
			here[id] = true
			if c.seen[id] {
				c.repeated++
				continue
			}
			c.seen[id] = true
			c.ids = append(c.ids, id)
			c.received.Add(1)
		}
	}
}

// compare returns how the client's events differ from the log.
func (c *streamClient) compare(log []recordedEvent) string {
	if c.problem != "" {
		return c.problem
	}
	place := map[string]int{}
	for i, e := range log {
		place[e.ID] = i
		if e.shown && !c.seen[e.ID] {
			return fmt.Sprintf("%s %s %+v was not delivered", e.Type(), e.ID, e.Data)
		}
	}
	latest := map[string]int{} // by subject
	for _, id := range c.ids {
		i, known := place[id]
		switch {
		case !known && id > log[len(log)-1].ID: // recorded after the log was read
			continue
		case !known:
			return id + " is not in the log"
		}
		for _, subject := range subjectsOf(log[i].Event) {
			if before, ok := latest[subject]; ok && i < before {
				return fmt.Sprintf("%s %s came after a later one about %s", log[i].Type(), id, subject)
			}
			latest[subject] = i
		}
	}
	return ""
}

func subjectsOf(e *model.Event) []string {
	subjects := e.NamedPlayers()
	if c, ok := e.Data.(*model.TerritoryCaptured); ok {
		subjects = append(subjects, c.Territory)
	}
	return subjects
}
