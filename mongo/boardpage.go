package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// BoardPage is entries of a board one behind the other. A page never changes.
type BoardPage struct {
	ID      int64  `bson:"_id"`
	Entries []byte `bson:"entries"`
}

// PageID is the id of the nth page that the holder of a lease writes: no other page of any
// board has it, and pages of later leases have higher ones.
func PageID(epoch int64, n uint32) int64 { return epoch<<32 | int64(n) }

// BoardPages reads the entries of pages in the order of their ids; nil where a page is gone.
func (s *Store) BoardPages(ctx context.Context, ids []int64) ([][]byte, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	found, err := find[BoardPage](ctx, s.db.Collection(BoardPages),
		bson.D{{Key: "_id", Value: bson.D{{Key: "$in", Value: ids}}}})
	if err != nil {
		return nil, err
	}
	at := make(map[int64][]byte, len(found))
	for _, p := range found {
		at[p.ID] = p.Entries
	}
	out := make([][]byte, len(ids))
	for i, id := range ids {
		out[i] = at[id]
	}
	return out, nil
}

// InsertBoardPages adds new pages.
func (s *Store) InsertBoardPages(ctx context.Context, pages []*BoardPage) error {
	return insert(ctx, s.db.Collection(BoardPages), pages)
}

// DeleteBoardPages takes pages away that no directory names any more.
func (s *Store) DeleteBoardPages(ctx context.Context, ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	ctx, cancel := withLongTimeout(ctx)
	defer cancel()
	_, err := s.db.Collection(BoardPages).DeleteMany(ctx, bson.D{{Key: "_id", Value: bson.D{{Key: "$in", Value: ids}}}})
	return translateError(err)
}

// BoardPageIDs lists the pages below an id in rising order, beginning behind another one.
func (s *Store) BoardPageIDs(ctx context.Context, after, below int64, limit int) ([]int64, error) {
	ctx, cancel := withLongTimeout(ctx)
	defer cancel()
	found, err := find[BoardPage](ctx, s.db.Collection(BoardPages),
		bson.D{{Key: "_id", Value: bson.D{{Key: "$gt", Value: after}, {Key: "$lt", Value: below}}}},
		options.Find().SetProjection(bson.D{{Key: "_id", Value: 1}}).SetSort(bson.D{{
			Key:   "_id",
			Value: 1,
		}}).SetLimit(int64(limit)))
	if err != nil {
		return nil, err
	}
	out := make([]int64, len(found))
	for i, p := range found {
		out[i] = p.ID
	}
	return out, nil
}
