package app

// Tests throw their stores away, so they need not wait for the disk.
func init() { noSync = true }
