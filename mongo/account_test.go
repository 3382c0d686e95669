package mongo_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

func open(t *testing.T, names ...string) *mongo.Store {
	t.Helper()
	store, _ := mongotest.Open(t)
	for _, n := range names {
		if err := store.Accounts.Insert(t.Context(), &model.Account{ID: "id-" + n, Name: n}); err != nil {
			t.Fatal(err)
		}
	}
	return store
}

// concurrently calls do n times and counts the results. It counts *mongo.TooSoonError as ErrFull.
func concurrently(n int, do func(i int) error) map[error]int64 {
	counts := map[error]*atomic.Int64{nil: {}, mongo.ErrFull: {}, mongo.ErrTaken: {}, mongo.ErrNotFound: {}}
	other := errors.New("other")
	counts[other] = &atomic.Int64{}
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() {
			err := do(i)
			var soon *mongo.TooSoonError
			if errors.As(err, &soon) {
				err = mongo.ErrFull
			}
			if counts[err] == nil {
				err = other
			}
			counts[err].Add(1)
		})
	}
	group.Wait()
	out := map[error]int64{}
	for err, c := range counts {
		if c.Load() > 0 {
			out[err] = c.Load()
		}
	}
	return out
}

// Of 200 tokens added concurrently an account gets model.MaxTokens, and of 200 concurrent deletions one succeeds.
func TestConcurrentTokenChanges(t *testing.T) {
	store := open(t, "Salted", "Brindle")
	token := func(i int) *model.APIToken {
		return &model.APIToken{Key: fmt.Sprint("t", i), Name: fmt.Sprint("name ", i), Digest: fmt.Sprint("digest ", i)}
	}
	const n = 200
	made := concurrently(n, func(i int) error { return store.Tokens.Add(t.Context(), "id-Salted", token(i)) })
	if made[nil] != model.MaxTokens || made[mongo.ErrFull] != int64(n-model.MaxTokens) {
		t.Fatalf("added: got %v, want %d successes", made, model.MaxTokens)
	}
	of := func(name string) *model.Account {
		found, err := store.Accounts.ByName(t.Context(), []string{name})
		if err != nil || found[0] == nil {
			t.Fatal(found, err)
		}
		return found[0]
	}
	have := of("SALTED").Tokens
	if len(have) != model.MaxTokens || len(of("brindle").Tokens) != 0 {
		t.Fatalf("got %d tokens, want %d", len(have), model.MaxTokens)
	}
	now := time.Date(2026, 3, 20, 12, 0, 0, 0, time.UTC)
	deleted := concurrently(n, func(i int) error {
		return store.Tokens.Delete(t.Context(), "id-Salted", have[i%3].Key, now, 2*time.Minute)
	})
	if deleted[nil] != 1 || deleted[mongo.ErrFull]+deleted[mongo.ErrNotFound] != int64(n-1) {
		t.Fatalf("deleted: got %v, want 1 success", deleted)
	}
	left := of("Salted").Tokens
	if len(left) != 2 {
		t.Fatalf("got %d tokens after the deletion, want 2", len(left))
	}
	var soon *mongo.TooSoonError
	for _, c := range []struct {
		after time.Duration
		wait  time.Duration
	}{{0, 2 * time.Minute}, {time.Second, 119 * time.Second}, {119999 * time.Millisecond, time.Millisecond}} {
		err := store.Tokens.Delete(t.Context(), "id-Salted", left[0].Key, now.Add(c.after), 2*time.Minute)
		if !errors.As(err, &soon) || soon.Wait != c.wait {
			t.Errorf("deleting %s later: got %v, want a wait of %s", c.after, err, c.wait)
		}
	}
	const pause = 2 * time.Minute
	if err := store.Tokens.Delete(t.Context(), "id-Salted", left[0].Key, now.Add(pause), pause); err != nil {
		t.Errorf("deleting two minutes later: %v", err)
	}
	if err := store.Tokens.Delete(t.Context(), "id-Salted", "unknown", now.Add(time.Hour), 2*time.Minute); !errors.Is(err,
		mongo.ErrNotFound) {
		t.Errorf("unknown token: got %v, want ErrNotFound", err)
	}
}

