package embedded

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"go.mongodb.org/mongo-driver/v2/bson"
)

const (
	// maxSessions bounds the remembered sessions. The server does not remember sessions without a transaction.
	maxSessions = 10_000
	// maxIdle and maxAbandoned end transactions: the time between two commands, and the time since the end of the
	// connection of the last command. A transaction ends maxIdles times Options.MaxIdle after its first command.
	maxIdle      = 10 * time.Second
	maxAbandoned = 3 * time.Second
	maxIdles     = 6
	// commitPatience is how long a commit waits for open transactions. When the file has outgrown its mapping, bbolt
	// can map it again only while no snapshot is open, and until then no new snapshot can be opened.
	commitPatience = 750 * time.Millisecond
)

// session is the open transaction of a client's session, or the outcome of its last one.
type session struct {
	mu        sync.Mutex   // held while a command of the transaction runs
	number    int64        // of the transaction
	open      *transaction // nil after its end
	committed bool

	connection atomic.Int32 // of the last command
}

func newSessions() *lru.Cache[string, *session] {
	sessions, _ := lru.NewWithEvict(maxSessions, func(_ string, sess *session) { go sess.retire() })
	return sessions // the error is for a size below 1
}

func (s *Server) session(id string) *session {
	if sess, ok := s.sessions.Get(id); ok {
		return sess
	}
	sess := &session{number: -1}
	if other, ok, _ := s.sessions.PeekOrAdd(id, sess); ok {
		return other
	}
	return sess
}

// expire aborts the open transaction if it began no later than a time.
func (sess *session) expire(began time.Time) {
	sess.mu.Lock()
	defer sess.mu.Unlock()
	if sess.open != nil && !sess.open.began.After(began) {
		sess.end()
	}
}

// retire aborts the open transaction of a forgotten session. No command can begin another transaction in it.
func (sess *session) retire() {
	sess.mu.Lock()
	defer sess.mu.Unlock()
	sess.end()
	sess.number = math.MaxInt64
}

// end closes the open transaction, if there is one; sess.mu is held.
func (sess *session) end() {
	if t := sess.open; t != nil {
		t.close()
		t.s.locks.end(t.locks, false)
		sess.open = nil
	}
}

// expireTransactions aborts the open transactions without waiting. A transaction that is running a command ends after
// it.
func (s *Server) expireTransactions() {
	now := time.Now()
	for _, sess := range s.sessions.Values() {
		go sess.expire(now)
	}
}

// abandon shortens the wait for the next command of open transactions that last used an ended connection: the client
// may have died.
func (s *Server) abandon(connection int32) {
	for _, sess := range s.sessions.Values() {
		if sess.connection.Load() != connection {
			continue
		}
		sess.mu.Lock()
		if sess.open != nil {
			sess.open.timer.Reset(min(s.options.MaxIdle, maxAbandoned))
		}
		sess.mu.Unlock()
	}
}

// inTransaction lists the commands that may run in a transaction.
var inTransaction = map[string]bool{
	"find": true, "getMore": true, "killCursors": true, "aggregate": true, "insert": true, "update": true,
	"delete": true, "findAndModify": true, "bulkWrite": true, "commitTransaction": true, "abortTransaction": true,
}

// runInTransaction runs a command of a transaction. A failure ends the transaction.
func (c *command) runInTransaction(run func(*command) error) (err error) {
	id, autocommit := c.body.lookup("lsid"), c.body.lookup("autocommit")
	if id.isDoc() {
		id = id.doc().lookup("id")
	}
	number, ok := c.body.lookup("txnNumber").integer()
	switch {
	case autocommit.kind != bson.TypeBoolean || autocommit.bool():
		return errorf(codeIllegalOperation, "retryable writes are not supported; connect with retryWrites=false")
	case id.kind != bson.TypeBinary || !ok || number < 0:
		return errorf(codeInvalidOptions, "a command of a transaction needs lsid.id and a txnNumber that is not negative")
	}
	sess := c.s.session(string(id.data))
	sess.connection.Store(c.connection)
	sess.mu.Lock()
	defer sess.mu.Unlock()
	if err := sess.enter(c, number); err != nil || sess.committed {
		return err
	}
	finished := false
	defer func() { sess.leave(finished) }()
	if !inTransaction[c.name] {
		return errorf(codeNotInTransaction, "Cannot run '%s' in a multi-document transaction.", c.name)
	}
	c.session, c.tx = sess, sess.open
	err = c.s.guarded(c.tx.snap.tx, func() error { return run(c) })
	finished = err == nil && !c.rejected
	return err
}

// enter finds or begins the transaction of a command; sess.mu is held. For commitTransaction it may be committed
// already.
func (sess *session) enter(c *command, number int64) (err error) {
	start, commit := c.flag("startTransaction", false), c.name == "commitTransaction"
	switch {
	case number < sess.number:
		return errorf(codeTransactionTooOld, "Cannot start transaction %d: the session has begun transaction %d", number,
			sess.number)
	case start && number == sess.number:
		return errorf(50911, "Cannot start transaction %d twice", number)
	case start:
		sess.end()
		sess.number, sess.committed = number, false
		sess.open, err = c.s.beginTransaction(sess)
		return err
	case number == sess.number && sess.open != nil:
		sess.open.timer.Stop()
		return nil
	case number == sess.number && sess.committed && commit:
		return nil
	case number == sess.number && sess.committed:
		return errorf(codeTransactionCommitted, "Transaction %d has been committed.", number)
	}
	// A transaction that this server does not know may have been committed before it was restarted.
	return &failure{
		code: codeNoTransaction, message: fmt.Sprintf("Transaction %d has been aborted.", number),
		transient: !commit || number == sess.number,
	}
}

// leave waits for the next command of the open transaction, or aborts it after a failure; sess.mu is held.
func (sess *session) leave(finished bool) {
	if !finished {
		sess.end()
	}
	if t := sess.open; t != nil {
		idle := t.s.options.MaxIdle
		t.timer.Reset(min(idle, time.Until(t.began.Add(maxIdles*idle))))
	}
}

// commitTransaction stores the writes of the transaction, or replies with a write conflict.
func commitTransaction(c *command) error {
	if c.tx == nil {
		return errNotStarted
	}
	c.session.open = nil
	c.tx.close() // its snapshot would block the commit
	committed := false
	defer func() { c.s.locks.end(c.tx.locks, committed) }()
	if len(c.tx.snap.own) > 0 {
		if err := c.s.update(c.tx.size, c.tx.commit); err != nil {
			return err
		}
	}
	c.session.committed, committed = true, true
	return nil
}

func abortTransaction(c *command) error {
	if c.tx == nil {
		return errNotStarted
	}
	c.session.end()
	return nil
}

var errNotStarted = errorf(codeInvalidOptions, "the command needs a transaction")

// endSessions aborts the transactions of sessions.
func endSessions(c *command) error {
	if c.argument.kind != bson.TypeArray {
		return c.mismatch(c.name, c.argument, "array")
	}
	for _, id := range c.argument.doc().all() {
		if id.isDoc() {
			c.s.sessions.Remove(string(id.doc().lookup("id").data))
		}
	}
	return nil
}
