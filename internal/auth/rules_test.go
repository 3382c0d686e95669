package auth

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/mongo/mongotest"
)

func TestTokenRules(t *testing.T) {
	d := newFixture(t)
	for _, c := range []struct {
		name, description string
		want              error
	}{
		{"", "", ErrInvalidName},
		{" x", "", ErrInvalidName},
		{strings.Repeat("x", 41), "", ErrInvalidName},
		{"a\nb", "", ErrInvalidName},
		{"\xff", "", ErrInvalidName},
		{"a\u202eb", "", ErrInvalidName},
		{"Salted\u200b", "", ErrInvalidName},
		{"\u3164", "", ErrInvalidName},
		{"a\ue000", "", ErrInvalidName},
		{"x", strings.Repeat("ä", 201), ErrInvalidDescription},
		{"x", "a\x00", ErrInvalidDescription},
		{strings.Repeat("ä", 40), strings.Repeat("ä", 200), nil},
		{"b", "", nil},
		{"b", "", ErrTokenNameTaken},
		{"Ö l é 日本 ❤️", "", nil},
		{"d", "", ErrTokenLimit},
	} {
		value, _, err := d.Tokens.Create(t.Context(), d.salted.ID, c.name, c.description, false, nil)
		if (err == nil) != (c.want == nil) || c.want != nil && !strings.Contains(err.Error(), c.want.Error()) ||
			(value == "") != (err != nil) {
			t.Errorf("%.10q, %.10q: got %v, want %v", c.name, c.description, err, c.want)
		}
	}
	if _, _, err := d.Tokens.Create(t.Context(), "unknown", "x", "", false, nil); !errors.Is(err, ErrNoAccount) {
		t.Errorf("unknown account: got %v, want ErrNoAccount", err)
	}
}

// The bootstrap token exists once after any number of concurrent starts; another value replaces it.
func TestEnsureToken(t *testing.T) {
	d := newFixture(t)
	first, second := NewTokenValue(), NewTokenValue()
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			if _, err := d.Tokens.Ensure(t.Context(), "operator", "bootstrap", first); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	for _, c := range []struct {
		value   string
		changed bool
	}{{first, false}, {second, true}, {second, false}} {
		changed, err := d.Tokens.Ensure(t.Context(), "operator", "bootstrap", c.value)
		if err != nil || changed != c.changed {
			t.Errorf("got changed %v, %v, want %v", changed, err, c.changed)
		}
	}
	operator, err := d.ByName(t.Context(), "operator")
	d.must(err)
	if len(operator.Tokens) != 1 {
		t.Errorf("got %d tokens, want 1", len(operator.Tokens))
	}
	if _, code := d.bearer("Bearer " + second); code != "" {
		t.Error(code)
	}
	if _, code := d.bearer("Bearer " + first); code != graph.InvalidToken {
		t.Errorf("previous value: got code %q, want %q", code, graph.InvalidToken)
	}
	for value, want := range map[string]error{"secret": ErrInvalidTokenValue, newSecret(session): ErrInvalidTokenValue} {
		if _, err := d.Tokens.Ensure(t.Context(), "operator", "bootstrap", value); !errors.Is(err, want) {
			t.Errorf("%.5s: got %v, want %v", value, err, want)
		}
	}
	if _, err := d.Tokens.Ensure(t.Context(), "Salted", "bootstrap", second); !errors.Is(err, ErrTokenTaken) {
		t.Errorf("token of another account: got %v, want ErrTokenTaken", err)
	}
}

