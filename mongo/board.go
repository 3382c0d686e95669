package mongo

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// A board is stored as a directory, one record that is swapped at once, and pages that never
// change: a refresh writes new pages beside the old ones, then the directory that names
// them. What entries mean is not known here; they are bytes in the order of the board.

// KeySize is the size of a page's entries in bytes.
const KeySize = 40

// Directory says which pages make a board.
type Directory struct {
	Board string
	// RefreshedAt is when it was written; nil before the first refresh.
	RefreshedAt *time.Time
	// Count is the number of entries in all pages.
	Count int
	// Pages in the order of the board.
	Pages []PageRef
}

// PageRef names a page in a directory. Last is its last entry.
type PageRef struct {
	ID    int64
	Count int
	Last  [KeySize]byte
}

// refSize is the size of a packed PageRef.
const refSize = 8 + 4 + KeySize

// directoryRecord is a Directory as stored. Epoch is that of the lease of the last writer.
type directoryRecord struct {
	Board       string     `bson:"_id"`
	Epoch       int64      `bson:"epoch"`
	RefreshedAt *time.Time `bson:"refreshedAt"`
	Count       int        `bson:"count"`
	Pages       []byte     `bson:"pages"`
}

func (r *directoryRecord) directory() (*Directory, error) {
	if len(r.Pages)%refSize != 0 {
		return nil, fmt.Errorf("the directory of %s is cut off", r.Board)
	}
	d := &Directory{Board: r.Board, RefreshedAt: r.RefreshedAt, Count: r.Count, Pages: make([]PageRef, 0,
		len(r.Pages)/refSize)}
	for p := r.Pages; len(p) > 0; p = p[refSize:] {
		d.Pages = append(d.Pages, PageRef{
			int64(binary.BigEndian.Uint64(p)), int(binary.BigEndian.Uint32(p[8:])),
			[KeySize]byte(p[12:refSize]),
		})
	}
	return d, nil
}

// Directories reads the directories of boards by name; nil where a board has none yet.
func (s *Store) Directories(ctx context.Context, names []string) ([]*Directory, error) {
	found, err := s.directories(ctx, bson.D{{Key: "_id", Value: in(names)}})
	if err != nil {
		return nil, err
	}
	return inKeyOrder(names, found, func(d *Directory) string { return d.Board }), nil
}

// AllDirectories reads every directory there is.
func (s *Store) AllDirectories(ctx context.Context) ([]*Directory, error) {
	ctx, cancel := withLongTimeout(ctx)
	defer cancel()
	return s.directories(ctx, bson.D{})
}

func (s *Store) directories(ctx context.Context, filter bson.D) ([]*Directory, error) {
	found, err := find[directoryRecord](ctx, s.db.Collection(Boards), filter)
	if err != nil {
		return nil, err
	}
	out := make([]*Directory, len(found))
	for i, r := range found {
		if out[i], err = r.directory(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// FenceBoards makes the directories of boards refuse writers of older leases from now on,
// and makes those that are missing. ErrLeaseLost when a newer lease was here before.
func (s *Store) FenceBoards(ctx context.Context, names []string, epoch int64) error {
	writes := make([]driver.WriteModel, len(names))
	for i, name := range names {
		writes[i] = driver.NewUpdateOneModel().SetFilter(fenced(name, epoch)).SetUpsert(true).
			SetUpdate(bson.D{{Key: "$set", Value: bson.D{{Key: "epoch", Value: epoch}}}})
	}
	return s.fencedWrite(ctx, Boards, writes)
}

// fenced is the filter of a record that no newer lease has written.
func fenced(id string, epoch int64) bson.D {
	return bson.D{{Key: "_id", Value: id}, {Key: "epoch", Value: bson.D{{Key: "$lte", Value: epoch}}}}
}

// fencedWrite runs updates that add what is missing. A record behind a newer fence does not
// match and cannot be added twice, which is how the lost lease shows.
func (s *Store) fencedWrite(ctx context.Context, collection string, writes []driver.WriteModel) error {
	if len(writes) == 0 {
		return nil
	}
	ctx, cancel := withLongTimeout(ctx)
	defer cancel()
	_, err := s.db.Collection(collection).BulkWrite(ctx, writes, options.BulkWrite().SetOrdered(false))
	if driver.IsDuplicateKeyError(err) {
		return ErrLeaseLost
	}
	return translateError(err)
}

// SwapDirectories makes boards what directories say, each all at once, for the holder of a
// lease that fenced them. ErrLeaseLost when a newer one did since.
func (s *Store) SwapDirectories(ctx context.Context, list []*Directory, epoch int64) error {
	if len(list) == 0 {
		return nil
	}
	writes := make([]driver.WriteModel, len(list))
	for i, d := range list {
		writes[i] = driver.NewUpdateOneModel().SetFilter(bson.D{{Key: "_id", Value: d.Board}, {Key: "epoch", Value: epoch}}).
			SetUpdate(bson.D{{Key: "$set", Value: bson.D{{Key: "refreshedAt", Value: d.RefreshedAt}, {
				Key:   "count",
				Value: d.Count,
			}, {Key: "pages", Value: d.pack()}}}})
	}
	ctx, cancel := withLongTimeout(ctx)
	defer cancel()
	r, err := s.db.Collection(Boards).BulkWrite(ctx, writes, options.BulkWrite().SetOrdered(false))
	if err != nil {
		return translateError(err)
	}
	if r.MatchedCount < int64(len(list)) {
		return ErrLeaseLost
	}
	return nil
}

func (d *Directory) pack() []byte {
	out := make([]byte, 0, len(d.Pages)*refSize)
	for _, p := range d.Pages {
		out = binary.BigEndian.AppendUint64(out, uint64(p.ID))
		out = binary.BigEndian.AppendUint32(out, uint32(p.Count))
		out = append(out, p.Last[:]...)
	}
	return out
}

// TouchBoards says of boards that they were refreshed, for the holder of a lease.
func (s *Store) TouchBoards(ctx context.Context, names []string, refreshedAt time.Time, epoch int64) error {
	ctx, cancel := withLongTimeout(ctx)
	defer cancel()
	_, err := s.db.Collection(Boards).UpdateMany(ctx, bson.D{{Key: "_id", Value: in(names)}, {Key: "epoch", Value: epoch}},
		bson.D{{Key: "$set", Value: bson.D{{Key: "refreshedAt", Value: refreshedAt}}}})
	return translateError(err)
}

// DeleteDirectory takes a board away, for the holder of a lease no older than its last.
func (s *Store) DeleteDirectory(ctx context.Context, board string, epoch int64) error {
	_, err := s.db.Collection(Boards).DeleteOne(ctx, fenced(board, epoch))
	return translateError(err)
}
