package leaderboard

import "fmt"

// TopSize is how many entries of a board are recorded each day.
const TopSize = 100

// shortKey is the size of a Key without its character.
const shortKey = KeySize - 16

// PackTop packs the first entries of a board: the size of an entry, then the entries, without the characters if no
// entry has one.
func PackTop(keys []Key) []byte {
	size := shortKey
	for _, k := range keys {
		if k.Character() != "" {
			size = KeySize
		}
	}
	out := append(make([]byte, 0, 1+len(keys)*size), byte(size))
	for _, k := range keys {
		out = append(out, k[:size]...)
	}
	return out
}

// UnpackTop returns the entries that PackTop packed.
func UnpackTop(packed []byte) ([]Key, error) {
	if len(packed) == 0 {
		return nil, nil
	}
	size, entries := int(packed[0]), packed[1:]
	if size != shortKey && size != KeySize || len(entries)%size != 0 {
		return nil, fmt.Errorf("%d bytes of entries of %d bytes", len(entries), size)
	}
	out := make([]Key, len(entries)/size)
	for i := range out {
		copy(out[i][:], entries[i*size:(i+1)*size])
	}
	return out, nil
}