func TestLinking(t *testing.T) {
	d := newFixture(t)
	const player = "3f2b8c1e-7a4d-4e9b-9c55-0d1e2f3a4b5c"
	d.must(d.store.Players.Insert(t.Context(), []*model.Player{{UUID: player, Username: "Salted"}}))
	brindle, err := d.Create(t.Context(), "Brindle")
	d.must(err)
	code := func() string {
		c, err := d.Players.CreateLinkCode(t.Context(), player)
		d.must(err)
		return c
	}
	if _, err := d.Players.CreateLinkCode(t.Context(), "unknown"); !errors.Is(err, ErrNoPlayer) {
		t.Errorf("unknown player: got %v, want ErrNoPlayer", err)
	}
	first, late := code(), code()
	if got, err := d.Players.Link(t.Context(), d.salted.ID, strings.ToLower(first)); err != nil || got != player {
		t.Errorf("got %q, %v, want %q", got, err, player)
	}
	if _, err := d.Players.Link(t.Context(), d.salted.ID, first); !errors.Is(err, ErrInvalidLinkCode) {
		t.Errorf("second use of a code: got %v, want ErrInvalidLinkCode", err)
	}
	if _, err := d.Players.Link(t.Context(), brindle.ID, code()); !errors.Is(err, ErrPlayerLinked) {
		t.Errorf("linked player: got %v, want ErrPlayerLinked", err)
	}
	d.wait(LinkCodeLifetime)
	for _, typed := range []string{late, "", "AAAA-AAAA-AAAA", "nonsense"} {
		if _, err := d.Players.Link(t.Context(), d.salted.ID, typed); !errors.Is(err, ErrInvalidLinkCode) {
			t.Errorf("%q: got %v, want ErrInvalidLinkCode", typed, err)
		}
	}
	if err := d.Players.Unlink(t.Context(), brindle.ID, player); !errors.Is(err, ErrPlayerNotLinked) {
		t.Errorf("player of another account: got %v, want ErrPlayerNotLinked", err)
	}
	d.must(d.Players.Unlink(t.Context(), d.salted.ID, player))
	if _, err := d.Players.Link(t.Context(), brindle.ID, code()); err != nil {
		t.Errorf("unlinked player: %v", err)
	}
}

// concurrently calls do n times at once and returns how many calls succeeded. Any other error than expected fails the
// test.
func (d *fixture) concurrently(n int, expected error, do func(i int) error) int {
	var succeeded atomic.Int64
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() {
			switch err := do(i); {
			case err == nil:
				succeeded.Add(1)
			case !errors.Is(err, expected) && !errors.As(err, new(*WaitError)):
				d.t.Error(err)
			}
		})
	}
	group.Wait()
	return int(succeeded.Load())
}

// The limits of an account hold for calls that run at once.
func TestConcurrentChangesOfAnAccount(t *testing.T) {
	d := newFixture(t)
	ctx, id := t.Context(), d.salted.ID
	if n := d.concurrently(40, ErrTokenLimit, func(i int) error {
		_, _, err := d.Tokens.Create(ctx, id, fmt.Sprint("name ", i), "", false, nil)
		return err
	}); n != model.MaxTokens {
		t.Errorf("created %d tokens, want %d", n, model.MaxTokens)
	}
	tokens, err := d.Tokens.Of(ctx, id)
	d.must(err)
	if n := d.concurrently(40, ErrNoToken, func(i int) error {
		return d.Tokens.Delete(ctx, id, tokens[i%len(tokens)].Key, TokenDeletionInterval)
	}); n != 1 {
		t.Errorf("deleted %d tokens, want 1", n)
	}
	left, err := d.Tokens.Of(ctx, id)
	d.must(err)
	for _, c := range []struct{ wait, want time.Duration }{
		{0, TokenDeletionInterval},
		{TokenDeletionInterval - time.Millisecond, time.Millisecond},
		{time.Millisecond, 0},
	} {
		d.wait(c.wait)
		var soon *WaitError
		err := d.Tokens.Delete(ctx, id, left[0].Key, TokenDeletionInterval)
		if errors.As(err, &soon) && soon.Wait != c.want || (err == nil) != (c.want == 0) {
			t.Errorf("after %s: got %v, want a wait of %s", c.wait, err, c.want)
		}
	}
	player := mongotest.UUID(1)
	d.must(d.store.Players.Insert(ctx, []*model.Player{{UUID: player, Username: "Salted"}}))
	code, err := d.Players.CreateLinkCode(ctx, player)
	d.must(err)
	if n := d.concurrently(40, ErrInvalidLinkCode, func(int) error {
		_, err := d.Players.Link(ctx, id, code)
		return err
	}); n != 1 {
		t.Errorf("redeemed a code %d times", n)
	}
}
