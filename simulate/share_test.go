package simulate

import (
	"reflect"
	"strings"
	"testing"
	"time"
	"unsafe"

	"gamedata/graph/model"
)

// Texts that are equal become one, and nothing else changes.
func TestSharing(t *testing.T) {
	quest := func() string { return strings.Clone("A Moss of Light") }
	at := time.Date(2026, 3, 20, 0, 0, 0, 0, time.UTC)
	nick := quest()
	records := []*model.Character{
		{Quests: []string{quest(), "Other"}, Nickname: &nick, Dungeons: &model.CountList{Total: 3, List: []*model.NamedCount{{Name: quest(), Count: 3}}}},
		{Quests: []string{quest()}, Meta: &model.CharacterMeta{}},
		nil,
	}
	player := &model.Player{Username: quest(), LastJoin: &at}
	texts := newSharing()
	texts.in(reflect.ValueOf(records))
	texts.in(reflect.ValueOf(player))
	one := unsafe.StringData(player.Username)
	for i, s := range []string{records[0].Quests[0], *records[0].Nickname, records[0].Dungeons.List[0].Name, records[1].Quests[0]} {
		if s != "A Moss of Light" || unsafe.StringData(s) != one {
			t.Errorf("text %d is %q, or another copy", i, s)
		}
	}
	if records[0].Quests[1] != "Other" || records[0].Dungeons.Total != 3 || !player.LastJoin.Equal(at) {
		t.Error("something else changed")
	}
}
