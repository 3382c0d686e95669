package seed_test

import (
	"regexp"
	"strings"
	"testing"

	"gamedata/graph/model"
)

// boardName are the boards of players and characters (WIRE-CONTENT §12.2).
var boardName = regexp.MustCompile(`^(?:(?:woodcutting|mining|fishing|farming|alchemism|armouring|cooking|jeweling|scribing|tailoring|weaponsmithing|woodworking|hardcoreLegacy)Level` +
	`|(?:professions|combat|total)(?:Solo|Global)Level|playerContent|globalPlayerContent|(?:craftsman|ironman|ultimateIronman|hardcore|hunted|huich?|hich?)Content` +
	`|warsCompletion|(?:grootslang|orphion|colossus|nameless|fruma)(?:Completion|SrPlayers|SrGPlayers))$`)

func TestPositionsArePlausible(t *testing.T) {
	taken := [2]map[string]map[int]bool{{}, {}}
	ranked := 0
	for i, p := range crowd() {
		if len(p.Ranking) > 0 {
			ranked++
		}
		for when, list := range [][]*model.RankPosition{p.Ranking, p.PreviousRanking} {
			for _, r := range list {
				if !boardName.MatchString(r.Type) {
					t.Errorf("player %d is on %s", i, r.Type)
				}
				if taken[when][r.Type] == nil {
					taken[when][r.Type] = map[int]bool{}
				}
				if taken[when][r.Type][r.Position] || r.Position < 1 || r.Position > 3072 {
					t.Errorf("player %d: position %d on %s is taken or far off", i, r.Position, r.Type)
				}
				taken[when][r.Type][r.Position] = true
			}
		}
		if len(p.Ranking) != len(p.PreviousRanking) {
			t.Errorf("player %d: %d positions now, %d before", i, len(p.Ranking), len(p.PreviousRanking))
		}
	}
	if ranked < 600 || ranked > 1000 {
		t.Errorf("%d of 3000 players have positions", ranked)
	}
	if len(taken[0]) < 45 {
		t.Errorf("positions on %d boards only: %v", len(taken[0]), taken[0])
	}
	if taken[0]["huichContent"] == nil || !strings.HasPrefix(crowd()[0].Ranking[0].Type, "fishing") {
		t.Error("the boards of gamemodes or the first of Salted's are missing")
	}
}
