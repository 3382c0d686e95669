package mongo

import (
	"context"
	"errors"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// BoardTask is a part of a full refresh of the leaderboards. Any instance may claim it, one at a time.
type BoardTask struct {
	// ID sorts the tasks in the order in which they are claimed.
	ID string `bson:"_id"`
	// Refresh identifies the refresh, Phase the step of it.
	Refresh int64  `bson:"refresh"`
	Phase   int    `bson:"phase"`
	Of      Ranked `bson:"of"`
	// From and To bound the first two bytes of the uuids that the task is about: From included, To excluded.
	From int `bson:"from"`
	To   int `bson:"to"`
	// Boards are the names of the leaderboards that the task is about.
	Boards []string `bson:"boards"`
	// At is the time of the refresh. Since is how long ago a player must have played to get a previousRanking.
	At    time.Time `bson:"at"`
	Since time.Time `bson:"since"`
	// Epoch rises with every claim and fences the writes of earlier ones. First is the one before the first claim.
	Epoch int64 `bson:"epoch"`
	First int64 `bson:"first"`
	// Holder has claimed the task until Until.
	Holder string    `bson:"holder"`
	Until  time.Time `bson:"until"`
	// Done is set with the Result when the task is finished.
	Done   bool            `bson:"done"`
	Result BoardTaskResult `bson:"result"`
}

// BoardTaskResult is what the work on a task found and wrote.
type BoardTaskResult struct {
	// Subjects is the number of players or guilds that were read, Pages and Rankings how much was written.
	Subjects int `bson:"subjects"`
	Pages    int `bson:"pages"`
	Rankings int `bson:"rankings"`
	// Changed are the names of the leaderboards that were written.
	Changed []string `bson:"changed"`
	// Entries are the numbers of entries by leaderboard.
	Entries map[string]int `bson:"entries"`
}

// BoardTaskClaims is how often a task can be claimed. A refresh reserves so many epochs for each of its tasks.
const BoardTaskClaims = 16

// ErrClaimedTooOften means that no instance that claimed a task finished it.
var ErrClaimedTooOften = errors.New("a part of the refresh failed too often")

// Tasks reads the tasks of the refresh that runs, in their order.
func (s *BoardStore) Tasks(ctx context.Context) ([]*BoardTask, error) {
	return find[BoardTask](ctx, s.db.Collection(BoardTasks), bson.D{}, sortedBy("_id"))
}

// InsertTasks adds unclaimed tasks.
func (s *BoardStore) InsertTasks(ctx context.Context, tasks []*BoardTask) error {
	return insert(ctx, s.db.Collection(BoardTasks), tasks)
}

// RenewTasks makes tasks free that were claimed, with new epochs.
func (s *BoardStore) RenewTasks(ctx context.Context, tasks []*BoardTask) error {
	_, err := s.db.bulkUpdate(ctx, BoardTasks, each(tasks, func(t *BoardTask) driver.WriteModel {
		return driver.NewUpdateOneModel().SetFilter(bson.D{{Key: "_id", Value: t.ID}, {Key: "done", Value: false}}).
			SetUpdate(bson.D{{Key: "$set", Value: bson.D{
				{Key: "epoch", Value: t.First}, {Key: "first", Value: t.First}, {Key: "until", Value: time.Unix(0, 0)},
			}}})
	}))
	return err
}

// DeleteTasks deletes the tasks of a phase and of those after it.
func (s *BoardStore) DeleteTasks(ctx context.Context, phase int) error {
	return s.db.Collection(BoardTasks).DeleteMany(ctx, bson.D{{Key: "phase", Value: bson.D{{Key: "$gte", Value: phase}}}})
}

// WorkOnTask claims a free task, runs work and stores its result. It returns nil if no task is free. The context
// of work is cancelled when the claim is lost; then the error is ErrLeaseLost. What work reads is up to date.
func (s *BoardStore) WorkOnTask(ctx context.Context, holder string,
	work func(context.Context, *BoardTask) (BoardTaskResult, error),
) (*BoardTask, error) {
	now := time.Now()
	t, err := s.claimTask(ctx, holder, now, now.Add(leaseTerm))
	if err != nil || t == nil {
		return nil, err
	}
	err = whileHeld(ctx, t.Until, func(ctx context.Context, until time.Time) error {
		return s.setClaimed(ctx, t, bson.D{{Key: "until", Value: until}})
	}, func(ctx context.Context) (err error) {
		t.Result, err = work(ctx, t)
		return err
	})
	end, cancel := untilReleased(ctx)
	defer cancel()
	if err != nil {
		return nil, errors.Join(err, s.releaseTask(end, t))
	}
	err = s.setClaimed(end, t, bson.D{{Key: "done", Value: true}, {Key: "result", Value: t.Result}})
	return t, err
}

// claimTask claims the first free task; nil when none is free.
func (s *BoardStore) claimTask(ctx context.Context, holder string, now, until time.Time) (*BoardTask, error) {
	var t BoardTask
	claimed, err := s.db.Collection(BoardTasks).FindOneAndUpdate(ctx,
		bson.D{{Key: "done", Value: false}, {Key: "until", Value: bson.D{{Key: "$lte", Value: now}}}},
		bson.D{
			{Key: "$set", Value: bson.D{{Key: "holder", Value: holder}, {Key: "until", Value: until}}},
			{Key: "$inc", Value: bson.D{{Key: "epoch", Value: int64(1)}}},
		},
		&t, options.FindOneAndUpdate().SetSort(bson.D{{Key: "_id", Value: 1}}).SetReturnDocument(options.After))
	switch {
	case err != nil || !claimed:
		return nil, err
	case t.Epoch-t.First >= BoardTaskClaims:
		return nil, ErrClaimedTooOften
	}
	return &t, nil
}

// releaseTask lets others claim a task at once. It is no error if they have.
func (s *BoardStore) releaseTask(ctx context.Context, t *BoardTask) error {
	err := s.setClaimed(ctx, t, bson.D{{Key: "until", Value: time.Unix(0, 0)}})
	if errors.Is(err, ErrLeaseLost) {
		return nil
	}
	return err
}

// setClaimed sets fields of a task, unless another has claimed it since: ErrLeaseLost.
func (s *BoardStore) setClaimed(ctx context.Context, t *BoardTask, fields bson.D) error {
	err := matchError(s.db.Collection(BoardTasks).UpdateOne(ctx,
		bson.D{{Key: "_id", Value: t.ID}, {Key: "epoch", Value: t.Epoch}}, bson.D{{Key: "$set", Value: fields}}))
	if errors.Is(err, ErrNotFound) {
		return ErrLeaseLost
	}
	return err
}
