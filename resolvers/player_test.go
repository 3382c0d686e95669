package resolvers

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph/model"
)

// Positions of two days are paired: held on both, new, lost.
func TestRankMovement(t *testing.T) {
	now := []*model.RankPosition{
		{Type: "warsCompletion", Position: 5},
		{Type: "cookingLevel", Position: 9},
		{Type: "miningLevel", Position: 2},
	}
	before := []*model.RankPosition{
		{Type: "huntedContent", Position: 3},
		{Type: "cookingLevel", Position: 4},
		{Type: "warsCompletion", Position: 8},
	}
	got := rankMovement(now, before)
	want := []*model.RankMovement{
		{Type: "warsCompletion", Position: new(5), Previous: new(8), Movement: new(3)},
		{Type: "cookingLevel", Position: new(9), Previous: new(4), Movement: new(-5)},
		{Type: "miningLevel", Position: new(2)},
		{Type: "huntedContent", Previous: new(3)},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if got := rankMovement(nil, nil); got == nil || len(got) != 0 {
		t.Errorf("no positions give %v, want an empty list", got)
	}
}
