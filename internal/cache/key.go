package cache

import "strconv"

// AppendString adds a string to a key so that no two lists of strings give the same key.
func AppendString(key []byte, s string) []byte {
	key = strconv.AppendInt(key, int64(len(s)), 10)
	key = append(key, ':')
	return append(key, s...)
}
