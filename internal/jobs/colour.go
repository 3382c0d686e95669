package jobs

import (
	"context"
	"time"

	"gamedata/mongo"
)

// colourLease is the lease of Colour.
const colourLease = "colour"

// Colour gives a colour to each guild that holds territories and has none, as after an import.
func Colour(ctx context.Context, store *mongo.Store, _ time.Time, o Options) (report Report, err error) {
	err = store.Leases.With(ctx, colourLease, o.Holder, func(ctx context.Context, _ *mongo.Lease) error {
		report.Guilds, err = store.Guilds.ColourHolders(ctx)
		return err
	})
	return report, err
}
