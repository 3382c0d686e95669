package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"gamedata/internal/app/apptest"
)

// BenchmarkGuestMemory measures what one guest can make an instance hold: 10 streams and 10 sockets with the largest
// results of subscriptions, and each minute as many large responses as a guest's quota pays for, by clients that read
// nothing. The figure is the growth of the anonymous memory above what the program has when it is idle. The limit of
// the memory leaves little to what is not collected yet: what the program holds, full caches included, must fit below
// it.
func BenchmarkGuestMemory(b *testing.B) {
	b.Setenv("GOMEMLIMIT", "96MiB")
	p := startProgram(b, "--demo-speed", "0", "--leaderboard-refresh", "0")
	time.Sleep(settleTime)
	idle := apptest.AnonymousMB(b, p.pid)
	address := strings.TrimPrefix(p.base, "http://")
	request := func(query string, headers string) {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = conn.Close() })
		body, _ := json.Marshal(map[string]string{"query": query})
		_, _ = fmt.Fprintf(conn, "POST /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n%s"+
			"Content-Length: %d\r\n\r\n%s", headers, len(body), body)
		_, _ = io.ReadFull(conn, make([]byte, 1)) // it has begun
	}
	sockets := make([]*websocket.Conn, 10)
	for i := range sockets { // before the quota is spent
		sockets[i] = openSocket(b, p.base)
	}
	for i, conn := range sockets {
		request(capturesWith(i), "Accept: text/event-stream\r\n")
		floodSocket(b, conn, i)
	}
	most := 0.0
	observed := make(chan struct{})
	var observer sync.WaitGroup
	observer.Go(func() {
		for {
			select {
			case <-observed:
				return
			case <-time.After(50 * time.Millisecond):
				most = max(most, apptest.AnonymousMB(b, p.pid))
			}
		}
	})
	for begun := time.Now(); time.Since(begun) < time.Minute; time.Sleep(time.Second) {
		for _, query := range largest() {
			request(query, "")
			request(query, "Accept: text/event-stream\r\n")
			request(query, "Accept: application/x-ndjson\r\n")
		}
	}
	close(observed)
	observer.Wait()
	addFigure(b, "memory that one guest can make an instance hold, MB", most-idle, atMost(64))
}

func openSocket(b *testing.B, base string) *websocket.Conn {
	conn, _, err := websocket.Dial(b.Context(), base+"/graphql", &websocket.DialOptions{
		Subprotocols: []string{"graphql-transport-ws"},
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = conn.CloseNow() })
	return conn
}

// floodSocket subscribes and sends queries, and reads nothing.
func floodSocket(b *testing.B, conn *websocket.Conn, i int) {
	messages := []string{`{"type":"connection_init"}`}
	for n, query := range append(largest(), capturesWith(i)) {
		payload, _ := json.Marshal(map[string]string{"query": query})
		messages = append(messages, fmt.Sprintf(`{"type":"subscribe","id":"%d","payload":%s}`, n, payload))
	}
	for _, m := range messages {
		if conn.Write(b.Context(), websocket.MessageText, []byte(m)) != nil {
			return // it was closed
		}
		if strings.Contains(m, "connection_init") {
			_, _, _ = conn.Read(b.Context())
		}
	}
}

// aliases selects a field several times, under names of a length.
func aliases(n, length int, field string) string {
	var all strings.Builder
	for i := range n {
		name := fmt.Sprintf("a%d_", i)
		all.WriteString(" " + name + strings.Repeat("x", length-len(name)) + ":" + field)
	}
	return all.String()
}

// capturesWith returns a subscription with large results, another for each i.
func capturesWith(i int) string {
	return fmt.Sprintf(`subscription s%d{territoryChanges(after:"00000000000000000000000000")`+
		`{id territory{guild{members(first:%d){nodes{%s}}}}}}`, i, 90+i, aliases(29, 128, "username"))
}

// largest returns queries with large responses: by long names of fields, by many, by errors, and of the schema.
func largest() (queries []string) {
	for _, length := range []int{8, 32, 128} {
		names := aliases(28, length, "username")
		queries = append(queries,
			fmt.Sprintf("{players(first:%d){nodes{%s}}}", 900+time.Now().UnixMilli()%100, names),
			fmt.Sprintf("{guilds(first:20){nodes{members(first:%d){nodes{%s}}}}}", 50+time.Now().UnixMilli()%50, names),
			fmt.Sprintf("{__schema{types{fields{%s}}}}", aliases(29, length, "name")),
			fmt.Sprintf("{items(first:100000){nodes{%s}}}", aliases(6, length, "internalName")))
	}
	return append(queries,
		`{items(first:100000){nodes{internalName displayName type{key} tier{key} lore `+
			`identifications{key raw min max} dropMeta{name}}}}`,
		fmt.Sprintf(`{players(first:1000){nodes{rank(type:%q){position}%s}}}`, "unknown", aliases(20, 128, "guild{name}")))
}
