//go:build !unix

package doctor

func diskSpace(string) (free uint64, known bool) { return 0, false }

func maxOpenFiles() (n uint64, known bool) { return 0, false }