// Expired tokens give way to a new one, also to one of the same name, and are deleted by the sweep.
func TestExpiredTokens(t *testing.T) {
	store := open(t, "Salted", "Brindle")
	now := time.Date(2026, 3, 20, 12, 0, 0, 0, time.UTC)
	add := func(account, name string, created, expires time.Time) error {
		token := &model.APIToken{Key: name, Name: name, Digest: account + name + created.String(), CreatedAt: created}
		if !expires.IsZero() {
			token.ExpiresAt = &expires
		}
		return store.Tokens.Add(t.Context(), account, token)
	}
	hour := now.Add(time.Hour)
	for _, c := range []struct {
		name             string
		created, expires time.Time
		want             error
	}{
		{"laptop", now, hour, nil},
		{"phone", now, hour, nil},
		{"clock", now, time.Time{}, nil},
		{"desk", hour.Add(-time.Millisecond), time.Time{}, mongo.ErrFull},
		{"laptop", hour, hour.Add(time.Hour), nil},
		{"laptop", hour, time.Time{}, mongo.ErrTaken},
		{"desk", hour, time.Time{}, nil},
		{"phone", hour, time.Time{}, mongo.ErrFull},
	} {
		if err := add("id-Salted", c.name, c.created, c.expires); !errors.Is(err, c.want) {
			t.Errorf("adding %s at %s: got %v, want %v", c.name, c.created.Format(time.TimeOnly), err, c.want)
		}
	}
	if err := add("id-Brindle", "pen", now, hour); err != nil {
		t.Fatal(err)
	}
	for _, want := range []int{2, 0} {
		if n, err := store.Tokens.DeleteExpired(t.Context(), hour.Add(time.Hour)); n != want || err != nil {
			t.Errorf("sweep: got %d, %v, want %d accounts", n, err, want)
		}
	}
	found, err := store.Accounts.ByID(t.Context(), []string{"id-Salted", "id-Brindle"})
	if err != nil || len(found[0].Tokens) != 2 || len(found[1].Tokens) != 0 {
		t.Errorf("after the sweep: got %v and %v, %v", found[0].Tokens, found[1].Tokens, err)
	}
}

func TestTokensOfAnAccount(t *testing.T) {
	store := open(t, "Salted", "Brindle")
	laptop := &model.APIToken{
		Key: "a", Name: "laptop", Digest: "da", Prefix: "gdt_a", CreatedAt: time.Date(2026, 3, 20, 0, 0, 0, 0, time.UTC),
	}
	for _, c := range []struct {
		account string
		token   *model.APIToken
		want    error
	}{
		{"id-Salted", laptop, nil},
		{"id-Salted", &model.APIToken{Key: "b", Name: "laptop", Digest: "db"}, mongo.ErrTaken},
		{"id-Salted", &model.APIToken{Key: "c", Name: "phone", Digest: "dc"}, nil},
		{"id-Brindle", &model.APIToken{
			Key:  "d",
			Name: "laptop", Digest: "dd",
		}, nil},
		{"no-account", &model.APIToken{Key: "e", Name: "x", Digest: "de"}, mongo.ErrNotFound},
	} {
		if err := store.Tokens.Add(t.Context(), c.account, c.token); !errors.Is(err, c.want) {
			t.Errorf("%s for %s: %v, want %v", c.token.Name, c.account, err, c.want)
		}
	}
	changed := *laptop
	changed.Public, changed.Description, changed.Digest, changed.Name = true, "for the bus", "df", "not this"
	if err := store.Tokens.Update(t.Context(), "id-Salted", &changed); err != nil {
		t.Fatal(err)
	}
	if err := store.Tokens.Update(t.Context(), "id-Brindle", &changed); !errors.Is(err, mongo.ErrNotFound) {
		t.Errorf("token of another account: got %v, want ErrNotFound", err)
	}
	found, err := store.Accounts.ByToken(t.Context(), []string{"dd", "da", "df", "dc"})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, a := range found {
		if a == nil {
			names = append(names, "")
			continue
		}
		names = append(names, a.Name)
	}
	if d := cmp.Diff([]string{"Brindle", "", "Salted", "Salted"}, names); d != "" {
		t.Error(d)
	}
	changed.Name = "laptop" // a name never changes
	if d := cmp.Diff(&changed, found[2].Tokens[0]); d != "" {
		t.Error(d)
	}
}

