package model

import (
	"fmt"
	"strings"
	"time"
)

// ClassIDs lists the classes in the order of the API.
var ClassIDs = []string{"archer", "warrior", "assassin", "mage", "shaman"}

// Character is the record of one character and the schema's Character. Like a player record, a stored one is not
// redacted.
type Character struct {
	UUID              string         `json:"uuid"              bson:"_id"`
	ClassKey          string         `json:"classKey" bson:"type"`
	Reskin            *string        `json:"reskin"`
	Nickname          *string        `json:"nickname"`
	Level             int            `json:"level"`
	XP                int64          `json:"xp"`
	XPPercent         int            `json:"xpPercent"`
	TotalLevel        int            `json:"totalLevel"`
	PreEconomy        *bool          `json:"preEconomy"`
	Gamemodes         []string       `json:"gamemodes" bson:"gamemode"`
	ContentCompletion *int64         `json:"contentCompletion" record:"counter"`
	Wars              *int64         `json:"wars" record:"counter"`
	Playtime          *float64       `json:"playtime"`
	MobsKilled        *int64         `json:"mobsKilled" record:"gain"`
	ChestsFound       *int64         `json:"chestsFound" record:"gain"`
	ItemsIdentified   *int64         `json:"itemsIdentified" record:"gain"`
	BlocksWalked      *int64         `json:"blocksWalked" record:"gain,negative"`
	Logins            *int64         `json:"logins" record:"counter"`
	Deaths            *int64         `json:"deaths" record:"gain"`
	Discoveries       *int64         `json:"discoveries" record:"gain"`
	WorldEvents       *int64         `json:"worldEvents" record:"gain"`
	Lootruns          *int64         `json:"lootruns" record:"gain"`
	Caves             *int64         `json:"caves" record:"gain"`
	Pvp               *PvpStats      `json:"pvp"`
	SkillPoints       *SkillPoints   `json:"skillPoints"`
	ProfessionLevels  *Professions   `json:"-" bson:"professions" record:"guarded=CHARACTER_DATA_ACCESS"`
	Dungeons          *CountList     `json:"dungeons"`
	Raids             *CountList     `json:"raids"`
	Quests            []string       `json:"quests"`
	RemovedStats      []string       `json:"removedStats" bson:"removedStat"`
	Meta              *CharacterMeta `json:"meta"`

	// Redaction is the effect of the owner's rules on the viewer; never stored.
	Redaction Redaction `json:"-" bson:"-"`

	// AddedAt is when the record was added; zero if the record has always existed. The store sets it. Older data
	// under the same uuid belongs to a deleted record.
	AddedAt time.Time `json:"-" bson:"addedAt,omitempty" record:"volatile"`
	// Owner is the uuid of the player.
	Owner string `json:"-" bson:"owner"`
	// Unlocked lists the ids of the abilities that the character enabled.
	Unlocked []string `json:"-" bson:"unlocked" record:"guarded=CHARACTER_BUILD_ACCESS"`
	// ProfessionXP is the experience by profession, named as in Professions.
	ProfessionXP map[string]int64 `json:"-" bson:"professionXp,omitempty" record:"guarded=CHARACTER_DATA_ACCESS"`
}

// Professions is the stored form of a character's twelve professions; nil where a record lacks one.
type Professions struct {
	Fishing        *ProfessionProgress `json:"fishing"`
	Woodcutting    *ProfessionProgress `json:"woodcutting"`
	Mining         *ProfessionProgress `json:"mining"`
	Farming        *ProfessionProgress `json:"farming"`
	Scribing       *ProfessionProgress `json:"scribing"`
	Jeweling       *ProfessionProgress `json:"jeweling"`
	Alchemism      *ProfessionProgress `json:"alchemism"`
	Cooking        *ProfessionProgress `json:"cooking"`
	Weaponsmithing *ProfessionProgress `json:"weaponsmithing"`
	Tailoring      *ProfessionProgress `json:"tailoring"`
	Woodworking    *ProfessionProgress `json:"woodworking"`
	Armouring      *ProfessionProgress `json:"armouring"`
}

