//go:build !unix

package doctor

func maxOpenFiles() (n uint64, known bool) { return 0, false }
