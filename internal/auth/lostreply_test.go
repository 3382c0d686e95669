package auth

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// lostReply is a change whose caller does not learn that the store has made it, and makes it again.
type lostReply struct {
	// change makes the change. Everything that it names has n in it.
	change func(d *fixture, n int) func() error
	// again is what the second call meets; nil when it succeeds.
	again error
	// count returns how often there is what the change makes; want is how often is right.
	count func(d *fixture, n int) int
	want  []int
}

var lostReplies = map[string]lostReply{
	"create an account": {
		change: func(d *fixture, n int) func() error {
			return func() error { _, err := d.Create(d.t.Context(), fmt.Sprint("New ", n)); return err }
		},
		again: ErrAccountNameTaken,
		count: func(d *fixture, n int) int { return d.found(d.ByName(d.t.Context(), fmt.Sprint("New ", n))) },
		want:  []int{1},
	},
	"link a player by a code": {
		change: func(d *fixture, n int) func() error {
			owner, code := d.account(n), newLinkCode()
			record, err := d.Players.NewLinkCode(fmt.Sprint("player ", n), code, d.clock())
			d.must(err)
			d.must(d.store.LinkCodes.Insert(d.t.Context(), record))
			return func() error { _, err := d.Players.Link(d.t.Context(), owner.ID, code); return err }
		},
		again: ErrInvalidLinkCode, // the game shows another one
		count: func(d *fixture, n int) int { return len(d.account(n).Profiles) },
		want:  []int{0, 1},
	},
	"create a token": {
		change: func(d *fixture, n int) func() error {
			owner := d.account(n)
			return func() error {
				_, _, err := d.Tokens.Create(d.t.Context(), owner.ID, "same", "", false, nil)
				return err
			}
		},
		again: ErrTokenNameTaken, // delete it: its value was never shown
		count: func(d *fixture, n int) int { return len(d.account(n).Tokens) },
		want:  []int{1},
	},
	"delete a token": {
		change: func(d *fixture, n int) func() error {
			owner := d.account(n)
			_, token, err := d.Tokens.Create(d.t.Context(), owner.ID, "same", "", false, nil)
			d.must(err)
			return func() error { return d.Tokens.Delete(d.t.Context(), owner.ID, token.Key, time.Minute) }
		},
		again: ErrNoToken,
		count: func(d *fixture, n int) int { return len(d.account(n).Tokens) },
		want:  []int{0},
	},
	"redeem an authorization code": {
		change: func(d *fixture, n int) func() error {
			code := d.issue("public", rfcChallenge)
			return func() error {
				_, _, err := d.Grants.Redeem(d.t.Context(), TokenRequest{
					Client: "public", Code: code, RedirectURI: back, Verifier: rfcVerifier,
				})
				return err
			}
		},
		again: ErrInvalidCode, // the user consents again
		count: func(d *fixture, n int) int {
			tokens, err := d.store.Grants.Of(d.t.Context(), d.salted.ID)
			d.must(err)
			held := len(tokens)
			d.must(d.Grants.Revoke(d.t.Context(), d.salted.ID, "public"))
			return held
		},
		want: []int{0, 1}, // its value is lost
	},
	"register an application": {
		change: func(d *fixture, n int) func() error {
			owner := d.account(n)
			return func() error {
				_, _, err := d.Applications.Register(d.t.Context(), owner.ID, "Board", []string{back}, nil, true)
				return err
			}
		},
		count: func(d *fixture, n int) int {
			apps, err := d.Applications.Of(d.t.Context(), d.account(n).ID)
			d.must(err)
			return len(apps)
		},
		want: []int{2}, // the user deletes the one whose secret is lost
	},
	"count usage": {
		change: func(d *fixture, n int) func() error {
			d.Usage.Count(viewer.Viewer{Kind: viewer.Token, Token: fmt.Sprint("token", n)}, "PLAYER", 1)
			return func() error { return d.Usage.Flush(d.t.Context()) }
		},
		count: func(d *fixture, n int) int {
			return int(d.usageOf(fmt.Sprint("token", n))[0].Charged["PLAYER"])
		},
		want: []int{1},
	},
	"count usage again": {
		change: func(d *fixture, n int) func() error {
			count := func() {
				d.Usage.Count(viewer.Viewer{Kind: viewer.Token, Token: fmt.Sprint("known", n)}, "PLAYER", 1)
			}
			count()
			d.must(d.Usage.Flush(d.t.Context()))
			count()
			return func() error { return d.Usage.Flush(d.t.Context()) }
		},
		count: func(d *fixture, n int) int {
			return int(d.usageOf(fmt.Sprint("known", n))[0].Charged["PLAYER"])
		},
		want: []int{2},
	},
}

// account returns the account of a change, which it creates.
func (d *fixture) account(n int) *model.Account {
	d.t.Helper()
	name := fmt.Sprint("Owner ", n)
	account, err := d.ByName(d.t.Context(), name)
	if errors.Is(err, ErrNoAccount) {
		account, err = d.Create(d.t.Context(), name)
	}
	d.must(err)
	return account
}

func (d *fixture) found(_ *model.Account, err error) int {
	d.must(err)
	return 1
}

// The store makes a change, and the connection breaks before its reply arrives: the caller gets an error and makes the
// change again, or the driver has repeated the transaction. It is made once, or the second call says what is there.
// This holds for each write of each change, and is what remains where the driver cannot find out: see
// TestLostRepliesOfAReplicaSet of mongo. Time is simulated.
func TestLostReplies(t *testing.T) { synctest.Test(t, loseReplies) }

func loseReplies(t *testing.T) {
	var proxy *mongotest.Proxy
	d := newFixture(t, mongotest.WithProxy(&proxy))
	d.applications()
	n := 0
	for name, c := range lostReplies {
		for lost, more := int64(1), true; more; lost++ {
			n++
			change := c.change(d, n)
			var writes atomic.Int64
			proxy.Handle(func(c mongotest.Command) (a mongotest.Action) {
				if slices.Contains([]string{"insert", "update", "delete", "findAndModify", "bulkWrite"}, c.Name) {
					a.Forward = true
					a.HangUp = writes.Add(1) == lost
				}
				return a
			})
			err := change()
			proxy.Handle(nil)
			more = writes.Load() >= lost
			if !more {
				if err != nil || lost == 1 {
					t.Errorf("%s: without a fault: %v after %d writes", name, err, writes.Load())
				}
				break
			}
			if err != nil && !errors.Is(err, mongo.ErrUnavailable) { // the driver repeats a transaction
				t.Errorf("%s, write %d: got %v, want ErrUnavailable", name, lost, err)
			}
			if err := change(); err != nil && (c.again == nil || !errors.Is(err, c.again)) {
				t.Errorf("%s, write %d: the second time: %v", name, lost, err)
			}
			if got := c.count(d, n); !slices.Contains(c.want, got) {
				t.Errorf("%s, write %d: made %d times, want %v", name, lost, got, c.want)
			}
		}
	}
}
