package model_test

import (
	"testing"

	"gamedata/graph/model"
)

// The table of docs/spec/wire-content.md, "The level parameter".
func TestPreviewAt(t *testing.T) {
	previews := []*model.LootPreview{{Threshold: 20}, {Threshold: 60}, {Threshold: 100}}
	level := func(n int) *int { return &n }
	for _, c := range []struct {
		level *int
		want  int
	}{
		{level(75), 60},
		{level(60), 60},
		{level(59), 20},
		{level(20), 20},
		{level(5), 20},
		{level(0), 20},
		{level(-1), 20},
		{level(100), 100},
		{level(400), 100},
		{nil, 100},
	} {
		if got := model.PreviewAt(previews, c.level); got.Threshold != c.want {
			t.Errorf("%v: %d, want %d", c.level, got.Threshold, c.want)
		}
	}
	if got := model.PreviewAt(nil, level(7)); got != nil {
		t.Errorf("a pool without previews gives %v", got)
	}
}
