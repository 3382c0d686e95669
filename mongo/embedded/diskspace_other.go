//go:build !unix

package embedded

// DiskSpace is the free space on the disk of a directory, in bytes.
func DiskSpace(string) (free uint64, known bool) { return 0, false }
