package feed

import (
	"cmp"
	"time"

	"gamedata/graph/model"
)

// Strengths are the levels of treasury and defences, lowest first.
var Strengths = []string{"VERY_LOW", "LOW", "MEDIUM", "HIGH", "VERY_HIGH"}

// TerritoryCaptured gives a territory to a guild. Its treasury and defences are reset. A guild without
// headquarters gets them in the territory that it has held longest.
type TerritoryCaptured struct {
	Territory TerritoryName `json:"territory"`
	// Guild is the new holder.
	Guild GuildID `json:"guild"`
	// At is when the territory was captured.
	At time.Time `json:"at,omitzero"`
}

func (e *TerritoryCaptured) apply(g *Game) error {
	t, guild, at := g.territories.now[e.Territory], g.guilds.now[e.Guild], g.at(e.At)
	guild.Flagged = true
	if guild.StoredColour == "" {
		g.uncoloured = true
		g.lock("colours", "")
	}
	g.hand(t, &model.TerritoryGuild{UUID: new(guild.UUID), Name: new(guild.Name), Prefix: new(guild.Prefix)}, at)
	held := g.held(guild.UUID, nil)
	setHeadquarters(chooseHeadquarters(held), held)
	return nil
}

// Headquartered makes a territory the headquarters of the guild that holds it.
type Headquartered struct {
	Territory TerritoryName `json:"territory"`
}

func (e *Headquartered) apply(g *Game) error {
	t := g.territories.now[e.Territory]
	if t.Guild.UUID == nil {
		return conflict("territory", "no guild holds territory %s", t.Name)
	}
	g.lockLand(*t.Guild.UUID)
	setHeadquarters(t, g.held(*t.Guild.UUID, nil))
	return nil
}

// TerritoryFortified sets treasury and defences of a territory.
type TerritoryFortified struct {
	Territory TerritoryName `json:"territory"`
	// Treasury is VERY_LOW, LOW, MEDIUM, HIGH or VERY_HIGH.
	Treasury string `json:"treasury"`
	// Defences is VERY_LOW, LOW, MEDIUM, HIGH or VERY_HIGH.
	Defences string `json:"defences"`
}

func (e *TerritoryFortified) apply(g *Game) error {
	err := cmp.Or(oneOf("treasury", e.Treasury, Strengths), oneOf("defences", e.Defences, Strengths))
	if err != nil {
		return err
	}
	t := g.territories.now[e.Territory]
	t.Treasury, t.Defences = e.Treasury, e.Defences
	return nil
}

// TerritoryProduced adds amounts to the stored resources of a territory. A stored amount stays between 0
// and its limit.
type TerritoryProduced struct {
	Territory TerritoryName `json:"territory"`
	// Made has the amount by type of resource, such as ORE; a negative one was spent.
	Made map[string]int64 `json:"made"`
}

func (e *TerritoryProduced) apply(g *Game) error {
	t, found := g.territories.now[e.Territory], 0
	for _, resource := range t.Resources {
		if _, ok := e.Made[resource.Type]; ok {
			found++
		}
	}
	if found < len(e.Made) {
		return invalid("made", "territory %s does not produce all of these resources", t.Name)
	}
	for _, r := range t.Resources {
		before := r.Stored
		model.Raise(&r.Stored, e.Made[r.Type])
		r.Stored = max(min(r.Stored, max(r.Limit, before)), 0)
	}
	return nil
}

// TerritoryFreed takes a territory from its holder and gives it to no one. Its treasury and defences are
// reset. If it was the headquarters, the guild gets them in the territory that it has held longest.
type TerritoryFreed struct {
	Territory TerritoryName `json:"territory"`
	// At is when the territory fell free.
	At time.Time `json:"at,omitzero"`
}

func (e *TerritoryFreed) apply(g *Game) error {
	if t := g.territories.now[e.Territory]; t.Guild.UUID != nil {
		g.free(t, g.at(e.At))
	}
	return nil
}

func (g *Game) free(t *model.Territory, at time.Time) { g.hand(t, nil, at) }

// hand resets a territory and gives it to a guild, or to no one if nil. If the former holder has other territories, it
// keeps headquarters.
func (g *Game) hand(t *model.Territory, to *model.TerritoryGuild, at time.Time) {
	g.record(at, model.HolderChange(t.Name, t.Guild, to, t.AcquiredAt, at))
	former, wasHQ := t.Guild.UUID, t.Hq
	t.Guild = to
	if to == nil {
		t.Guild = &model.TerritoryGuild{}
	} else {
		g.lockLand(*to.UUID)
		model.Raise(&g.guilds.now[GuildID(*to.UUID)].Captured, 1)
	}
	t.AcquiredAt, t.Hq, t.Treasury, t.Defences = &at, false, Strengths[0], Strengths[0]
	if former == nil {
		return
	}
	g.lockLand(*former)
	if guild := g.guilds.now[GuildID(*former)]; guild != nil {
		guild.Flagged = true
		model.Raise(&guild.Lost, 1)
	}
	if wasHQ {
		left := g.held(*former, t)
		setHeadquarters(chooseHeadquarters(left), left)
	}
}

// lockLand makes concurrent transactions conflict if they change the territories of the same guild.
func (g *Game) lockLand(guild string) { g.lock("land", guild) }

// chooseHeadquarters returns a guild's headquarters, or else its longest-held territory; nil if held is empty.
func chooseHeadquarters(held []*model.Territory) *model.Territory {
	var best *model.Territory
	for _, t := range held {
		switch {
		case t.Hq:
			return t
		case best == nil, t.AcquiredAt != nil && (best.AcquiredAt == nil || t.AcquiredAt.Before(*best.AcquiredAt)):
			best = t
		}
	}
	return best
}

// setHeadquarters makes hq the only headquarters among a guild's territories; nil for none. Their guild.hq is derived,
// not stored.
func setHeadquarters(hq *model.Territory, held []*model.Territory) {
	for _, t := range held {
		t.Hq = t == hq
	}
}
