// Package terminal shows the progress of a command.
package terminal

import (
	"io"
	"os"
)

// Is reports whether w is a terminal. The only other character device that programs write to is os.DevNull.
func Is(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}
