package conn

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.mongodb.org/mongo-driver/v2/mongo/readconcern"
	"go.mongodb.org/mongo-driver/v2/mongo/readpref"
	"go.mongodb.org/mongo-driver/v2/mongo/writeconcern"
)

// engine lists the abilities of the server.
type engine struct {
	// transactions is true for a member of a replica set or a router of a cluster.
	transactions bool
	// sharded is true for a router of a cluster.
	sharded bool
	// bulkWrite is true if the server has the command for writes of several collections, as MongoDB 8.0.
	bulkWrite bool
}

// bulkWriteVersion is the first wire version with the command bulkWrite.
const bulkWriteVersion = 25

func (c *Conn) readEngine(ctx context.Context) (engine, error) {
	var hello struct {
		SetName        string `bson:"setName"`
		Message        string `bson:"msg"`
		MaxWireVersion int    `bson:"maxWireVersion"`
		SessionMinutes *int   `bson:"logicalSessionTimeoutMinutes"`
	}
	err := c.Run(ctx, bson.D{{Key: "hello", Value: 1}}, &hello)
	sharded := hello.Message == "isdbgrid"
	return engine{
		sharded:      sharded,
		transactions: hello.SessionMinutes != nil && (hello.SetName != "" || sharded),
		bulkWrite:    hello.MaxWireVersion >= bulkWriteVersion,
	}, err
}

// Transactional reports whether the server has transactions.
func (c *Conn) Transactional() bool { return c.engine.transactions }

// Sharded reports whether the server is a router of a cluster.
func (c *Conn) Sharded() bool { return c.engine.sharded }

// HasBulkWrite reports whether the server has the command of BulkWrite.
func (c *Conn) HasBulkWrite() bool { return c.engine.bulkWrite }

var transactionOptions = options.Transaction().SetReadConcern(readconcern.Snapshot()).
	SetReadPreference(readpref.Primary()).SetWriteConcern(writeconcern.Majority())

const (
	// workTimeout bounds the work of one run, commitTimeout its commit, and the time in which the driver repeats runs:
	// no transaction lives for 10 seconds, after which the server should end what a dead instance left open. Other
	// commands have other timeouts.
	workTimeout, commitTimeout = 5 * time.Second, 4 * time.Second
	// conflictPatience is how long a transaction is repeated after conflicts, but it runs at least minRuns times. A
	// live transaction in conflict ends in a moment; one of a dead instance does not.
	conflictPatience = time.Second
	minRuns          = 4
)

// Transact runs work in a transaction, which the server must support. It repeats work when another transaction changes
// the same records, and returns ErrConflict when that transaction does not end. Calls join the transaction by the
// context that work gets.
func (c *Conn) Transact(ctx context.Context, work func(context.Context) error) error {
	all, lifetime := longTimeout, cmp.Or(c.options.TransactionTimeout, workTimeout)
	if c.options.InProcess { // the server ends with this process
		all, lifetime = unlimited, unlimited
	}
	ctx, cancel := context.WithTimeout(ctx, all)
	defer cancel()
	session, err := c.db.Client().StartSession()
	if err != nil {
		return Translate(err)
	}
	defer session.EndSession(context.WithoutCancel(ctx))
	begun, runs := time.Now(), 0
	run := func(ctx context.Context) (any, error) {
		ctx, cancel := context.WithTimeout(ctx, lifetime)
		defer cancel()
		runs++
		err := work(ctx)
		if isConflict(err) && runs >= minRuns && time.Since(begun) >= conflictPatience {
			err = fmt.Errorf("%w: %w: %s", ErrUnavailable, ErrConflict, err.Error()) // so the driver does not try it again
		}
		return nil, err
	}
	for {
		_, err = session.WithTransaction(ctx, run, transactionOptions)
		switch { // the driver gives up after commitTimeout
		case !isConflict(err):
			err = Translate(err)
			c.noteRefusal(err) // the store may refuse the writes of a transaction only at its commit
			return err
		case ctx.Err() != nil:
			return fmt.Errorf("%w: %w", ErrUnavailable, err)
		}
	}
}