// A player is linked to one account, and an account has at most model.MaxProfiles players, also under
// concurrent requests.
func TestLinkProfile(t *testing.T) {
	var names []string
	for i := range 20 {
		names = append(names, fmt.Sprint("user", i))
	}
	store := open(t, names...)
	if err := store.Accounts.Insert(t.Context(), &model.Account{ID: "x", Name: "USER0"}); !errors.Is(err, mongo.ErrTaken) {
		t.Errorf("name in another case: got %v, want ErrTaken", err)
	}
	got := concurrently(
		len(names),
		func(i int) error { return store.Accounts.LinkProfile(t.Context(), "id-"+names[i], mongotest.UUID(1)) },
	)
	if got[nil] != 1 || got[mongo.ErrTaken] != 19 {
		t.Fatalf("linked: got %v", got)
	}
	if got := concurrently(
		100,
		func(i int) error { return store.Accounts.LinkProfile(t.Context(), "id-user0", mongotest.UUID(100+i)) },
	); got[nil]+
		got[mongo.ErrFull] != 100 {
		t.Fatalf("linked: got %v", got)
	}
	found, err := store.Accounts.ByID(t.Context(), []string{"id-user0", "none", "id-user1"})
	if err != nil || found[1] != nil {
		t.Fatal(found, err)
	}
	own := found[0].Profiles
	if len(own) != model.MaxProfiles {
		t.Fatalf("got %d linked players, want %d", len(own), model.MaxProfiles)
	}
	link := func(account, player string) func() error {
		return func() error { return store.Accounts.LinkProfile(t.Context(), account, player) }
	}
	unlink := func(account, player string) func() error {
		return func() error { return store.Accounts.UnlinkProfile(t.Context(), account, player) }
	}
	for _, c := range []struct {
		name string
		do   func() error
		want error
	}{
		{"link again", link("id-user0", own[3]), nil},
		{"link one too many", link("id-user0", mongotest.UUID(999)), mongo.ErrFull},
		{"unknown account", link("no-account", mongotest.UUID(999)), mongo.ErrNotFound},
		{"unlink a player of another account", unlink("id-user1", own[3]), mongo.ErrNotFound},
		{"unlink", unlink("id-user0", own[3]), nil},
		{"link an unlinked player", link("id-user2", own[3]), nil},
		{"link after unlink", link("id-user0", mongotest.UUID(999)), nil},
		{"unlink the only player", unlink("id-user2", own[3]), nil},
	} {
		if err := c.do(); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

func TestEmptyKeyLists(t *testing.T) {
	store := open(t, "Salted")
	if got, err := store.Accounts.ByID(t.Context(), nil); len(got) != 0 || err != nil {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := store.Players.ByUUID(t.Context(), nil); len(got) != 0 || err != nil {
		t.Errorf("%v, %v", got, err)
	}
	if err := store.Sessions.Delete(t.Context(), nil); err != nil {
		t.Error(err)
	}
}

func TestLinkCodes(t *testing.T) {
	store := open(t)
	now := time.Date(2026, 3, 20, 12, 0, 0, 0, time.UTC)
	for _, d := range []string{"a", "b"} {
		if err := store.Accounts.InsertLinkCode(t.Context(), &model.LinkCode{
			Digest: d, Player: mongotest.UUID(1),
			Expires: now.Add(time.Minute),
		}); err != nil {
			t.Fatal(err)
		}
	}
	if got := concurrently(200, func(int) error {
		player, err := store.Accounts.RedeemLinkCode(t.Context(), "a", now)
		if err == nil && player != mongotest.UUID(1) {
			t.Errorf("got player %q", player)
		}
		return err
	}); got[nil] != 1 || got[mongo.ErrNotFound] != 199 {
		t.Errorf("redeemed: got %v, want 1 success", got)
	}
	_, err := store.Accounts.RedeemLinkCode(t.Context(), "b", now.Add(time.Minute))
	if !errors.Is(err, mongo.ErrNotFound) {
		t.Errorf("expired code: got %v, want ErrNotFound", err)
	}
	if _, err := store.Accounts.RedeemLinkCode(t.Context(), "b", now.Add(time.Minute-time.Millisecond)); err != nil {
		t.Errorf("code in its last millisecond: %v", err)
	}
}

func TestCredentialQueriesUseIndexes(t *testing.T) {
	store, server := mongotest.Open(t)
	ctx := t.Context()
	now := time.Now()
	for i := range 100 {
		id := fmt.Sprint(i)
		for _, err := range []error{
			store.Accounts.Insert(ctx, &model.Account{
				ID: id, Name: "user" + id, Profiles: []string{mongotest.UUID(i)},
				Tokens: []*model.APIToken{{Key: "t", Name: "n", Digest: "d" + id}},
			}),
			store.Sessions.Insert(ctx, &model.Session{Digest: id, Account: id, ExpiresAt: now.Add(time.Hour)}),
			store.Applications.Insert(ctx, &model.Application{ClientID: id, Account: id, SecretDigest: "d"}),
			store.Grants.InsertCode(ctx, &model.AuthCode{
				Digest: id, Account: id, App: id, Expires: now.Add(time.Hour),
				Forget: now.Add(time.Hour),
			}),
			store.Grants.InsertToken(ctx, &model.AccessToken{Digest: id, Account: id, App: id, Expires: now.Add(time.Hour)}),
			store.Accounts.InsertLinkCode(ctx, &model.LinkCode{
				Digest: id, Player: mongotest.UUID(i), Expires: now.Add(time.Hour),
			}),
			store.Tokens.AddUsage(ctx, mongo.UsageBatch{Instance: "A", Number: 1, Usage: []mongo.UsageDelta{
				{Credential: id, Last: now, Charged: map[string]int64{"PLAYER": 1}},
			}}),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	one := []string{"7"}
	for name, query := range map[string]func() error{
		"Accounts.ByID":    func() error { _, err := store.Accounts.ByID(ctx, one); return err },
		"Accounts.ByName":  func() error { _, err := store.Accounts.ByName(ctx, []string{"USER7"}); return err },
		"Accounts.ByToken": func() error { _, err := store.Accounts.ByToken(ctx, []string{"d7"}); return err },
		"Tokens.Add": func() error {
			return store.Tokens.Add(ctx, "7", &model.APIToken{Key: "u", Name: "m", Digest: "x"})
		},
		"Tokens.DeleteExpired":   func() error { _, err := store.Tokens.DeleteExpired(ctx, now); return err },
		"Tokens.Update":          func() error { return store.Tokens.Update(ctx, "9", &model.APIToken{Key: "t"}) },
		"Tokens.Delete":          func() error { return store.Tokens.Delete(ctx, "7", "t", now, 0) },
		"Accounts.LinkProfile":   func() error { return store.Accounts.LinkProfile(ctx, "7", mongotest.UUID(777)) },
		"Accounts.UnlinkProfile": func() error { return store.Accounts.UnlinkProfile(ctx, "7", mongotest.UUID(7)) },
		"Sessions.ByDigest":      func() error { _, err := store.Sessions.ByDigest(ctx, one); return err },
		"Sessions.Delete":        func() error { return store.Sessions.Delete(ctx, one) },
		"Sessions.Of":            func() error { _, err := store.Sessions.Of(ctx, "7", now, 10); return err },
		"Sessions.DeleteOf":      func() error { return store.Sessions.DeleteOf(ctx, "6", "x") },
		"Accounts.Delete":        func() error { return store.Accounts.Delete(ctx, "5") },
		"Grants.RevokeOf":        func() error { return store.Grants.RevokeOf(ctx, "5") },
		"Accounts.SetPassword":   func() error { return store.Accounts.SetPassword(ctx, "6", "h") },
		"Applications.ByID":      func() error { _, err := store.Applications.ByID(ctx, one); return err },
		"Applications.ByAccount": func() error { _, err := store.Applications.ByAccount(ctx, one); return err },
		"Grants.TokensByDigest":  func() error { _, err := store.Grants.TokensByDigest(ctx, one); return err },
		"Grants.TokensByAccount": func() error { _, err := store.Grants.TokensByAccount(ctx, []string{"9"}); return err },
		"Grants.DeleteTokens":    func() error { return store.Grants.DeleteTokens(ctx, []string{"6"}) },
		"Grants.CodesByDigest":   func() error { _, err := store.Grants.CodesByDigest(ctx, []string{"9"}); return err },
		"Grants.RedeemCode": func() error {
			return store.Grants.RedeemCode(ctx, "9", now, &model.AccessToken{Digest: "x"})
		},
		"Tokens.AddUsage": func() error {
			usage := []mongo.UsageDelta{{Credential: "7", Last: now}}
			return store.Tokens.AddUsage(ctx, mongo.UsageBatch{Instance: "A", Number: 1, Usage: usage})
		},
		"Tokens.UsageOf": func() error { _, err := store.Tokens.UsageOf(ctx, []string{"7"}); return err },
		"Applications.Update": func() error {
			return store.Applications.Update(ctx, &model.Application{ClientID: "9", Account: "9"})
		},
		"Applications.SetSecret":  func() error { return store.Applications.SetSecret(ctx, "9", "9", "e") },
		"Grants.Revoke":           func() error { return store.Grants.Revoke(ctx, "7", "7") },
		"Applications.Delete":     func() error { return store.Applications.Delete(ctx, "8") },
		"Accounts.RedeemLinkCode": func() error { _, err := store.Accounts.RedeemLinkCode(ctx, "7", now); return err },
	} {
		t.Run(name, func(t *testing.T) { checkReads(t, server, 4, query) })
	}
}
