package mongo

import (
	"context"
	"errors"
	"slices"

	"gamedata/graph/model"
	"gamedata/mongo/conn"
)

// ColourHolders gives colours to the guilds that hold territories and have none. They stay when the guilds lose their
// territories.
func (s *GuildStore) ColourHolders(ctx context.Context) error {
	return s.store.Transact(conn.FromPrimary(ctx), func(ctx context.Context) error {
		territories, err := s.store.Territories.All(ctx)
		if err != nil {
			return err
		}
		var uuids []string
		for _, t := range territories {
			if uuid := t.GuildUUID(); uuid != nil {
				uuids = append(uuids, *uuid)
			}
		}
		if len(uuids) == 0 {
			return nil
		}
		slices.Sort(uuids)
		guilds, err := s.ByID(ctx, slices.Compact(uuids))
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
}
