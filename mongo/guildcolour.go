package mongo

import (
	"context"
	"errors"
	"maps"
	"slices"

	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
	"gamedata/mongo/conn"
)

// Colours reads the stored colours of guilds by uuid, empty for a guild without one. Unknown guilds are missing.
func (s *GuildStore) Colours(ctx context.Context, uuids []string) (map[string]string, error) {
	found, err := find[model.Guild](ctx, s.db.Collection(Guilds), withID(in(uuids)),
		options.Find().SetProjection(projection("colour")))
	out := make(map[string]string, len(found))
	for _, g := range found {
		out[g.UUID] = g.StoredColour
	}
	return out, err
}

// ColourHolders gives a colour to each guild that holds territories and has none. A guild keeps its colour when it
// loses its territories. It returns the number of holders.
func (s *GuildStore) ColourHolders(ctx context.Context) (holders int, err error) {
	err = s.store.Transact(conn.FromPrimary(ctx), func(ctx context.Context) error {
		territories, err := s.store.Territories.All(ctx)
		if err != nil {
			return err
		}
		uuids := slices.Sorted(maps.Keys(model.TerritoryCounts(territories)))
		holders = len(uuids)
		if holders == 0 {
			return nil
		}
		guilds, err := s.ByID(ctx, uuids)
		var malformed *MalformedError
		if err != nil && !errors.As(err, &malformed) {
			return err
		}
		stored, records := map[string]string{}, map[string]*model.Guild{}
		for _, g := range guilds {
			if g == nil {
				continue
			}
			records[g.UUID] = g
			if g.StoredColour != "" {
				stored[g.UUID] = g.StoredColour
			}
		}
		var changes []Change
		for uuid, colour := range model.ColoursOfHolders(territories, stored) {
			if before := records[uuid]; before != nil {
				after := Clone(before)
				after.StoredColour = colour
				changes = append(changes, Save(before, after))
			}
		}
		return s.store.Apply(ctx, changes...)
	})
	return holders, err
}