// ProfessionProgress is the level of a profession and the progress to the next one, 0 to 100.
type ProfessionProgress struct {
	Level     int `json:"level"`
	XpPercent int `json:"xpPercent"`
}

// slot is the place where a profession is stored.
type slot struct {
	name string
	at   **ProfessionProgress
}

// slots returns the professions in the order of the schema.
func (p *Professions) slots() [12]slot {
	return [...]slot{
		{"fishing", &p.Fishing},
		{"woodcutting", &p.Woodcutting},
		{"mining", &p.Mining},
		{"farming", &p.Farming},
		{"scribing", &p.Scribing},
		{"jeweling", &p.Jeweling},
		{"alchemism", &p.Alchemism},
		{"cooking", &p.Cooking},
		{"weaponsmithing", &p.Weaponsmithing},
		{"tailoring", &p.Tailoring},
		{"woodworking", &p.Woodworking},
		{"armouring", &p.Armouring},
	}
}

// Professions returns the professions in the schema's form, or nil if the record has none.
func (c *Character) Professions() []CharacterProfession {
	if c.ProfessionLevels == nil {
		return nil
	}
	out := make([]CharacterProfession, 0, len(ProfessionList))
	for _, s := range c.ProfessionLevels.slots() {
		if p := *s.at; p != nil {
			out = append(out, CharacterProfession{Key: s.name, Level: p.Level, XpPercent: p.XpPercent})
		}
	}
	return out
}

// NewProfessions converts the schema's list to the stored form; nil stays nil.
func NewProfessions(list []CharacterProfession) *Professions {
	if list == nil {
		return nil
	}
	out := &Professions{}
	for _, s := range out.slots() {
		for _, p := range list {
			if plainText(p.Key) == s.name {
				*s.at = &ProfessionProgress{Level: p.Level, XpPercent: p.XpPercent}
			}
		}
	}
	return out
}

// ProfessionList lists the twelve professions in the order of their boards.
var ProfessionList = []struct {
	Name string
	Of   func(*Professions) *ProfessionProgress
}{
	{"woodcutting", func(p *Professions) *ProfessionProgress { return p.Woodcutting }},
	{"mining", func(p *Professions) *ProfessionProgress { return p.Mining }},
	{"fishing", func(p *Professions) *ProfessionProgress { return p.Fishing }},
	{"farming", func(p *Professions) *ProfessionProgress { return p.Farming }},
	{"alchemism", func(p *Professions) *ProfessionProgress { return p.Alchemism }},
	{"armouring", func(p *Professions) *ProfessionProgress { return p.Armouring }},
	{"cooking", func(p *Professions) *ProfessionProgress { return p.Cooking }},
	{"jeweling", func(p *Professions) *ProfessionProgress { return p.Jeweling }},
	{"scribing", func(p *Professions) *ProfessionProgress { return p.Scribing }},
	{"tailoring", func(p *Professions) *ProfessionProgress { return p.Tailoring }},
	{"weaponsmithing", func(p *Professions) *ProfessionProgress { return p.Weaponsmithing }},
	{"woodworking", func(p *Professions) *ProfessionProgress { return p.Woodworking }},
}

// Named returns the progress in a profession, or nil if the record has none.
func (p *Professions) Named(name string) *ProfessionProgress {
	for _, profession := range ProfessionList {
		if p != nil && profession.Name == name {
			return profession.Of(p)
		}
	}
	return nil
}

// Check returns an error for a class that the schema lacks.
func (c *Character) Check() error {
	if characterClasses.Value(c.ClassKey) == "" {
		return fmt.Errorf("type is none of %s", strings.Join(characterClasses.Values, ", "))
	}
	return nil
}
