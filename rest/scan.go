package rest

import (
	"bytes"
	"errors"
)

var errData = errors.New("the data is not what the operation selects")

// member is a member of a JSON object: the bytes of its key, without quotes, and of its value.
type member struct{ key, value []byte }

// skip returns the index behind the JSON value that starts at i. The data comes from the
// executor, so it is well formed; damaged bytes end the scan at the end of the text.
func skip(b []byte, i int) int {
	if i >= len(b) {
		return len(b)
	}
	switch b[i] {
	case '"':
		return skipString(b, i)
	case '{', '[':
		depth := 0
		for i < len(b) {
			switch b[i] {
			case '"':
				i = skipString(b, i)
				continue
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
			i++
		}
		return i
	}
	for i < len(b) && b[i] != ',' && b[i] != '}' && b[i] != ']' && b[i] > ' ' {
		i++
	}
	return i
}

func skipString(b []byte, i int) int {
	for i++; i < len(b); {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return len(b)
		}
		i += n + 1
		// A quote behind an odd number of backslashes belongs to the text.
		slashes := 0
		for j := i - 2; j >= 0 && b[j] == '\\'; j-- {
			slashes++
		}
		if slashes%2 == 0 {
			return i
		}
	}
	return len(b)
}

func space(b []byte, i int) int {
	for i < len(b) && b[i] <= ' ' {
		i++
	}
	return i
}

// members appends the members of an object to dst.
func members(dst []member, b []byte) ([]member, error) {
	i := space(b, 0)
	if i >= len(b) || b[i] != '{' {
		return dst, errData
	}
	for i = space(b, i+1); i < len(b) && b[i] != '}'; {
		if b[i] != '"' {
			return dst, errData
		}
		end := skipString(b, i)
		key := b[i+1 : end-1]
		if i = space(b, end); i >= len(b) || b[i] != ':' {
			return dst, errData
		}
		i = space(b, i+1)
		end = skip(b, i)
		dst = append(dst, member{key, b[i:end]})
		if i = space(b, end); i < len(b) && b[i] == ',' {
			i = space(b, i+1)
		}
	}
	return dst, nil
}

// elements calls do with each element of an array.
func elements(b []byte, do func(value []byte) error) error {
	i := space(b, 0)
	if i >= len(b) || b[i] != '[' {
		return errData
	}
	for i = space(b, i+1); i < len(b) && b[i] != ']'; {
		end := skip(b, i)
		if end == i {
			return errData
		}
		if err := do(b[i:end]); err != nil {
			return err
		}
		if i = space(b, end); i < len(b) && b[i] == ',' {
			i = space(b, i+1)
		}
	}
	return nil
}

func isNull(b []byte) bool { return len(b) == 4 && b[0] == 'n' }
