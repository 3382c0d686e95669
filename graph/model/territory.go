package model

import (
	"fmt"
	"strings"
	"time"
)

// Territory is the record of a territory and the schema's Territory.
type Territory struct {
	Name string `json:"name" record:"key"`
	// Guild is the guild that holds the territory; its fields are nil if no guild does.
	Guild *TerritoryGuild `json:"guild"`
	// AcquiredAt is when the guild captured it, or when it became unclaimed.
	AcquiredAt *time.Time           `json:"acquiredAt" bson:"acquired"`
	Hq         bool                 `json:"hq"`
	Resources  []*TerritoryResource `json:"resources" record:"volatile"`
	LinkNames  []string             `json:"links"`
	Treasury   string               `json:"treasury"`
	Defences   string               `json:"defences"`
	Location   *Area                `json:"location"`
	// Updated is the time of the last change; the store sets it.
	Updated time.Time `json:"-" bson:"updatedAt,omitempty" record:"volatile"`
}

// TerritoryGuild is the reference to the holding guild in a territory record.
type TerritoryGuild struct {
	UUID   *string `json:"uuid"`
	Name   *string `json:"name"`
	Prefix *string `json:"prefix"`
	// Hq is the name of the guild's headquarters, derived when territories are read.
	Hq *string `json:"hq"`
	// Colour is the colour of the guild, derived when territories are read.
	Colour *string `json:"-" bson:"-"`
}

// TerritoryCounts counts the territories held by each guild, by the guild's uuid.
func TerritoryCounts(territories []*Territory) map[string]int {
	held := map[string]int{}
	for _, t := range territories {
		if uuid := t.GuildUUID(); uuid != nil {
			held[*uuid]++
		}
	}
	return held
}

// GuildUUID returns the uuid of the guild that holds the territory. Like the following methods it returns nil if no
// guild does.
func (t *Territory) GuildUUID() *string { return t.holder().UUID }

// GuildName returns the name of the guild.
func (t *Territory) GuildName() *string { return t.holder().Name }

// GuildPrefix returns the tag of the guild.
func (t *Territory) GuildPrefix() *string { return t.holder().Prefix }

// GuildHeadquartersName returns the name of the territory with the guild's headquarters, or nil if it has none.
func (t *Territory) GuildHeadquartersName() *string { return t.holder().Hq }

// GuildColour returns the colour of the guild.
func (t *Territory) GuildColour() *string { return t.holder().Colour }

func (t *Territory) holder() *TerritoryGuild {
	if t.Guild == nil {
		return &TerritoryGuild{}
	}
	return t.Guild
}

// Area is a rectangle of ground. A corner is stored as its x and z.
type Area struct {
	StartCorner []int `json:"start"`
	EndCorner   []int `json:"end"`
}

// Start returns one corner.
func (a *Area) Start() *AreaCorner { return groundCorner(a.StartCorner) }

// End returns the other corner.
func (a *Area) End() *AreaCorner { return groundCorner(a.EndCorner) }

// groundCorner converts a stored corner; missing coordinates are 0.
func groundCorner(stored []int) *AreaCorner {
	out := &AreaCorner{}
	for i, to := range []*int{&out.X, &out.Z} {
		if i < len(stored) {
			*to = stored[i]
		}
	}
	return out
}

// Check returns an error for a level of treasury or defences that the schema lacks. It accepts a missing level, which
// was not read.
func (t *Territory) Check() error {
	for field, text := range map[string]string{"treasury": t.Treasury, "defences": t.Defences} {
		if text != "" && territoryLevels.Value(text) == "" {
			return fmt.Errorf("%s is none of %s", field, strings.Join(territoryLevels.Values, ", "))
		}
	}
	return nil
}

// UpdatedAt returns the time of the last change. Like the following methods it returns nil if unknown.
func (p *Player) UpdatedAt() *time.Time { return ifKnown(p.Updated) }

// UpdatedAt returns the time of the last change.
func (g *Guild) UpdatedAt() *time.Time { return ifKnown(g.Updated) }

// UpdatedAt returns the time of the last change.
func (i *Item) UpdatedAt() *time.Time { return ifKnown(i.Updated) }

// UpdatedAt returns the time of the last change.
func (t *Territory) UpdatedAt() *time.Time { return ifKnown(t.Updated) }

// ifKnown returns nil for the zero time: the record has not changed since the store began to record changes.
func ifKnown(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// Deletion is the record of a deleted record and the schema's Deletion.
type Deletion struct {
	// Token identifies the deletion in the store: it contains the type and the key.
	Token   string    `json:"-" bson:"_id"`
	Type    string    `json:"type"`
	Key     string    `json:"key"`
	At      time.Time `json:"at"`
	Expires time.Time `json:"-" bson:"expires"`
}
