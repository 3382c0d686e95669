// Program clients reads two pages of items and one item, with the types that genqlient made of the schema.
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
	fmt.Println("genqlient: two pages and one item")
}
