package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/pflag"
)

// secretFlag is a setting that other people may not see: it is given in the environment or in
// a file. On the command line it works too, but there every process of the machine can read it.
type secretFlag struct{ name, value, file string }

func (f *secretFlag) add(flags *pflag.FlagSet, name, usage string) {
	f.name = name
	flags.StringVar(&f.value, name, "", usage+"; give it in the environment or in a file")
	annotate(flags.Lookup(name), secretKey, name)
	flags.StringVar(&f.file, name+"-file", "", "file that holds --"+name)
}

// maxSecret bounds a file with a secret, in bytes.
const maxSecret = 4096

// read is the secret, without the line break at the end of a file; empty when none is given.
func (f *secretFlag) read() (string, error) {
	switch {
	case f.file == "":
		return f.value, nil
	case f.value != "":
		return "", usageError{fmt.Errorf("give --%s or --%s-file, not both", f.name, f.name)}
	}
	file, err := os.Open(f.file)
	if err != nil {
		return "", fmt.Errorf("--%s-file: %w", f.name, err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxSecret+1))
	if err == nil && len(text) > maxSecret {
		err = errors.New("the file is too large for a secret")
	}
	if err != nil {
		return "", fmt.Errorf("--%s-file: %w", f.name, err)
	}
	secret := strings.TrimRight(string(text), "\r\n")
	if secret == "" {
		return "", fmt.Errorf("--%s-file: the file is empty", f.name)
	}
	return secret, nil
}
