//go:build unix

package main

import "golang.org/x/sys/unix"

// roomOn is the bytes that are left to us on the disk of a directory.
func roomOn(dir string) (left uint64, known bool) {
	var s unix.Statfs_t
	if unix.Statfs(dir, &s) != nil {
		return 0, false
	}
	return uint64(s.Bavail) * uint64(s.Bsize), true
}

// filesAllowed is how many files the process may open.
func filesAllowed() (n uint64, known bool) {
	var r unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &r) != nil {
		return 0, false
	}
	return uint64(r.Cur), true
}
