// Program clients requests a player and items of a level, with the types that oapi-codegen made of the OpenAPI document.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
)

func main() {
	ctx := context.Background()
	client, err := NewClientWithResponses(os.Getenv("GAMEDATA_URL") + "/v3")
	if err != nil {
		log.Fatal(err)
	}
	player, err := client.PlayerWithResponse(ctx, "Salted", &PlayerParams{})
	if err != nil {
		log.Fatal(err)
	}
	if player.JSON200 == nil || player.JSON200.Username != "Salted" {
		log.Fatalf("got %d %s", player.StatusCode(), player.Body)
	}
	unknown, err := client.PlayerWithResponse(ctx, "nobody-is-called-so", &PlayerParams{})
	if err != nil {
		log.Fatal(err)
	}
	if unknown.JSON404 == nil || unknown.JSON404.Code != 404 {
		log.Fatalf("got %d %s", unknown.StatusCode(), unknown.Body)
	}
	fmt.Println("oapi-codegen: a player, and an unknown one")
}
