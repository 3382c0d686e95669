package mongo

import (
	"context"
	"iter"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"

	"gamedata/graph/model"
	"gamedata/mongo/conn"
)

// Ranked is a kind of record that is ranked on boards.
type Ranked string

// The kinds, by collection.
const (
	RankedPlayers Ranked = Players
	RankedGuilds  Ranked = Guilds
)

// standings returns the name of the collection with the standings of the kind.
func (r Ranked) standings() string {
	if r == RankedGuilds {
		return GuildStandings
	}
	return PlayerStandings
}

// Standing lists the board entries of one player or guild. After an interrupted refresh it may list
// more entries than the boards have, never fewer.
type Standing struct {
	UUID    string `bson:"_id"`
	Entries []byte `bson:"entries"`
	// Pending makes the next refresh look at the player or guild.
	Pending bool `bson:"pending,omitempty"`
	// Former means that the entries belong to a deleted record, not to a new one with its uuid.
	Former bool `bson:"former,omitempty"`
}

// StandingStore reads and writes the leaderboard entries of each player and guild.
type StandingStore struct{ family }

// ByUUID reads standings in the order of the uuids; nil where there is none.
func (s *StandingStore) ByUUID(ctx context.Context, of Ranked, uuids []string) ([]*Standing, error) {
	if len(uuids) == 0 {
		return nil, nil
	}
	return findInOrder(ctx, s.db.Collection(of.standings()), "_id", uuids, func(s *Standing) string { return s.UUID })
}

// Between reads the standings after a uuid and up to last, in order, in pages of a size. An empty last sets no bound.
func (s *StandingStore) Between(ctx context.Context, of Ranked, after, last string, size int,
) iter.Seq2[[]*Standing, error] {
	return scan[Standing]{
		in: s.db.Collection(of.standings()), after: after, last: last, size: size,
		key: func(s *Standing) string { return s.UUID },
	}.pages(ctx)
}

// Put writes standings that are not pending, for the holder of a lease. ErrLeaseLost when the
// holder of a newer lease has written one.
func (s *StandingStore) Put(ctx context.Context, of Ranked, list []*Standing, epoch int64) error {
	return s.db.fencedWrite(ctx, of.standings(), each(list, func(st *Standing) driver.WriteModel {
		return fencedUpdate(st.UUID, epoch, bson.D{
			{Key: "$set", Value: bson.D{{Key: "epoch", Value: epoch}, {Key: "entries", Value: st.Entries}}},
			{Key: "$unset", Value: bson.D{{Key: "pending", Value: ""}, {Key: "former", Value: ""}}},
		})
	}))
}

// PutPending writes standings that list more entries than the boards have yet. They are
// pending until Put.
func (s *StandingStore) PutPending(ctx context.Context, of Ranked, list []*Standing, epoch int64) error {
	return s.db.fencedWrite(ctx, of.standings(), each(list, func(st *Standing) driver.WriteModel {
		return fencedUpdate(st.UUID, epoch, bson.D{{Key: "$set", Value: bson.D{
			{Key: "epoch", Value: epoch}, {Key: "entries", Value: st.Entries}, {Key: "pending", Value: true},
		}}})
	}))
}

// MarkPending makes the next refresh look at players or guilds, even deleted ones.
func (s *StandingStore) MarkPending(ctx context.Context, of Ranked, uuids []string, epoch int64) error {
	update := bson.D{{Key: "$set", Value: bson.D{{Key: "epoch", Value: epoch}, {Key: "pending", Value: true}}}}
	return s.db.fencedWrite(ctx, of.standings(), each(uuids, func(uuid string) driver.WriteModel {
		return fencedUpdate(uuid, epoch, update)
	}))
}

// Pending lists the uuids whose standing is pending.
func (s *StandingStore) Pending(ctx context.Context, of Ranked) ([]string, error) {
	return s.db.allIDs(ctx, of.standings(), bson.D{{Key: "pending", Value: true}}, "", "")
}

// UUIDs lists the uuids that have standings, in order, in pages of a size.
func (s *StandingStore) UUIDs(ctx context.Context, of Ranked, size int) iter.Seq2[[]string, error] {
	return s.db.idPages(ctx, of.standings(), bson.D{}, "", "", size)
}

// Delete deletes standings of deleted players or guilds that are on no board.
func (s *StandingStore) Delete(ctx context.Context, of Ranked, uuids []string, epoch int64) error {
	if len(uuids) == 0 {
		return nil
	}
	ctx = conn.WithLongTimeout(ctx)
	return s.db.Collection(of.standings()).DeleteMany(ctx,
		bson.D{{Key: "_id", Value: in(uuids)}, {Key: "epoch", Value: bson.D{{Key: "$lte", Value: epoch}}}})
}

// Presence says whether a player is online and when they last joined; guilds have neither.
type Presence struct {
	UUID     string     `bson:"_id"`
	Online   bool       `bson:"online"`
	LastJoin *time.Time `bson:"lastJoin"`
	AddedAt  time.Time  `bson:"addedAt"`
}

// Presences reads all players or guilds, in order, in pages of a size.
func (s *StandingStore) Presences(ctx context.Context, of Ranked, size int) iter.Seq2[[]*Presence, error] {
	return scan[Presence]{
		in: s.db.Collection(string(of)), size: size, key: func(p *Presence) string { return p.UUID },
		fields: projection("online", "lastJoin", addedField),
	}.pages(ctx)
}

// PreviousRanking is the previousRanking to store in a player's or guild's record.
type PreviousRanking struct {
	UUID      string
	At        time.Time
	Positions []*model.RankPosition
}

// PutPreviousRankings writes previousRanking into the records of players or guilds, except deleted ones.
func (s *StandingStore) PutPreviousRankings(ctx context.Context, of Ranked, list []PreviousRanking) error {
	_, err := s.db.bulkUpdate(ctx, string(of), each(list, func(r PreviousRanking) driver.WriteModel {
		return driver.NewUpdateOneModel().SetFilter(bson.D{{Key: "_id", Value: r.UUID}}).
			SetUpdate(bson.D{{Key: "$set", Value: bson.D{
				{Key: "previousRanking", Value: r.Positions}, {Key: "previousRankingAt", Value: r.At},
			}}})
	}))
	return err
}
