package feed

import (
	"slices"
	"time"

	"gamedata/graph/model"
)

// Fighter is a guild member who took part in a war, and the character played.
type Fighter struct {
	Player    *model.Player
	Character *model.Character
}

// WarWon counts a war for a guild and its fighters.
func (b *Batch) WarWon(g *model.Guild, fighters []Fighter) {
	b.guild(g.UUID).tally("wars", &g.Wars, 1)
	b.flag(g)
	players := make([]string, len(fighters))
	for i, f := range fighters {
		players[i] = f.Player.UUID
	}
	b.record(time.Time{}, &model.WarFinished{Guild: g.UUID, Players: players})
	for _, f := range fighters {
		b.character(f.Character).tally("wars", &f.Character.Wars, 1)
		if f.Player.GlobalData != nil {
			f.Player.GlobalData.Wars++
			b.player(f.Player).inc("globalData.wars", 1)
		}
	}
}

// initialStrength is the treasury and the defences of a territory that was just captured.
const initialStrength = "VERY_LOW"

// Capture is the capture of a territory.
type Capture struct {
	Territory *model.Territory
	By        *model.Guild
	At        time.Time
	// Held are the territories that By had before, Left those that the former holder still has; both
	// without Territory.
	Held, Left []*model.Territory
}

// TerritoryCaptured gives a territory to a guild. Its treasury and defences are reset. A guild without
// headquarters gets them in the territory that it has held longest.
func (b *Batch) TerritoryCaptured(c Capture) {
	t := c.Territory
	if former := t.Guild.UUID; former != nil {
		b.guild(*former).set("flagged", true)
	}
	b.flag(c.By)
	wasHQ := t.Hq
	to := &model.TerritoryGuild{UUID: new(c.By.UUID), Name: new(c.By.Name), Prefix: new(c.By.Prefix)}
	b.record(c.At, model.HolderChange(t.Name, t.Guild, to, t.Acquired, c.At))
	t.Guild = to
	t.Acquired, t.Hq, t.Treasury, t.Defences = &c.At, false, initialStrength, initialStrength
	change := b.territory(t)
	change.set("guild", t.Guild)
	change.set("acquired", c.At)
	change.set("hq", false)
	change.set("treasury", initialStrength)
	change.set("defences", initialStrength)
	if wasHQ {
		b.Headquartered(chooseHeadquarters(c.Left), c.Left)
	}
	held := slices.Concat(c.Held, []*model.Territory{t})
	b.Headquartered(chooseHeadquarters(held), held)
}

// TerritoryFreed takes a territory from its holder, who still has the territories left. Its treasury and
// defences are reset. The territory keeps the time at which it fell free.
func (b *Batch) TerritoryFreed(t *model.Territory, left []*model.Territory, at time.Time) {
	if t.Guild.UUID != nil {
		b.guild(*t.Guild.UUID).set("flagged", true)
	}
	b.record(at, model.HolderChange(t.Name, t.Guild, nil, t.Acquired, at))
	wasHQ := t.Hq
	t.Guild = &model.TerritoryGuild{}
	t.Acquired, t.Hq, t.Treasury, t.Defences = &at, false, initialStrength, initialStrength
	change := b.territory(t)
	change.set("guild", t.Guild)
	change.set("acquired", at)
	change.set("hq", false)
	change.set("treasury", initialStrength)
	change.set("defences", initialStrength)
	if wasHQ {
		b.Headquartered(chooseHeadquarters(left), left)
	}
}

// chooseHeadquarters returns the headquarters among territories of one guild, else the one held longest;
// nil when there are none.
func chooseHeadquarters(held []*model.Territory) *model.Territory {
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

// Headquartered makes one of a guild's territories its headquarters, or none. The guild.hq of the others
// is derived, not stored.
func (b *Batch) Headquartered(hq *model.Territory, held []*model.Territory) {
	for _, t := range held {
		if t.Hq != (t == hq) {
			t.Hq = t == hq
			b.territory(t).set("hq", t.Hq)
		}
	}
}

// Strength is a level of treasury or defences: 0, VERY_LOW, to 4, VERY_HIGH.
type Strength int

// strengths are the stored texts of the levels, lowest first.
var strengths = []string{initialStrength, "LOW", "MEDIUM", "HIGH", "VERY_HIGH"}

// String returns the stored text: that of the nearest level if there is no such level.
func (s Strength) String() string { return strengths[min(max(int(s), 0), len(strengths)-1)] }

// TerritoryFortified sets treasury and defences of a territory.
func (b *Batch) TerritoryFortified(t *model.Territory, treasury, defences Strength) {
	t.Treasury, t.Defences = treasury.String(), defences.String()
	c := b.territory(t)
	c.set("treasury", t.Treasury)
	c.set("defences", t.Defences)
}

// TerritoryProduced adds amounts to the stored resources of a territory, in the order of its resources.
// Negative amounts were spent. A stored amount stays between 0 and its limit.
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
		b.territory(t).set("resources", t.Resources)
	}
}
