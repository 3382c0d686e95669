package auth

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"
	"golang.org/x/sync/semaphore"
	"golang.org/x/text/secure/precis"
	"golang.org/x/text/unicode/norm"

	"gamedata/graph/model"
	"gamedata/internal/ratelimit"
)

// ErrInvalidPassword rejects a new password.
var ErrInvalidPassword = errors.New("a password has 10 to 128 characters")

const (
	minPassword = 10  // characters
	maxPassword = 128 // characters
)

// Parameters of Argon2id: one hash takes 19 MiB and about 30 ms. The stored hash contains them, so they can change
// later.
const (
	hashMemory  = 19 << 10 // KiB
	hashTime    = 2
	hashThreads = 1
	hashBytes   = 32
	saltBytes   = 16
)

// maxHashing bounds concurrent password hashes, and so their memory.
const maxHashing = 2

type hasher struct{ running *semaphore.Weighted }

// normalPassword normalises a password before it is hashed (RFC 8265, section 4.2), since only some devices compose
// accents.
func normalPassword(s string) string {
	if normal, err := precis.OpaqueString.String(s); err == nil {
		return normal
	}
	return norm.NFC.String(s)
}

func validatePassword(s string) error {
	if n := utf8.RuneCountInString(normalPassword(s)); !utf8.ValidString(s) || n < minPassword || n > maxPassword {
		return ErrInvalidPassword
	}
	return nil
}

// passwordAttempts bounds how often the current password of an account is checked for a change by its user:
// a stolen session must not be a way to guess the password.
var passwordAttempts = ratelimit.Rate{Limit: 10, Per: 15 * time.Minute}

// WaitError rejects an attempt that follows another too soon.
type WaitError struct {
	reason string
	Wait   time.Duration // until the next attempt is accepted
}

// Seconds returns the wait in seconds, rounded up.
func (e *WaitError) Seconds() int { return int((e.Wait + time.Second - 1) / time.Second) }

func (e *WaitError) Error() string { return fmt.Sprintf("%s, wait %d seconds", e.reason, e.Seconds()) }

// ChangePassword is SetPassword for users, who must know the current password: errors come from confirmPassword.
func (a *Accounts) ChangePassword(ctx context.Context, account, current, password string) error {
	if err := validatePassword(password); err != nil {
		return err
	}
	if err := a.confirmPassword(ctx, account, current); err != nil {
		return err
	}
	return a.SetPassword(ctx, account, password)
}

// confirmPassword checks the current password of a signed-in user. It returns ErrWrongPassword if it is wrong and
// *WaitError after 10 attempts in 15 minutes.
func (a *Accounts) confirmPassword(ctx context.Context, account, current string) error {
	if dec := a.throttle.Take("password", account, 1, passwordAttempts); !dec.Allowed {
		return &WaitError{"too many tries", max(dec.RetryAfter, time.Second)}
	}
	user, err := a.ByID(ctx, account)
	if err == nil {
		err = a.VerifyPassword(ctx, user, current)
	}
	if errors.Is(err, ErrSignInFailed) {
		err = ErrWrongPassword
	}
	return err
}

// SetPassword changes the password of an account and ends its sessions, on this instance at once and
// on others within 5 seconds.
func (a *Accounts) SetPassword(ctx context.Context, account, password string) error {
	if err := validatePassword(password); err != nil {
		return err
	}
	hash, err := a.passwords.hash(ctx, normalPassword(password))
	if err != nil {
		return err
	}
	defer a.cache.invalidateAccount(account)
	err = a.editAccount(ctx, account, func(account *model.Account) error { account.Password = hash; return nil })
	if err != nil {
		return err
	}
	return a.store.Sessions.DeleteOf(ctx, account, "")
}

// VerifyPassword returns ErrSignInFailed unless password is the account's. A nil account takes the same time.
func (a *Accounts) VerifyPassword(ctx context.Context, account *model.Account, password string) error {
	hash := ""
	if account != nil {
		hash = account.Password
	}
	ok, err := a.passwords.matches(ctx, normalPassword(password), hash)
	if err == nil && !ok {
		err = ErrSignInFailed
	}
	return err
}

// hash returns the hash of a new password as $argon2id$v=19$m=…,t=…,p=…$salt$hash.
func (h *hasher) hash(ctx context.Context, password string) (string, error) {
	salt := make([]byte, saltBytes)
	_, _ = rand.Read(salt) // never fails
	sum, err := h.argon(ctx, password, salt, hashTime, hashMemory, hashThreads)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, hashMemory, hashTime, hashThreads,
		base64url.EncodeToString(salt), base64url.EncodeToString(sum)), nil
}

// matches compares a password with a hash. It takes the same time if the hash is empty.
func (h *hasher) matches(ctx context.Context, password, hash string) (bool, error) {
	var memory, passes uint32
	var threads uint8
	parts := strings.Split(hash, "$")
	if len(parts) != 6 {
		_, err := h.argon(ctx, password, make([]byte, saltBytes), hashTime, hashMemory, hashThreads)
		return false, err
	}
	_, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &memory, &passes, &threads)
	salt, saltErr := base64url.DecodeString(parts[4])
	want, wantErr := base64url.DecodeString(parts[5])
	if err = errors.Join(err, saltErr, wantErr); err != nil {
		return false, fmt.Errorf("password hash: %w", err)
	}
	sum, err := h.argon(ctx, password, salt, passes, memory, threads)
	return err == nil && subtle.ConstantTimeCompare(sum, want) == 1, err
}

func (h *hasher) argon(ctx context.Context, password string, salt []byte, passes, memory uint32,
	threads uint8,
) ([]byte, error) {
	if err := h.running.Acquire(ctx, 1); err != nil {
		return nil, fmt.Errorf("waiting to hash a password: %w", err)
	}
	defer h.running.Release(1)
	return argon2.IDKey([]byte(password), salt, passes, memory, threads, hashBytes), nil
}
