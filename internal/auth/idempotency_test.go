package auth

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"gamedata/mongo/mongotest"
)

// tokenInput is the input of a call.
type tokenInput struct{ Name string }

// Calls with one key on two instances create one token, and all but one say that it is replayed.
func TestConcurrentCallsWithOneKey(t *testing.T) {
	d := newFixture(t)
	other := New(mongotest.OpenOn(t, d.server), Options{Now: d.clock, Pepper: "salt"})
	key := "key"
	var created atomic.Int64
	var wg sync.WaitGroup
	ids := make([]string, 20)
	for i := range ids {
		wg.Go(func() {
			at := []*Accounts{d.Accounts, other}[i%2]
			id, replayed, err := at.createOnce(t.Context(), d.salted.ID, &key, "laptop")
			if err != nil {
				t.Error(err)
			}
			if ids[i] = id; !replayed {
				created.Add(1)
			}
		})
	}
	wg.Wait()
	tokens, err := d.Tokens.Of(t.Context(), d.salted.ID)
	d.must(err)
	if created.Load() != 1 || len(tokens) != 1 {
		t.Fatalf("%d calls created a token, the account has %d, want 1", created.Load(), len(tokens))
	}
	for _, id := range ids {
		if id != tokens[0].Key {
			t.Errorf("got id %q, want %q", id, tokens[0].Key)
		}
	}
}

// createOnce creates a token unless the key was used, and returns its id.
func (a *Accounts) createOnce(ctx context.Context, account string, key *string, name string) (string, bool, error) {
	return a.Once(ctx, account, key, tokenInput{name}, func(ctx context.Context) (string, error) {
		_, t, err := a.Tokens.Create(ctx, account, name, "", false, nil)
		if err != nil {
			return "", err
		}
		return t.Key, nil
	})
}

// A key is known for 24 hours, belongs to one account and one input, and is not used by a call that fails.
func TestIdempotencyKey(t *testing.T) {
	d := newFixture(t)
	key := "key"
	first, _, err := d.createOnce(t.Context(), d.salted.ID, &key, "laptop")
	d.must(err)
	d.wait(IdempotencyKeyLifetime - 1)
	id, replayed, err := d.createOnce(t.Context(), d.salted.ID, &key, "laptop")
	if id != first || !replayed || err != nil {
		t.Errorf("again: got %q %v %v, want %q", id, replayed, err, first)
	}
	if _, _, err := d.createOnce(t.Context(), d.salted.ID, &key, "phone"); !errors.Is(err, ErrIdempotencyKeyReused) {
		t.Errorf("another input: got %v", err)
	}
	brindle, err := d.Create(t.Context(), "Brindle")
	d.must(err)
	if _, replayed, err := d.createOnce(t.Context(), brindle.ID, &key, "laptop"); replayed || err != nil {
		t.Errorf("another account: got %v %v", replayed, err)
	}
	d.wait(1)
	if _, _, err := d.createOnce(t.Context(), d.salted.ID, &key, "laptop"); !errors.Is(err, ErrTokenNameTaken) {
		t.Errorf("after 24 hours: got %v, want that the name is taken", err)
	}
	d.must(d.Tokens.Delete(t.Context(), d.salted.ID, first, 0))
	for i, replayed := range []bool{false, true} {
		if _, got, err := d.createOnce(t.Context(), d.salted.ID, &key, "laptop"); got != replayed || err != nil {
			t.Errorf("call %d: got %v %v, want %v", i, got, err, replayed)
		}
	}
	d.must(d.deleteBelongings(t.Context(), d.salted.ID))
	if _, _, err := d.createOnce(t.Context(), d.salted.ID, &key, "laptop"); !errors.Is(err, ErrTokenNameTaken) {
		t.Errorf("after the keys were deleted: got %v", err)
	}
}

// An error of the creation leaves nothing behind.
func TestIdempotencyKeyOfFailure(t *testing.T) {
	d := newFixture(t)
	key, failure := "key", errors.New("failed")
	for i := range 2 {
		_, _, err := d.Once(t.Context(), d.salted.ID, &key, tokenInput{}, func(ctx context.Context) (string, error) {
			_, _, err := d.Tokens.Create(ctx, d.salted.ID, fmt.Sprint("laptop ", i), "", false, nil)
			return "", errors.Join(err, failure)
		})
		if !errors.Is(err, failure) {
			t.Errorf("call %d: got %v", i, err)
		}
	}
	if tokens, err := d.Tokens.Of(t.Context(), d.salted.ID); len(tokens) > 0 || err != nil {
		t.Errorf("got %d tokens, %v", len(tokens), err)
	}
}
