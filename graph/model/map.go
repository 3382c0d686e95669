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

	// Schedule is the next start of the Timetable; never stored.
	Schedule *time.Time `json:"schedule" bson:"-"`
	// Timetable says when the event starts; nil without fixed times.
	Timetable *Timetable `json:"-" bson:"timetable,omitempty"`
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
