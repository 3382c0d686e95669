package jobs

import "iter"

// batches reads a collection in batches of a size, in the order of its keys: read gets the last key of the previous
// batch.
func batches[T any, K any](size int, read func(after K) ([]T, error), key func(T) K) iter.Seq2[[]T, error] {
	return func(yield func([]T, error) bool) {
		var after K
		for {
			list, err := read(after)
			full := len(list) == size
			if full {
				after = key(list[size-1])
			}
			if len(list) == 0 && err == nil || !yield(list, err) || err != nil || !full {
				return
			}
		}
	}
}

func itself[T any](v T) T { return v }
