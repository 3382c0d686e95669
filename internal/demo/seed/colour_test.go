package seed_test

import (
	"testing"

	"gamedata/graph/model"
)

// Guilds whose territories are joined can be told apart on the map, by most colour-blind people too.
func TestGuildColours(t *testing.T) {
	t.Parallel()
	store, ctx := seeded(t).store, t.Context()
	territories, err := store.Territories.All(ctx)
	if err != nil {
		t.Fatal(err)
	}
	colours, holder := map[string]string{}, map[string]string{}
	for _, land := range territories {
		if uuid := land.GuildUUID(); uuid != nil {
			holder[land.Name] = *uuid
			guilds, err := store.Guilds.ByID(ctx, []string{*uuid})
			if err != nil {
				t.Fatal(err)
			}
			colours[*uuid] = guilds[0].StoredColour
		}
	}
	least := 1.0
	for _, land := range territories {
		for _, name := range land.LinkNames {
			a, b := holder[land.Name], holder[name]
			if a == "" || b == "" || a == b {
				continue
			}
			least = min(least, model.ColourDistance(colours[a], colours[b]))
			if least < 0.15 {
				t.Fatalf("%s and %s have the colours %q and %q", land.Name, name, colours[a], colours[b])
			}
		}
	}
	t.Logf("%d guilds, the nearest neighbours are %.2f apart", len(colours), least)
}
