package model

import (
	"encoding/json"
	"time"
)

// Item is the record of an item and the schema's Item.
type Item struct {
	InternalName    string            `json:"internalName"    record:"key"`
	DisplayName     string            `json:"displayName"`
	Type            Label             `json:"type"`
	SubType         *Label            `json:"subType"`
	Tier            *Label            `json:"tier"`
	Icon            *Icon             `json:"icon"`
	Emblem          string            `json:"emblem"`
	Requirements    *ItemRequirements `json:"requirements"`
	Restriction     *string           `json:"restriction"`
	DropRestriction *string           `json:"dropRestriction"`

	Identifications []*Identification      `json:"identifications"`
	Base            []*Identification      `json:"base"`
	PowderSlots     *int                   `json:"powderSlots"`
	Elements        []string               `json:"elements"`
	AttackSpeed     *string                `json:"attackSpeed"`
	AverageDps      *int64                 `json:"averageDps"`
	MajorIds        []*MajorIdentification `json:"majorIds"`
	Lore            *Markup                `json:"lore"`
	Identified      *bool                  `json:"identified"`
	AllowCraftsman  *bool                  `json:"allowCraftsman"`
	DropMeta        *DropMeta              `json:"dropMeta"`
	SetNames        []string               `json:"setNames"        bson:"sets"`

	// Only tools and materials.
	GatheringSpeed *int             `json:"gatheringSpeed"`
	Durability     *int             `json:"durability"`
	Chances        *MaterialChances `json:"chances"`

	// Only ingredients.
	ConsumableOnlyIDs           *ConsumableOnlyIDs           `json:"consumableOnlyIDs"`
	ItemOnlyIDs                 *ItemOnlyIDs                 `json:"itemOnlyIDs"`
	IngredientPositionModifiers *IngredientPositionModifiers `json:"ingredientPositionModifiers"`
	DroppedBy                   []*DroppedBy                 `json:"droppedBy"`
	// Updated is the time of the last change; the store sets it.
	Updated time.Time `json:"-" bson:"updatedAt,omitempty" record:"volatile"`
}

// DropMeta describes where an item drops. The kind of source keeps its imported form: one value or a list.
type DropMeta struct {
	Name        string   `json:"name"`
	Type        *string  `json:"type"`
	TypeList    []string `json:"types"`
	Coordinates Place    `json:"position" bson:"coordinates"`
	Event       *string  `json:"event"`
}

// Place holds the stored x, y and z of an item's source, in blocks; all are noPlace for a source without a place.
type Place []float64

// noPlace is the stored coordinate of a source without a place.
const noPlace = 99999

// UnmarshalJSON reads a position of the schema.
func (p *Place) UnmarshalJSON(data []byte) error {
	var at *Position
	if err := json.Unmarshal(data, &at); err != nil {
		return err
	}
	*p = Place{noPlace, noPlace, noPlace}
	if at != nil {
		*p = Place{at.X, at.Y, at.Z}
	}
	return nil
}

// Position returns where the source is, or nil if it has no place.
func (d *DropMeta) Position() *Position {
	c := d.Coordinates
	if len(c) != 3 || c[0] == noPlace && c[1] == noPlace && c[2] == noPlace {
		return nil
	}
	return &Position{c[0], c[1], c[2]}
}

// Types returns the kinds of source, from either stored form.
func (d *DropMeta) Types() []string {
	if d.Type != nil {
		return []string{*d.Type}
	}
	return d.TypeList
}

// DroppedBy is the record of a creature that drops an ingredient and the schema's DroppedBy. Its spots keep their
// imported form: one spot or a list.
type DroppedBy struct {
	Name       string  `json:"name"`
	Spot       *Spot   `json:"spot"`
	SpotList   []*Spot `json:"spots"`
	FixedPlace *bool   `json:"fixedPlace"`
}

// Spots returns where the creature is found, from either stored form.
func (d *DroppedBy) Spots() []*Spot {
	if d.Spot != nil {
		return []*Spot{d.Spot}
	}
	return d.SpotList
}

// IconModel is a model from the game.
type IconModel struct {
	ItemID          string           `json:"itemId"          bson:"id"`
	Name            string           `json:"name"`
	CustomModelData *CustomModelData `json:"customModelData"`
}

// ItemSet is the record of an item set and the schema's ItemSet.
type ItemSet struct {
	Name         string      `json:"name"`
	InternalName string      `json:"internalName"`
	Bonuses      []*SetBonus `json:"bonuses"`
	PartNames    []string    `json:"partNames"    bson:"parts"`
}

// RecipeMaterial is a material and how much of it a recipe needs.
type RecipeMaterial struct {
	ItemName string `json:"itemName" bson:"item"`
	Amount   int    `json:"amount"`
}

// ItemRequirements describes who may use an item.
type ItemRequirements struct {
	Level int `json:"level"`
	// ClassKey is the class that may use the item; nil allows all classes.
	ClassKey     *string  `json:"classKey" bson:"classRequirement"`
	Strength     *int     `json:"strength"`
	Dexterity    *int     `json:"dexterity"`
	Intelligence *int     `json:"intelligence"`
	Defence      *int     `json:"defence"`
	Agility      *int     `json:"agility"`
	Quest        *string  `json:"quest"`
	Skills       []string `json:"skills"`
}
