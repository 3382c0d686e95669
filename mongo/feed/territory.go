package feed

import (
	"time"

	"gamedata/graph/model"
)

// Fighter is a member of a guild who took part in a war, and as whom.
type Fighter struct {
	Player    *model.Player
	Character *model.Character
}

// WarWon counts a war for a guild and for those who fought it.
func (b *Batch) WarWon(g *model.Guild, fighters []Fighter) {
	b.guilds.at(g.UUID).tally("wars", &g.Wars, 1)
	b.flag(g)
	for _, who := range fighters {
		b.characters.at(who.Character.UUID).tally("wars", &who.Character.Wars, 1)
		if who.Player.GlobalData != nil {
			who.Player.GlobalData.Wars++
			b.players.at(who.Player.UUID).inc("globalData.wars", 1)
		}
	}
}

// weakest is the treasury and the defences of a territory that nobody built up (WIRE §6.5).
const weakest = "VERY_LOW"

// Capture is a territory that changes hands.
type Capture struct {
	Territory *model.Territory
	By        *model.Guild
	At        time.Time
	// Held are the territories that By held before, Left those that remain to the former
	// holder; both without Territory.
	Held, Left []*model.Territory
}

// TerritoryCaptured gives a territory to a guild. It starts weak, and the former holder
// loses it. A guild without headquarters makes the territory it has held longest one.
func (b *Batch) TerritoryCaptured(c Capture) {
	t := c.Territory
	if former := t.Guild.UUID; former != nil {
		b.guilds.at(*former).set("flagged", true)
	}
	b.flag(c.By)
	wasHQ := t.Hq
	uuid, name, prefix := c.By.UUID, c.By.Name, c.By.Prefix
	t.Guild = &model.TerritoryGuild{UUID: &uuid, Name: &name, Prefix: &prefix}
	t.Acquired, t.Hq, t.Treasury, t.Defences = &c.At, false, weakest, weakest
	change := b.territories.at(t.Name)
	change.set("guild", t.Guild)
	change.set("acquired", c.At)
	change.set("hq", false)
	change.set("treasury", weakest)
	change.set("defences", weakest)
	if wasHQ {
		b.Headquartered(longestHeld(c.Left), c.Left)
	}
	held := append(c.Held[:len(c.Held):len(c.Held)], t)
	b.Headquartered(longestHeld(held), held)
}

// longestHeld is the headquarters among territories of one guild, else the one it has
// held longest; nil when there are none.
func longestHeld(held []*model.Territory) *model.Territory {
	var best *model.Territory
	for _, t := range held {
		switch {
		case t.Hq:
			return t
		case best == nil, t.Acquired != nil && (best.Acquired == nil || t.Acquired.Before(*best.Acquired)):
			best = t
		}
	}
	return best
}

// Headquartered makes one of the territories that a guild holds its headquarters, or none.
// What the others say of it follows: it is not stored with them.
func (b *Batch) Headquartered(hq *model.Territory, held []*model.Territory) {
	for _, t := range held {
		if t.Hq != (t == hq) {
			t.Hq = t == hq
			b.territories.at(t.Name).set("hq", t.Hq)
		}
	}
}

// TerritoryFortified says how strong the treasury and the defences of a territory are,
// VERY_LOW to VERY_HIGH.
func (b *Batch) TerritoryFortified(t *model.Territory, treasury, defences string) {
	t.Treasury, t.Defences = treasury, defences
	c := b.territories.at(t.Name)
	c.set("treasury", treasury)
	c.set("defences", defences)
}

// TerritoryProduced adds to what a territory has in store what it made, by its place among
// the resources; less than nothing is what was spent. A store is never overfilled.
func (b *Batch) TerritoryProduced(t *model.Territory, made []int64) {
	changed := false
	for i, r := range t.Resources {
		if i < len(made) {
			sum := max(min(r.Stored+made[i], max(r.Limit, r.Stored)), 0)
			changed = changed || sum != r.Stored
			r.Stored = sum
		}
	}
	if changed {
		b.territories.at(t.Name).set("resources", t.Resources)
	}
}
