package model

// LootPool is the record of a camp or a raid and the schema's LootPool.
type LootPool struct {
	Name            string                `json:"name"`
	InternalName    string                `json:"internalName"`
	Type            string                `json:"type"`
	Lore            *string               `json:"lore"`
	Difficulty      *string               `json:"difficulty"`
	Level           *int                  `json:"level"`
	Length          *string               `json:"length"`
	RequirementList []*ContentRequirement `json:"requirements"`
	Location        *Position             `json:"location"`
	// Previews holds the rewards by level, lowest threshold first.
	Previews []*LootPreview `json:"-" bson:"previews"`
}

// LootPreview lists the possible rewards of a camp or raid from a level on.
type LootPreview struct {
	Threshold int       `json:"threshold"`
	Rewards   []*Reward `json:"rewards"`
}

// Reward is a possible reward of a camp or raid.
type Reward struct {
	Name   string  `json:"name"`
	Type   Label   `json:"type"`
	Amount int     `json:"amount"`
	Always bool    `json:"always"`
	Tier   *string `json:"tier"`
	Shiny  *bool   `json:"shiny"`
}

// PreviewAt returns the preview with the highest threshold not above a level, or else the lowest preview. Without a
// level it returns the highest, and without previews nil. Previews must be sorted by threshold.
func PreviewAt(previews []*LootPreview, level *int) *LootPreview {
	if len(previews) == 0 {
		return nil
	}
	if level == nil {
		return previews[len(previews)-1]
	}
	at := previews[0]
	for _, p := range previews {
		if p.Threshold <= *level {
			at = p
		}
	}
	return at
}
