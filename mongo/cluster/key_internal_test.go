package cluster

import (
	"slices"
	"testing"

	"gamedata/mongo"
)

// The bounds of ranges are in order, and each range of a kind of values has its share of their first digits.
func TestShardBounds(t *testing.T) {
	for _, c := range mongo.Collections {
		kinds := len(c.ShardKey.Values)
		if c.ShardKey.Fields == nil || c.ShardKey.Hashed {
			continue
		}
		for _, n := range []int{1, 2, 3, 12, 1000} {
			got := bounds(c.ShardKey, n)
			var values []string // of the first field
			for _, b := range got[1 : len(got)-1] {
				value, _ := b[0].Value.(string)
				values = append(values, value)
			}
			if len(got) != kinds*n+1 || !slices.IsSorted(values) || len(slices.Compact(values)) != kinds*n-1 {
				t.Errorf("%s, %d ranges: got the bounds %q", c.Name, n, values)
			}
		}
	}
	for digits, want := range map[string][]int{
		"0123456789abcdef": {4, 4, 4, 4}, "abcdefghijklmnopqrstuvwxyz": {7, 6, 7, 6},
	} {
		got := make([]int, 4)
		for _, digit := range digits {
			at := 0
			for at < 3 && string(digit)+digits[:1] >= fraction(at+1, 4, digits) {
				at++
			}
			got[at]++
		}
		if !slices.Equal(got, want) {
			t.Errorf("values that begin with %s: four ranges get %v of them", digits, got)
		}
	}
}
