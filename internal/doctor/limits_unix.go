//go:build unix

package doctor

import "golang.org/x/sys/unix"

// maxOpenFiles is the process's limit of open files.
func maxOpenFiles() (n uint64, known bool) {
	var r unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &r) != nil {
		return 0, false
	}
	return r.Cur, true
}
