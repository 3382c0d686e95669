package cache

import "strconv"

// AppendText adds a text to a key so that no two lists of texts give the same key.
func AppendText(key []byte, text string) []byte {
	key = strconv.AppendInt(key, int64(len(text)), 10)
	key = append(key, ':')
	return append(key, text...)
}
