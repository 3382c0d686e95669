package seed_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph/model"
	"gamedata/internal/demo/seed"
	"gamedata/mongo/mongotest"
)

// Previous positions are near the current ones, unique per board, equal for equal seeds, and some are
// missing.
func TestPreviousRankings(t *testing.T) {
	t.Parallel()
	const players = 200
	for _, number := range []uint64{1, 2} {
		invent, again := seed.PreviousRankings(number), seed.PreviousRankings(number)
		moved, missing, taken := 0, 0, map[string]bool{}
		for i := range players {
			now := []*model.RankPosition{
				{Type: "combatSoloLevel", Position: i + 1},
				{Type: "warsCompletion", Position: players - i},
			}
			before := invent(mongotest.UUID(i), now)
			if d := cmp.Diff(before, again(mongotest.UUID(i), now)); d != "" {
				t.Errorf("player %d: previous positions differ with the same seed: %s", i, d)
			}
			was := map[string]int{}
			for _, r := range before {
				was[r.Type] = r.Position
			}
			for _, r := range now {
				key := r.Type + fmt.Sprint(was[r.Type])
				switch position, ok := was[r.Type]; {
				case !ok:
					missing++
					continue
				case position < 1 || position > r.Position+7 || position < r.Position-7 || taken[key]:
					t.Errorf("player %d on %s: got position %d, previously %d", i, r.Type, r.Position, position)
				case position != r.Position:
					moved++
				}
				taken[key] = true
			}
		}
		if moved < 50 || missing < 5 || missing > 60 {
			t.Errorf("seed %d: got %d moved and %d missing of %d", number, moved, missing, 2*players)
		}
	}
}
