package mongo

import (
	"context"
	"errors"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// Clock is the time that the store's primary has.
func (s *Store) Clock(ctx context.Context) (time.Time, error) {
	var hello struct {
		LocalTime time.Time `bson:"localTime"`
	}
	if err := s.db.Database.RunCommand(ctx, bson.D{{Key: "hello", Value: 1}}).Decode(&hello); err != nil {
		return time.Time{}, translateError(err)
	}
	if hello.LocalTime.IsZero() {
		return time.Time{}, errors.New("the store does not tell its time")
	}
	return hello.LocalTime, nil
}
