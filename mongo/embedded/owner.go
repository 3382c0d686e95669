package embedded

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// ownerFile names the process that has a data directory open, by its id and command: a child may outlive the command
// that started it.
const ownerFile = "gamedata.pid"

// writeOwner writes the owner file. It leaves out the command's flags, which may be secrets.
func writeOwner(dir string) {
	command, _, _ := strings.Cut(strings.Join(os.Args, " "), " -")
	// Without the file, only the name is missing from the error of a second start.
	_ = os.WriteFile(filepath.Join(dir, ownerFile), fmt.Appendf(nil, "%d %s", os.Getpid(), command), 0o600)
}

// inUseError names the process that has a directory open, if it is known.
func inUseError(dir string) error {
	owner := "another process"
	text, _ := os.ReadFile(filepath.Join(dir, ownerFile))
	if pid, command, known := strings.Cut(string(text), " "); known {
		owner = fmt.Sprintf("process %s (%q)", pid, command)
	}
	return fmt.Errorf("%w: %s is open in %s; stop that one or choose another directory", ErrInUse, dir, owner)
}
