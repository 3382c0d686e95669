package feed

import (
	"slices"
	"time"
)

// TerritoryCaptured gives a territory to a guild. Its treasury and defences are reset. A guild without
// headquarters gets them in the territory that it has held longest.
type TerritoryCaptured struct {
	Territory TerritoryName `json:"territory"`
	// Guild is the new holder.
	Guild GuildID `json:"guild"`
	// At is when the territory was captured.
	At time.Time `json:"at,omitzero"`
}

func (e *TerritoryCaptured) apply(b *Batch, r *records) error {
	t, g := r.territories[e.Territory], r.guilds[e.Guild]
	c := Capture{Territory: t, By: g, At: r.at(e.At), Held: r.held(g.UUID, t)}
	if former := t.Guild.UUID; former != nil {
		c.Left = r.held(*former, t)
	}
	b.TerritoryCaptured(c)
	return nil
}

// Headquartered makes a territory the headquarters of the guild that holds it.
type Headquartered struct {
	Territory TerritoryName `json:"territory"`
}

func (e *Headquartered) apply(b *Batch, r *records) error {
	t := r.territories[e.Territory]
	if t.Guild.UUID == nil {
		return conflict("territory", "no guild holds territory %s", t.Name)
	}
	b.Headquartered(t, r.held(*t.Guild.UUID, nil))
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

func (e *TerritoryFortified) apply(b *Batch, r *records) error {
	treasury, defences := slices.Index(strengths, e.Treasury), slices.Index(strengths, e.Defences)
	if treasury < 0 {
		return invalid("treasury", "treasury is %q, want one of %q", e.Treasury, strengths)
	}
	if defences < 0 {
		return invalid("defences", "defences is %q, want one of %q", e.Defences, strengths)
	}
	b.TerritoryFortified(r.territories[e.Territory], Strength(treasury), Strength(defences))
	return nil
}

// TerritoryProduced adds amounts to the stored resources of a territory. A stored amount stays between 0
// and its limit.
type TerritoryProduced struct {
	Territory TerritoryName `json:"territory"`
	// Made has the amount by type of resource, such as ORE; a negative one was spent.
	Made map[string]int64 `json:"made"`
}

func (e *TerritoryProduced) apply(b *Batch, r *records) error {
	t := r.territories[e.Territory]
	made, found := make([]int64, len(t.Resources)), 0
	for i, resource := range t.Resources {
		if n, ok := e.Made[resource.Type]; ok {
			made[i] = n
			found++
		}
	}
	if found < len(e.Made) {
		return invalid("made", "territory %s does not produce all of these resources", t.Name)
	}
	b.TerritoryProduced(t, made)
	return nil
}

// TerritoryFreed takes a territory from its holder and gives it to nobody. Its treasury and defences are
// reset. If it was the headquarters, the guild gets them in the territory that it has held longest.
type TerritoryFreed struct {
	Territory TerritoryName `json:"territory"`
	// At is when the territory fell free.
	At time.Time `json:"at,omitzero"`
}

func (e *TerritoryFreed) apply(b *Batch, r *records) error {
	t := r.territories[e.Territory]
	if t.Guild.UUID == nil {
		return nil // it is free already
	}
	b.TerritoryFreed(t, r.held(*t.Guild.UUID, t), r.at(e.At))
	return nil
}
