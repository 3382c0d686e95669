package mongo

import (
	"context"
	"encoding/binary"
	"fmt"
	"iter"
	"time"

	"gamedata/mongo/conn"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// A board is stored as a directory, one record that is replaced atomically, and immutable pages. A
// refresh writes new pages beside the old ones, then the directory that names them. Entries are opaque
// bytes here, in the order of the board.

// KeySize is the size of an entry's key in bytes.
const KeySize = 40

// Directory lists the pages of a board.
type Directory struct {
	Board string
	// RefreshedAt is the time of the last refresh; nil before the first.
	RefreshedAt *time.Time
	// Count is the number of entries on all pages.
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

// directoryRecord is a stored Directory. Epoch comes from the last writer's lease.
type directoryRecord struct {
	Board       string     `bson:"_id"`
	Epoch       int64      `bson:"epoch"`
	RefreshedAt *time.Time `bson:"refreshedAt"`
	Count       int        `bson:"count"`
	Pages       []byte     `bson:"pages"`
}

func (r *directoryRecord) unpack() (*Directory, error) {
	if len(r.Pages)%refSize != 0 {
		return nil, fmt.Errorf("truncated directory of board %s", r.Board)
	}
	d := &Directory{Board: r.Board, RefreshedAt: r.RefreshedAt, Count: r.Count}
	d.Pages = make([]PageRef, 0, len(r.Pages)/refSize)
	for p := r.Pages; len(p) > 0; p = p[refSize:] {
		d.Pages = append(d.Pages, PageRef{
			ID: int64(binary.BigEndian.Uint64(p)), Count: int(binary.BigEndian.Uint32(p[8:])),
			Last: [KeySize]byte(p[12:refSize]),
		})
	}
	return d, nil
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

// BoardStore reads and writes pages and directories of leaderboards.
type BoardStore struct{ family }

// Directories reads the directories of boards by name; nil where a board has none yet.
func (s *BoardStore) Directories(ctx context.Context, names []string) ([]*Directory, error) {
	found, err := s.directories(ctx, bson.D{{Key: "_id", Value: in(names)}})
	if err != nil {
		return nil, err
	}
	return inKeyOrder(names, found, func(d *Directory) string { return d.Board }), nil
}

// Counts reads how many entries each board has, without its pages.
func (s *BoardStore) Counts(ctx context.Context, names []string) (map[string]int, error) {
	found, err := find[directoryRecord](ctx, s.db.Collection(Boards), bson.D{{Key: "_id", Value: in(names)}},
		options.Find().SetProjection(projection("count")))
	if err != nil {
		return nil, err
	}
	out := make(map[string]int, len(found))
	for _, r := range found {
		out[r.Board] = r.Count
	}
	return out, nil
}

// Announce makes every process that caches directories reload them. Responses stay cached.
func (s *BoardStore) Announce(ctx context.Context) error {
	return s.store.Purge(ctx, contentTag(Boards))
}

// AllDirectories reads every directory from the primary, like content: a secondary might lack one that was just
// announced.
func (s *BoardStore) AllDirectories(ctx context.Context) ([]*Directory, error) {
	ctx = conn.FromPrimary(conn.WithLongTimeout(ctx))
	return s.directories(ctx, bson.D{})
}

func (s *BoardStore) directories(ctx context.Context, filter bson.D) ([]*Directory, error) {
	found, err := find[directoryRecord](ctx, s.db.Collection(Boards), filter)
	if err != nil {
		return nil, err
	}
	out := make([]*Directory, len(found))
	for i, r := range found {
		if out[i], err = r.unpack(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Fence makes the directories of boards reject writers of older leases, and creates missing
// ones. ErrLeaseLost when the holder of a newer lease has fenced them.
func (s *BoardStore) Fence(ctx context.Context, names []string, epoch int64) error {
	update := bson.D{{Key: "$set", Value: bson.D{{Key: "epoch", Value: epoch}}}}
	return s.db.fencedWrite(ctx, Boards, each(names, func(name string) driver.WriteModel {
		return fencedUpdate(name, epoch, update)
	}))
}

// fenced matches a record unless the holder of a newer lease has written it.
func fenced(id string, epoch int64) bson.D {
	return bson.D{{Key: "_id", Value: id}, {Key: "epoch", Value: bson.D{{Key: "$lte", Value: epoch}}}}
}

// fencedUpdate updates a fenced record or inserts it.
func fencedUpdate(id string, epoch int64, update bson.D) driver.WriteModel {
	return driver.NewUpdateOneModel().SetFilter(fenced(id, epoch)).SetUpsert(true).SetUpdate(update)
}

// fencedWrite runs fenced updates. A record with a newer fence does not match, so the upsert fails with a duplicate
// key: the lease is lost. The upsert also fails when the holder of an older lease inserts the record at the same time;
// then the second attempt matches it.
func (d database) fencedWrite(ctx context.Context, collection string, writes []driver.WriteModel) error {
	_, err := d.bulkUpdate(ctx, collection, writes)
	if conn.IsDuplicateKey(err) {
		_, err = d.bulkUpdate(ctx, collection, writes)
	}
	if conn.IsDuplicateKey(err) {
		return ErrLeaseLost
	}
	return err
}

// SwapDirectories replaces directories, each atomically, for the holder of a lease that fenced them. ErrLeaseLost when
// the holder of a newer lease has fenced them since.
func (s *BoardStore) SwapDirectories(ctx context.Context, list []*Directory, epoch int64) error {
	matched, err := s.db.bulkUpdate(ctx, Boards, each(list, func(d *Directory) driver.WriteModel {
		return driver.NewUpdateOneModel().
			SetFilter(bson.D{{Key: "_id", Value: d.Board}, {Key: "epoch", Value: epoch}}).
			SetUpdate(bson.D{{Key: "$set", Value: bson.D{
				{Key: "refreshedAt", Value: d.RefreshedAt}, {Key: "count", Value: d.Count}, {Key: "pages", Value: d.pack()},
			}}})
	}))
	if err == nil && matched < int64(len(list)) {
		return ErrLeaseLost
	}
	return err
}

// Touch sets the time of the last refresh of boards, for the holder of a lease.
func (s *BoardStore) Touch(ctx context.Context, names []string, refreshedAt time.Time, epoch int64) error {
	ctx = conn.WithLongTimeout(ctx)
	_, err := s.db.Collection(Boards).UpdateMany(ctx, bson.D{{Key: "_id", Value: in(names)}, {Key: "epoch", Value: epoch}},
		bson.D{{Key: "$set", Value: bson.D{{Key: "refreshedAt", Value: refreshedAt}}}})
	return err
}

// DeleteDirectory deletes a board, unless the holder of a newer lease has written it.
func (s *BoardStore) DeleteDirectory(ctx context.Context, board string, epoch int64) error {
	_, err := s.db.Collection(Boards).DeleteOne(ctx, fenced(board, epoch))
	return err
}

// BoardPage is a page of a board: its entries, concatenated. It is never changed.
type BoardPage struct {
	ID      int64  `bson:"_id"`
	Entries []byte `bson:"entries"`
}

// PageID returns the id of the nth page that the holder of a lease writes. It is unique over all
// boards, and higher than the epochs of earlier leases.
func PageID(epoch int64, n uint32) int64 { return epoch<<32 | int64(n) }

// Pages reads the entries of pages in the order of their ids; nil where a page is missing.
func (s *BoardStore) Pages(ctx context.Context, ids []int64) ([][]byte, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	found, err := find[BoardPage](ctx, s.db.Collection(BoardPages),
		bson.D{{Key: "_id", Value: bson.D{{Key: "$in", Value: ids}}}})
	if err != nil {
		return nil, err
	}
	entries := make(map[int64][]byte, len(found))
	for _, p := range found {
		entries[p.ID] = p.Entries
	}
	return each(ids, func(id int64) []byte { return entries[id] }), nil
}

// InsertPages adds new pages.
func (s *BoardStore) InsertPages(ctx context.Context, pages []*BoardPage) error {
	return insert(ctx, s.db.Collection(BoardPages), pages)
}

// DeletePages deletes pages that no directory names.
func (s *BoardStore) DeletePages(ctx context.Context, ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	ctx = conn.WithLongTimeout(ctx)
	return s.db.Collection(BoardPages).DeleteMany(ctx, bson.D{{Key: "_id", Value: bson.D{{Key: "$in", Value: ids}}}})
}

// PageIDs lists the ids of pages below an id, size at a time. The caller may change a list.
func (s *BoardStore) PageIDs(ctx context.Context, below int64, size int) iter.Seq2[[]int64, error] {
	ctx = conn.WithLongTimeout(ctx)
	return func(yield func([]int64, error) bool) {
		for after := int64(0); ; {
			found, err := find[BoardPage](ctx, s.db.Collection(BoardPages),
				bson.D{{Key: "_id", Value: bson.D{{Key: "$gt", Value: after}, {Key: "$lt", Value: below}}}},
				sortedBy("_id").SetProjection(projection("_id")).SetLimit(int64(size)))
			ids := each(found, func(p *BoardPage) int64 { return p.ID })
			full := len(ids) == size
			if full {
				after = ids[size-1]
			}
			if !yield(ids, err) || err != nil || !full {
				return
			}
		}
	}
}
