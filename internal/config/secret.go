package config

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"gamedata/internal/userfile"
)

// Secret is a setting that `config explain` hides. It can be set in the environment, in a file, or on the command line,
// where every process of the machine can read it.
type Secret struct{ Name, Value, File string }

func (s *Secret) add(to *Settings, name, usage string) {
	s.Name = name
	to.StringVar(&s.Value, name, "", usage+"; give it in the environment or in a file")
	annotate(to.Lookup(name), secretKey, name)
	to.StringVar(&s.File, name+"-file", "", "file that contains --"+name)
}

// AddToken registers the flags of a credential for another service.
func (s *Secret) AddToken(flags *pflag.FlagSet) {
	s.add(NewSettings(flags), "token", "API token or access token; a guest without one")
}

// AddPepper registers the flags of the pepper.
func (s *Secret) AddPepper(flags *pflag.FlagSet) {
	s.add(NewSettings(flags), "pepper",
		"key for hashing credentials, identical on all instances; changing it invalidates all credentials")
}

// maxSecret limits a secret from a file or standard input, in bytes.
const maxSecret = 4096

// withoutLineEnd trims line breaks: files and variables written with echo end with one.
func withoutLineEnd(text string) string { return strings.TrimRight(text, "\r\n") }

// ReadSecret reads a secret from standard input, without the line break at its end.
func ReadSecret(in io.Reader) (string, error) {
	text, err := io.ReadAll(io.LimitReader(in, maxSecret+1))
	if err == nil && len(text) > maxSecret {
		err = errors.New("the text is too large for a secret")
	}
	return withoutLineEnd(string(text)), err
}

// Read returns the secret, from the file if there is one; empty if unset.
func (s *Secret) Read() (string, error) {
	switch {
	case s.File == "":
		return s.Value, nil
	case s.Value != "":
		return "", Usagef("give --%s or --%s-file, not both", s.Name, s.Name)
	}
	text, err := userfile.Read(s.File, maxSecret)
	secret := withoutLineEnd(string(text))
	if err == nil && strings.TrimSpace(secret) == "" {
		err = errors.New("the file is empty")
	}
	if err != nil {
		return "", fmt.Errorf("--%s-file: %w", s.Name, err)
	}
	return secret, nil
}
