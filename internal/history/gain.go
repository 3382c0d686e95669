package history

import (
	"maps"
	"math"
	"time"

	"gamedata/graph/model"
)

// Gainer is a player or guild that may have gained something.
type Gainer struct {
	UUID string
	Key  string // of the history
	// Since is when the player first joined or the guild was created. All values were 0 then.
	Since *time.Time
	// Joined is when the player joined the guild. Their contribution was 0 then.
	Joined *time.Time
	// Now holds the current values.
	Now map[string]float64
}

// PlayerGainer returns the Gainer for a player.
func PlayerGainer(p *model.Player) Gainer {
	g := Gainer{UUID: p.UUID, Key: p.HistoryKey(), Since: p.FirstJoinedAt, Now: OfPlayer(p)}
	if p.Membership != nil {
		g.Joined = &p.Membership.JoinedAt
	}
	return g
}

// GuildGainer returns the Gainer for a guild, given its numbers of members and territories.
func GuildGainer(g *model.Guild, members, territories int) Gainer {
	return Gainer{UUID: g.UUID, Key: g.HistoryKey(), Since: &g.CreatedAt, Now: OfGuild(g, members, territories)}
}

// Start returns the values at the start of a span, computed from the values recorded before it and the values at its
// end.
func (g Gainer) Start(recorded, end map[string]float64, from, to time.Time) map[string]float64 {
	start := recorded
	if start == nil && g.Since != nil && !g.Since.Before(from) {
		start = make(map[string]float64, len(end))
		for metric := range end {
			start[metric] = 0
		}
	}
	if g.Joined != nil && !g.Joined.Before(from) {
		start = maps.Clone(start)
		delete(start, Contributed)
		if start != nil && g.Joined.Before(to) {
			start[Contributed] = 0
		}
	}
	if before, ok := start[season]; ok && before < end[season] {
		start = maps.Clone(start)
		start[SeasonRating] = 0
	}
	return start
}

// Gained returns the difference of a metric between two times, with two decimals; false if a value is not known.
func Gained(metric string, start, end map[string]float64) (float64, bool) {
	before, began := start[metric]
	now, ended := end[metric]
	return math.Round(100*(now-before)) / 100, began && ended
}
