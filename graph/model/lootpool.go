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
	// Previews are the rewards by level, lowest threshold first.
	Previews []*LootPreview `json:"-" bson:"previews"`
}

// LootPreview has the possible rewards of a camp or a raid from a level on.
type LootPreview struct {
	Threshold int       `json:"threshold"`
	Rewards   []*Reward `json:"rewards"`
}

// Reward is something a camp or a raid may give.
type Reward struct {
	Name   string  `json:"name"`
	Type   Label   `json:"type"`
	Amount int     `json:"amount"`
	Always bool    `json:"always"`
	Tier   *string `json:"tier"`
	Shiny  *bool   `json:"shiny"`
}

// PreviewAt returns the preview with the highest threshold not above a level, else the lowest.
// Without a level it is the highest. Previews are sorted by threshold; nil when there are none.
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
