package seed

import (
	"time"

	"gamedata/graph/model"
)

// began is the origin of all schedules, which do not depend on the time of the run.
var began = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

// repeats returns a schedule with one start an offset after began and one each period from there.
func repeats(period, after time.Duration) *model.Timetable {
	return &model.Timetable{First: began.Add(after), EverySeconds: int64(period / time.Second)}
}

func at(x, y, z int) *model.Position { return &model.Position{X: x, Y: y, Z: z} }

func needsLevel(n int) *model.ContentRequirement {
	return &model.ContentRequirement{Type: "COMBAT_LEVEL", Level: &n}
}

func needsQuest(kind, quest string) *model.ContentRequirement {
	return &model.ContentRequirement{Type: kind, Quest: &quest}
}

// WorldEvents returns the world events, first the examples of docs/spec/wire-content.md. Two start so often
// that the next start is always known, two never do; the others have periods from an hour to a week.
func WorldEvents() []*model.WorldEvent {
	return []*model.WorldEvent{
		{
			Name: "Lantern Vigil", InternalName: "4be07a19", Lore: ptr("The lamps must not go out."), Difficulty: ptr("EASY"),
			Level: ptr(19), Length: ptr("SHORT"),
			RewardPerLevel: []*model.LevelRewards{
				{Level: 19, Rewards: []string{"2 x Lantern Oil"}},
				{Level: 40, Rewards: []string{"4 x Lantern Oil", "1 x Marsh Token"}},
			},
			Requirements: []*model.ContentRequirement{needsLevel(19), needsQuest("QUEST", "The Sunken Road")},
			Location:     []*model.WorldEventPlace{{Event: at(330, 58, -1240), Spawn: at(332, 58, -1236), Radius: ptr(40)}},
			Timetable:    repeats(10*time.Minute, 0),
		},
		{Name: "Quiet Tide", InternalName: "90c2d3ee", Location: []*model.WorldEventPlace{{
			Spawn:  at(-90, 44, 610),
			Radius: ptr(25), SpawnRadius: ptr(12),
		}}},
		{
			Name: "The Toll Collectors", InternalName: "1d77e04b", Lore: ptr("Nobody told them that the bridge fell."),
			Difficulty: ptr("MEDIUM"), Level: ptr(47), Length: ptr("MEDIUM"),
			RewardPerLevel: []*model.LevelRewards{{Level: 47, Rewards: []string{"3 x Toll Coin"}}},
			Requirements:   []*model.ContentRequirement{needsLevel(47)},
			Location: []*model.WorldEventPlace{
				{
					Event: at(-1490, 70, -3300), Spawn: at(-1490, 71, -3310), Reward: at(-1486, 70, -3296), Radius: ptr(60),
					SpawnRadius: ptr(20),
				},
				{
					Event: at(60, 64, -2110), Spawn: at(66, 64, -2104), Reward: at(58, 65, -2120), Radius: ptr(55),
					SpawnRadius: ptr(20),
				},
			},
			Timetable: repeats(15*time.Minute, 7*time.Minute+30*time.Second),
		},
		{
			Name: "Ashfall", InternalName: "a8c3015f", Difficulty: ptr("HARD"), Level: ptr(88), Length: ptr("LONG"),
			Requirements: []*model.ContentRequirement{},
			Location:     []*model.WorldEventPlace{{}, {Event: at(1510, 102, -5210), Radius: ptr(120)}},
			Timetable:    repeats(time.Hour, 25*time.Minute),
		},
		{
			Name: "Heron Court", InternalName: "6f20b9d4", Lore: ptr("They vote with their feet."), Level: ptr(63),
			RewardPerLevel: []*model.LevelRewards{},
			Requirements:   []*model.ContentRequirement{needsLevel(63), needsQuest("GLOBAL_QUEST", "What the Heron Saw")},
			Location:       []*model.WorldEventPlace{{Event: at(-700, 49, -1900), Reward: at(-700, 49, -1900)}},
			Timetable:      repeats(4*time.Hour, 90*time.Minute),
		},
		{
			Name: "Midnight Auction", InternalName: "c51e7702", Difficulty: ptr("EASY"), Length: ptr("SHORT"),
			Location:  []*model.WorldEventPlace{{Reward: at(890, 60, -4000), SpawnRadius: ptr(8)}},
			Timetable: repeats(24*time.Hour, 0),
		},
		{
			Name: "The Long Siege", InternalName: "07fa44c6", Lore: ptr("Bring bread."), Difficulty: ptr("HARD"),
			Level: ptr(104), Length: ptr("LONG"),
			RewardPerLevel: []*model.LevelRewards{{Level: 104, Rewards: []string{"1 x Siege Banner", "12 x Stale Bread"}}},
			Requirements:   []*model.ContentRequirement{needsLevel(104), needsQuest("QUEST", "The Siege of Larkhollow")},
			Location: []*model.WorldEventPlace{{Event: at(-1000, 80, -600), Spawn: at(-1030, 82, -640), Reward: at(-990,
				80, -590), Radius: ptr(200), SpawnRadius: ptr(90)}},
			Timetable: repeats(7*24*time.Hour, 3*24*time.Hour+18*time.Hour),
		},
		{
			Name: "The First Lamp", InternalName: "e1b09a38", Lore: ptr("It was lit once."),
			Location:  []*model.WorldEventPlace{{Event: at(412, 66, -1200)}},
			Timetable: &model.Timetable{First: began},
		},
	}
}
