package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// Ranked is who may stand on boards.
type Ranked string

// Those who may.
const (
	RankedPlayers Ranked = Players
	RankedGuilds  Ranked = Guilds
)

// standings is the collection of their standings.
func (r Ranked) standings() string {
	if r == RankedGuilds {
		return GuildStandings
	}
	return PlayerStandings
}

// Standing lists the entries that one player or guild may have on boards: at least those it
// has, whatever a refresh that broke off left behind.
type Standing struct {
	UUID    string `bson:"_id"`
	Entries []byte `bson:"entries"`
	// Pending asks the next refresh to look at whose standing it is.
	Pending bool `bson:"pending,omitempty"`
}

// Standings reads standings in the order of the uuids; nil where there is none.
func (s *Store) Standings(ctx context.Context, of Ranked, uuids []string) ([]*Standing, error) {
	if len(uuids) == 0 {
		return nil, nil
	}
	found, err := find[Standing](ctx, s.db.Collection(of.standings()), bson.D{{Key: "_id", Value: in(uuids)}})
	if err != nil {
		return nil, err
	}
	return inKeyOrder(uuids, found, func(s *Standing) string { return s.UUID }), nil
}

// PutStandings writes standings for the holder of a lease and settles them.
// ErrLeaseLost when a newer lease has written one.
func (s *Store) PutStandings(ctx context.Context, of Ranked, list []*Standing, epoch int64) error {
	writes := make([]driver.WriteModel, len(list))
	for i, st := range list {
		writes[i] = driver.NewUpdateOneModel().SetFilter(fenced(st.UUID, epoch)).SetUpsert(true).
			SetUpdate(bson.D{
				{Key: "$set", Value: bson.D{{Key: "epoch", Value: epoch}, {Key: "entries", Value: st.Entries}}},
				{Key: "$unset", Value: bson.D{{Key: "pending", Value: ""}}},
			})
	}
	return s.fencedWrite(ctx, of.standings(), writes)
}

// PutPendingStandings writes standings that list more than is on the boards yet, and keeps them
// pending until they are put.
func (s *Store) PutPendingStandings(ctx context.Context, of Ranked, list []*Standing, epoch int64) error {
	writes := make([]driver.WriteModel, len(list))
	for i, st := range list {
		writes[i] = driver.NewUpdateOneModel().SetFilter(fenced(st.UUID, epoch)).SetUpsert(true).
			SetUpdate(bson.D{{Key: "$set", Value: bson.D{
				{Key: "epoch", Value: epoch},
				{Key: "entries", Value: st.Entries},
				{Key: "pending", Value: true},
			}}})
	}
	return s.fencedWrite(ctx, of.standings(), writes)
}

// MarkStandingsPending marks standings as pending: a refresh has to look at their players or
// guilds, even when those are gone.
func (s *Store) MarkStandingsPending(ctx context.Context, of Ranked, uuids []string, epoch int64) error {
	writes := make([]driver.WriteModel, len(uuids))
	for i, uuid := range uuids {
		writes[i] = driver.NewUpdateOneModel().SetFilter(fenced(uuid, epoch)).SetUpsert(true).
			SetUpdate(bson.D{{Key: "$set", Value: bson.D{{Key: "epoch", Value: epoch}, {Key: "pending", Value: true}}}})
	}
	return s.fencedWrite(ctx, of.standings(), writes)
}

// PendingStandings lists the uuids whose standing is pending.
func (s *Store) PendingStandings(ctx context.Context, of Ranked) ([]string, error) {
	return s.ids(ctx, of.standings(), bson.D{{Key: "pending", Value: true}}, 0)
}

// StandingUUIDs lists the uuids that have standings, in order, beginning behind one.
func (s *Store) StandingUUIDs(ctx context.Context, of Ranked, after string, limit int) ([]string, error) {
	return s.ids(ctx, of.standings(), idAfter(after), limit)
}

// DeleteStandings takes away standings of those who are on no board and gone.
func (s *Store) DeleteStandings(ctx context.Context, of Ranked, uuids []string, epoch int64) error {
	if len(uuids) == 0 {
		return nil
	}
	ctx, cancel := withLongTimeout(ctx)
	defer cancel()
	_, err := s.db.Collection(of.standings()).DeleteMany(ctx,
		bson.D{{Key: "_id", Value: in(uuids)}, {Key: "epoch", Value: bson.D{{Key: "$lte", Value: epoch}}}})
	return translateError(err)
}

// idAfter is the filter of records whose id comes later.
func idAfter(id string) bson.D {
	return bson.D{{Key: "_id", Value: bson.D{{Key: "$gt", Value: id}}}}
}

// ids lists the ids of the records that a filter matches, in order; all when limit is 0.
func (s *Store) ids(ctx context.Context, collection string, filter bson.D, limit int) ([]string, error) {
	ctx, cancel := withLongTimeout(ctx)
	defer cancel()
	found, err := find[struct {
		UUID string `bson:"_id"`
	}](ctx, s.db.Collection(collection), filter, options.Find().SetProjection(bson.D{{Key: "_id", Value: 1}}).
		SetSort(bson.D{{Key: "_id", Value: 1}}).SetLimit(int64(limit)))
	if err != nil {
		return nil, err
	}
	out := make([]string, len(found))
	for i, r := range found {
		out[i] = r.UUID
	}
	return out, nil
}
