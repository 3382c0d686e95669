//go:build unix

package embedded

import "golang.org/x/sys/unix"

// DiskSpace is the free space on the disk of a directory, in bytes.
func DiskSpace(dir string) (free uint64, known bool) {
	var s unix.Statfs_t
	if unix.Statfs(dir, &s) != nil {
		return 0, false
	}
	return s.Bavail * uint64(s.Bsize), true
}
