package model

import "time"

// WorldEvent is the record of a world event and the schema's WorldEvent.
type WorldEvent struct {
	Name           string                `json:"name"`
	InternalName   string                `json:"internalName"`
	Lore           *string               `json:"lore"`
	Difficulty     *string               `json:"difficulty"`
	Level          *int                  `json:"level"`
	Length         *string               `json:"length"`
	RewardPerLevel []*LevelRewards       `json:"rewardPerLevel"`
	Requirements   []*ContentRequirement `json:"requirements"`
	Location       []*WorldEventPlace    `json:"location"`

	// Schedule is the next run the Timetable gives; never stored.
	Schedule *time.Time `json:"schedule" bson:"-"`
	// Timetable says when the event starts; nil when it never does by the clock.
	Timetable *Timetable `json:"-" bson:"timetable,omitempty"`
}

// Timetable is starts that repeat.
type Timetable struct {
	// First is one of the starts; there are none before it.
	First time.Time `json:"first"`
	// EverySeconds is the time from one start to the next; 0 when First is the only one.
	EverySeconds int64 `json:"everySeconds"`
}

// LootPoolContent is the record of a camp or a raid and the schema's LootPoolContent.
type LootPoolContent struct {
	Name         string                `json:"name"`
	InternalName string                `json:"internalName"`
	Type         string                `json:"type"`
	Lore         *string               `json:"lore"`
	Difficulty   *string               `json:"difficulty"`
	Level        *int                  `json:"level"`
	Length       *string               `json:"length"`
	Requirements []*ContentRequirement `json:"requirements"`
	Location     *Position             `json:"location"`

	// Rewards are those of the preview that was asked for, Thresholds those of all previews;
	// neither is stored.
	Rewards    []*Reward `json:"rewards" bson:"-"`
	Thresholds []int     `json:"thresholds" bson:"-"`
	// Previews are the rewards by level, lowest threshold first.
	Previews []*LootPreview `json:"-" bson:"previews"`
}

// LootPreview is what a camp or a raid may give from a level on.
type LootPreview struct {
	Threshold int       `json:"threshold"`
	Rewards   []*Reward `json:"rewards"`
}

// PlayerLocation is where one of the caller's players is.
type PlayerLocation struct {
	UUID      string  `json:"uuid"`
	Name      string  `json:"name"`
	Nickname  *string `json:"nickname"`
	Character string  `json:"character"`
	Server    *string `json:"server"`
	X         float64 `json:"x"`
	Y         float64 `json:"y"`
	Z         float64 `json:"z"`
	Player    *Player `json:"player"`

	// Record is the player as stored: friends and party are found from it.
	Record *Player `json:"-"`
}
