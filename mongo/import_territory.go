package mongo

import (
	"encoding/json"
	"errors"
	"fmt"

	"gamedata/graph/model"
)

// readTerritories reads all territories: others that the store has are deleted.
func readTerritories(data json.RawMessage, _ map[string]any) (*Import, error) {
	body, err := decode[model.TerritoryList](data)
	if err != nil {
		return nil, err
	}
	seats := map[string]string{}
	for n, t := range body.List {
		if t == nil || t.Guild == nil || t.Location == nil {
			return nil, fmt.Errorf("entry %d lacks guild or location", n+1)
		}
		if t.Hq && t.Guild.UUID != nil && seats[*t.Guild.UUID] == "" {
			seats[*t.Guild.UUID] = t.Name
		}
	}
	for _, t := range body.List {
		if err := checkTerritory(t, seats); err != nil {
			return nil, fmt.Errorf("territory %q: %w", t.Name, err)
		}
		t.Guild.Hq = nil
	}
	return simple(body.List, func(t *model.Territory) string { return t.Name }, (*Store).replaceTerritories)
}

// checkTerritory refuses what the store would not give back: where a guild's headquarters
// are follows from the territories that say so of themselves.
func checkTerritory(t *model.Territory, seats map[string]string) error {
	g, seat := t.Guild, ""
	if g.UUID != nil {
		if uuid, ok := model.ParseUUID(*g.UUID); !ok || uuid != *g.UUID {
			return errors.New("guild.uuid is not a uuid in lower case with dashes")
		}
		seat = seats[*g.UUID]
	}
	if named := g.Hq; named == nil && seat != "" || named != nil && *named != seat {
		return errors.New("guild.hq is not the first territory of the guild with hq true")
	}
	if len(t.Location.Start) != 2 || len(t.Location.End) != 2 {
		return errors.New("a corner of location is not [x, z]")
	}
	return exact("acquired", t.Acquired)
}
