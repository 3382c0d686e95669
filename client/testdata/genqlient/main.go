// Program clients reads pages of items and of a leaderboard, one of each again, and events of a subscription, with the
// types that genqlient made of the schema.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"

	"github.com/Khan/genqlient/graphql"
	"github.com/coder/websocket"
)

func main() {
	ctx := context.Background()
	client := graphql.NewClient(os.Getenv("GAMEDATA_URL")+"/graphql", http.DefaultClient)
	seen := map[string]string{} // ids by name
	var after *string
	for range 2 {
		page, err := Items(ctx, client, 5, after)
		if err != nil {
			log.Fatal(err)
		}
		for _, item := range page.Items.Nodes {
			seen[item.InternalName] = item.Id
		}
		after = page.Items.PageInfo.EndCursor
	}
	if len(seen) != 10 {
		log.Fatalf("got %d items in two pages of five", len(seen))
	}
	for name, id := range seen {
		one, err := Item(ctx, client, name)
		if err != nil {
			log.Fatal(err)
		}
		if one.Item == nil || one.Item.Id != id || one.Item.DisplayName == "" {
			log.Fatalf("got %+v for the item %s", one.Item, name)
		}
	}
	entries(ctx, client)
	events(ctx)
	fmt.Println("genqlient: two pages and one item, two pages and one entry, three events")
}

// entries reads two pages of a leaderboard, whose entries are of several types, and an entry by its id.
func entries(ctx context.Context, client graphql.Client) {
	var after *string
	var last *EntriesLeaderboardEntriesLeaderboardEntryConnectionNodesPlayerEntry
	for position := 1; position <= 10; {
		page, err := Entries(ctx, client, "totalGlobalLevel", 5, after)
		if err != nil {
			log.Fatal(err)
		}
		for _, node := range page.Leaderboard.Entries.Nodes {
			entry, ok := node.(*EntriesLeaderboardEntriesLeaderboardEntryConnectionNodesPlayerEntry)
			if !ok || entry.Position != position {
				log.Fatalf("got the entry %+v at position %d", node, position)
			}
			last = entry
			position++
		}
		after = page.Leaderboard.Entries.PageInfo.EndCursor
	}
	again, err := Entry(ctx, client, last.Id)
	if err != nil {
		log.Fatal(err)
	}
	if one, ok := (*again.Node).(*EntryNodePlayerEntry); !ok || one.Position != last.Position {
		log.Fatalf("got %+v for the entry %+v", *again.Node, last)
	}
}

// events receives three events of a subscription. It ends with the program: Unsubscribe of genqlient 0.8 panics when
// an event arrives meanwhile.
func events(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	client := graphql.NewClientUsingWebSocket(os.Getenv("GAMEDATA_URL")+"/graphql", dialer{})
	failed, err := client.Start(ctx)
	if err != nil {
		log.Fatal(err)
	}
	happened, _, err := Happened(ctx, client)
	if err != nil {
		log.Fatal(err)
	}
	for range 3 {
		select {
		case res := <-happened:
			if res.Errors != nil || res.Data == nil || res.Data.Events.GetId() == "" {
				log.Fatalf("got %+v, %v", res.Data, res.Errors)
			}
		case err := <-failed:
			log.Fatal(err)
		case <-ctx.Done():
			log.Fatal("got no event for a minute")
		}
	}
}

// dialer opens WebSockets.
type dialer struct{}

func (dialer) DialContext(ctx context.Context, url string, header http.Header) (graphql.WSConn, error) {
	conn, _, err := websocket.Dial(ctx, url, &websocket.DialOptions{
		Subprotocols: header.Values("Sec-WebSocket-Protocol"),
	})
	return socket{ctx, conn}, err
}

// socket is a WebSocket in the form of genqlient.
type socket struct {
	ctx  context.Context
	conn *websocket.Conn
}

func (s socket) Close() error { return s.conn.CloseNow() }

func (s socket) WriteMessage(kind int, data []byte) error {
	return s.conn.Write(s.ctx, websocket.MessageType(kind), data)
}

func (s socket) ReadMessage() (kind int, data []byte, err error) {
	message, data, err := s.conn.Read(s.ctx)
	return int(message), data, err
}
