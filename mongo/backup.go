package mongo

import (
	"context"
	"errors"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
)

// longestBackup bounds the writing of a backup.
const backupTimeout = time.Hour

// Backup has the embedded store write itself, as it is at one moment, to a file of its machine that
// is not there yet; path is absolute. Reading and writing go on meanwhile. MongoDB knows no such
// command.
func (s *Store) Backup(ctx context.Context, path string) error {
	ctx, cancel := context.WithTimeout(ctx, backupTimeout)
	defer cancel()
	err := s.db.Database.RunCommand(ctx, bson.D{{Key: "backup", Value: path}}).Err()
	if refused := (driver.CommandError{}); errors.As(err, &refused) {
		return errors.New(refused.Message)
	}
	return translateError(err)
}
