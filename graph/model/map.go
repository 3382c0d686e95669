package model

import "time"

// WorldEvent is the record of a world event and the schema's WorldEvent.
type WorldEvent struct {
	Name            string                `json:"name"`
	InternalName    string                `json:"internalName"`
	Lore            *string               `json:"lore"`
	Difficulty      *string               `json:"difficulty"`
	Level           *int                  `json:"level"`
	Length          *string               `json:"length"`
	RewardPerLevel  []*LevelRewards       `json:"rewardPerLevel"`
	RequirementList []*ContentRequirement `json:"requirements"`
	Places          []*WorldEventPlace    `json:"places"         bson:"location"`

	// StartsAt is the next start of the Timetable; never stored.
	StartsAt *time.Time `json:"startsAt" bson:"-"`
	// Timetable defines when the event starts; nil without fixed times.
	Timetable *Timetable `json:"-" bson:"timetable,omitempty"`
}

// PlayerLocation is the location of one of the caller's players.
type PlayerLocation struct {
	UUID      string    `json:"uuid"`
	Name      string    `json:"name"`
	Nickname  *string   `json:"nickname"`
	Character string    `json:"character"`
	World     *string   `json:"world"`
	Position  *Position `json:"position"`
	Player    *Player   `json:"player"`

	// Record is the player as stored, used to find friends and party.
	Record *Player `json:"-"`
}

// CompanionLocation is the location of a player near one of the caller's players.
type CompanionLocation struct {
	UUID      string    `json:"uuid"`
	Name      string    `json:"name"`
	Nickname  *string   `json:"nickname"`
	Character string    `json:"character"`
	World     *string   `json:"world"`
	Position  *Position `json:"position"`
	Player    *Player   `json:"player"`
}

// MapMarker is an entry of the map and the schema's MapMarker. Its position is stored beside its other members.
type MapMarker struct {
	Name     string   `json:"name"`
	Icon     string   `json:"icon"`
	Position Position `json:"position" bson:",inline"`
}

// GatheringNode is a spot where a material is gathered and the schema's GatheringNode. Its position is stored beside
// its other members.
type GatheringNode struct {
	Position Position `json:"position" bson:",inline"`
	Angle    int      `json:"angle"`
	Type     string   `json:"type"`
	Resource string   `json:"resource"`
	Level    int      `json:"level"`
}

// Position is a place in the world, in blocks.
type Position struct {
	X float64 `json:"x" record:"negative"`
	Y float64 `json:"y" record:"negative"`
	Z float64 `json:"z" record:"negative"`
}

// Discovery is the record of a discovery and the schema's Discovery.
type Discovery struct {
	Name     string `json:"name"`
	Location *Box   `json:"location"`
}

// Box is a box of space, stored as the x, y and z of two corners in whole blocks.
type Box struct {
	From []int `json:"start"`
	To   []int `json:"end"`
}

// Start returns one corner.
func (b *Box) Start() *Position { return corner(b.From) }

// End returns the other corner.
func (b *Box) End() *Position { return corner(b.To) }

// corner converts stored coordinates to a position; missing coordinates are 0.
func corner(at []int) *Position {
	p := &Position{}
	for i, to := range []*float64{&p.X, &p.Y, &p.Z} {
		if i < len(at) {
			*to = float64(at[i])
		}
	}
	return p
}
