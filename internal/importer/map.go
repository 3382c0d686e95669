package importer

import (
	"context"
	"errors"
	"fmt"

	"gamedata/graph/model"
	"gamedata/mongo"
)

func readWorldEvents(page *nodes[model.WorldEvent], _ variables) (*Import, error) {
	for _, e := range page.Nodes {
		if e == nil {
			continue
		}
		if err := exact("schedule of "+e.InternalName, e.StartsAt); err != nil {
			return nil, err
		}
	}
	return keyed(page.Nodes, func(e *model.WorldEvent) any { return e.InternalName }, importWorldEvents)
}

// importWorldEvents replaces all world events. A recording shows at most the next start. The stored timetable stays if
// it agrees with that start; otherwise the start replaces it.
func importWorldEvents(ctx context.Context, store *mongo.Store, list []*model.WorldEvent) error {
	known, err := mongo.WorldEvents.Read(ctx, store)
	if err != nil {
		return err
	}
	timetables := make(map[string]*model.Timetable, len(known))
	for _, e := range known {
		timetables[e.InternalName] = e.Timetable
	}
	for _, e := range list {
		e.Timetable = timetables[e.InternalName]
		if e.StartsAt == nil {
			continue
		}
		if next, ok := e.Timetable.Next(*e.StartsAt); !ok || !next.Equal(*e.StartsAt) {
			e.Timetable = &model.Timetable{First: *e.StartsAt}
		}
	}
	return mongo.WorldEvents.Put(ctx, store, list)
}

// recordedTerritory is a territory with the schema's enum values.
type recordedTerritory struct {
	model.Territory
	GuildUUID             *string  `json:"guildUuid"`
	GuildName             *string  `json:"guildName"`
	GuildPrefix           *string  `json:"guildPrefix"`
	GuildHeadquartersName *string  `json:"guildHeadquartersName"`
	LinkNames             []string `json:"linkNames"`
	Location              *struct {
		Start, End model.AreaCorner
	} `json:"location"`
}

// record converts the territory to its stored form.
func (t *recordedTerritory) record() *model.Territory {
	t.Guild = &model.TerritoryGuild{
		UUID: t.GuildUUID, Name: t.GuildName, Prefix: t.GuildPrefix, Hq: t.GuildHeadquartersName,
	}
	t.Territory.LinkNames = t.LinkNames
	if at := t.Location; at != nil {
		t.Territory.Location = &model.Area{
			StartCorner: []int{at.Start.X, at.Start.Z}, EndCorner: []int{at.End.X, at.End.Z},
		}
	}
	return &t.Territory
}

// readTerritories reads all territories; the import deletes all others.
func readTerritories(body *struct {
	Nodes []*recordedTerritory `json:"nodes"`
}, _ variables,
) (*Import, error) {
	list := make([]*model.Territory, len(body.Nodes))
	headquarters := map[string]string{} // by guild
	for n, recorded := range body.Nodes {
		if recorded == nil || recorded.Location == nil {
			return nil, fmt.Errorf("entry %d lacks location", n+1)
		}
		t := recorded.record()
		list[n] = t
		if t.Hq && t.Guild.UUID != nil && headquarters[*t.Guild.UUID] == "" {
			headquarters[*t.Guild.UUID] = t.Name
		}
	}
	for _, t := range list {
		if err := checkTerritory(t, headquarters); err != nil {
			return nil, fmt.Errorf("territory %q: %w", t.Name, err)
		}
		t.Guild.Hq = nil
	}
	return keyed(list, func(t *model.Territory) any { return t.Name }, replaceTerritories)
}

// replaceTerritories stores the map, the captures that it reveals and the guilds' counters in one transaction.
func replaceTerritories(ctx context.Context, store *mongo.Store, list []*model.Territory) error {
	return store.Transact(ctx, func(ctx context.Context) error {
		old, err := store.Territories.All(ctx)
		if err != nil {
			return err
		}
		if err := store.Territories.Replace(ctx, list); err != nil {
			return err
		}
		var c changes
		c.territories(old, list)
		return errors.Join(c.countCaptures(ctx, store), c.record(ctx, store))
	})
}

// checkTerritory rejects values that the service could not return: it derives a guild's headquarters from the hq flags
// of the territories.
func checkTerritory(t *model.Territory, headquarters map[string]string) error {
	g, hq := t.Guild, ""
	if g.UUID != nil {
		if err := checkUUID("guild.uuid", *g.UUID); err != nil {
			return err
		}
		hq = headquarters[*g.UUID]
	}
	if g.Hq == nil && hq != "" || g.Hq != nil && *g.Hq != hq {
		return errors.New("guild.hq is not the first territory of the guild with hq true")
	}
	return exact("acquired", t.AcquiredAt)
}
