//go:build unix

package doctor

import "golang.org/x/sys/unix"

// diskSpace is the free space on the disk of a directory, in bytes.
func diskSpace(dir string) (free uint64, known bool) {
	var s unix.Statfs_t
	if unix.Statfs(dir, &s) != nil {
		return 0, false
	}
	return s.Bavail * uint64(s.Bsize), true
}

// maxOpenFiles is the process's limit of open files.
func maxOpenFiles() (n uint64, known bool) {
	var r unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &r) != nil {
		return 0, false
	}
	return r.Cur, true
}
