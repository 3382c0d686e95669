package auth

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"
)

// ErrInvalidPassword rejects a new password.
var ErrInvalidPassword = errors.New("a password has 10 to 128 characters")

const (
	minPassword = 10  // characters
	maxPassword = 128 // characters
)

// Parameters of Argon2id: one hash takes 19 MiB and about 30 ms. They are part of the stored hash, so
// they can be changed later.
const (
	hashMemory  = 19 << 10 // KiB
	hashTime    = 2
	hashThreads = 1
	hashBytes   = 32
	saltBytes   = 16
)

// maxHashing bounds how many passwords are hashed at once, and so the memory it takes.
const maxHashing = 2

func validatePassword(s string) error {
	if n := utf8.RuneCountInString(s); !utf8.ValidString(s) || n < minPassword || n > maxPassword {
		return ErrInvalidPassword
	}
	return nil
}

// hashPassword returns the hash of a new password as $argon2id$v=19$m=…,t=…,p=…$salt$hash.
func (a *Accounts) hashPassword(ctx context.Context, password string) (string, error) {
	salt := make([]byte, saltBytes)
	_, _ = rand.Read(salt) // never fails
	sum, err := a.argon(ctx, password, salt, hashTime, hashMemory, hashThreads)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, hashMemory, hashTime, hashThreads,
		base64url.EncodeToString(salt), base64url.EncodeToString(sum)), nil
}

// passwordMatches compares a password with a hash. It takes the same time if the hash is empty.
func (a *Accounts) passwordMatches(ctx context.Context, password, hash string) (bool, error) {
	var memory, passes uint32
	var threads uint8
	parts := strings.Split(hash, "$")
	if len(parts) != 6 {
		_, err := a.argon(ctx, password, make([]byte, saltBytes), hashTime, hashMemory, hashThreads)
		return false, err
	}
	_, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &memory, &passes, &threads)
	salt, saltErr := base64url.DecodeString(parts[4])
	want, wantErr := base64url.DecodeString(parts[5])
	if err = errors.Join(err, saltErr, wantErr); err != nil {
		return false, fmt.Errorf("password hash: %w", err)
	}
	sum, err := a.argon(ctx, password, salt, passes, memory, threads)
	return err == nil && subtle.ConstantTimeCompare(sum, want) == 1, err
}

func (a *Accounts) argon(ctx context.Context, password string, salt []byte, passes, memory uint32,
	threads uint8,
) ([]byte, error) {
	select {
	case a.hashing <- struct{}{}:
		defer func() { <-a.hashing }()
		return argon2.IDKey([]byte(password), salt, passes, memory, threads, hashBytes), nil
	case <-ctx.Done():
		return nil, fmt.Errorf("waiting to hash a password: %w", ctx.Err())
	}
}
