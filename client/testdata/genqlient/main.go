// Program clients reads pages of items and of a leaderboard, and one of each again, with the types that genqlient made of
// the schema.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"

	"github.com/Khan/genqlient/graphql"
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
	fmt.Println("genqlient: two pages and one item, two pages and one entry")
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
