package faults

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gamedata/internal/app/apptest"
)

// A stopping service loses no request: readiness fails first, then new connections are refused while requests in
// progress are completed.
func TestDrainLosesNoRequest(t *testing.T) {
	svc := apptest.NewService(t, "--cache-size", "0")
	released := svc.Drained
	ctx, stop := context.WithCancel(t.Context())
	base, ended := svc.Listen(ctx)
	transport := &http.Transport{MaxIdleConnsPerHost: 8}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport, Timeout: time.Minute}
	get := func(path string) (int, string) {
		r, err := client.Get(base + path)
		if err != nil {
			t.Error(err)
			return 0, ""
		}
		defer r.Body.Close()
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		return r.StatusCode, string(body)
	}
	if status, body := get("/readyz"); status != 200 || !strings.HasPrefix(body, "ok") {
		t.Fatal(status, body)
	}
	var sent atomic.Int64
	var clients sync.WaitGroup
	notReady := make(chan struct{}) // closed when the load balancer has noticed
	for range 8 {
		clients.Go(func() {
			for {
				select {
				case <-notReady:
					return
				default:
				}
				if status, body := get("/v3/player/Salted?fullResult"); status != 200 || !strings.Contains(body,
					`"username":"Salted"`) {
					t.Errorf("%d %.200s", status, body)
					return
				}
				sent.Add(1)
			}
		})
	}
	for sent.Load() < 20 && !t.Failed() {
		get("/livez")
	}
	stop()
	apptest.Await(t, "the end of readiness", func() bool {
		status, body := get("/readyz")
		return status == 503 && body == "dead: drain: draining\n"
	})
	before := sent.Load()
	for sent.Load() < before+8 && !t.Failed() { // requests still succeed while the load balancer notices
		get("/livez")
	}
	close(notReady)
	clients.Wait()
	const query = `{"query":"{player(by:{username:\"Salted\"}){username}}"}`
	address := strings.TrimPrefix(base, "http://")
	slow, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	fmt.Fprintf(slow, "POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"+
		"Content-Length: %d\r\nExpect: 100-continue\r\n\r\n", len(query))
	in := bufio.NewReader(slow)
	// The request is in progress.
	if line, err := in.ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
		t.Fatal(line, err)
	}
	if _, err := in.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	close(released)
	for refused := false; !refused; {
		conn, err := net.Dial("tcp", address)
		refused = err != nil
		if !refused {
			_ = conn.Close()
		}
	}
	if _, err := io.WriteString(slow, query); err != nil {
		t.Fatal(err)
	}
	res, err := http.ReadResponse(in, nil)
	if err != nil {
		t.Fatal(err)
	}
	if body := apptest.Read(t, res).Body; res.StatusCode != 200 || !strings.Contains(string(body), `"Salted"`) {
		t.Errorf("the request in progress: got %d %s, want 200", res.StatusCode, body)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
