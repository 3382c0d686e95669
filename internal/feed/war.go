package feed

import (
	"slices"
	"time"

	"gamedata/graph/model"
)

// WarWon counts a war for a guild and its fighters.
type WarWon struct {
	Guild GuildID `json:"guild"`
	// Fighters are the characters that took part.
	Fighters []CharacterID `json:"fighters"`
}

func (e *WarWon) apply(g *Game) error {
	guild := g.guilds.now[e.Guild]
	event := &model.WarFinished{Guild: guild.UUID, Players: []string{}}
	for i, id := range e.Fighters {
		if slices.Contains(e.Fighters[:i], id) {
			return invalid("fighters", "character %s is listed twice", id)
		}
	}
	model.Add(&guild.Wars, 1)
	guild.Flagged = true
	for _, id := range e.Fighters {
		c := g.characters.now[id]
		p := g.owner(c)
		event.Players = append(event.Players, p.UUID)
		model.Add(&c.Wars, 1)
		if p.Totals != nil {
			model.Raise(&p.Totals.Wars, 1)
		}
	}
	g.record(time.Time{}, event)
	return nil
}

// SeasonRated adds season rating to a guild.
type SeasonRated struct {
	Guild GuildID `json:"guild"`
	// Season is the number of a season that has not ended.
	Season int `json:"season"`
	// Rating is the rating gained.
	Rating int64 `json:"rating"`
	// Territories is the number of territories that the guild holds. The last one is final when the season
	// ends.
	Territories int `json:"territories"`
	// At is when the rating was gained: from the beginning of the season to its end.
	At time.Time `json:"at,omitzero"`
}

func (e *SeasonRated) needs(n *needs) { n.seasons = true }

func (e *SeasonRated) apply(g *Game) error {
	s, at := g.seasons[e.Season], g.at(e.At)
	switch {
	case s == nil:
		return &Error{Unknown, "season", "there is no such season"}
	case g.now.Before(s.StartsAt):
		return conflict("season", "season %d has not begun", s.Number)
	case at.Before(s.StartsAt), s.EndsAt != nil && !at.Before(*s.EndsAt):
		return conflict("at", "season %d is not running at %s", s.Number, at.Format(time.RFC3339))
	case s.EndsAt != nil && !g.now.Before(*s.EndsAt):
		return conflict("season", "season %d has ended", s.Number)
	}
	result := resultOf(g.guilds.now[e.Guild], e.Season)
	model.Raise(&result.Rating, e.Rating)
	result.FinalTerritories = e.Territories
	return nil
}

// resultOf returns the result of a guild in a season, a new one if it has none.
func resultOf(guild *model.Guild, season int) *model.GuildSeasonResult {
	for _, r := range guild.SeasonResults {
		if r.SeasonNumber == season {
			return r
		}
	}
	r := &model.GuildSeasonResult{SeasonNumber: season}
	guild.SeasonResults = append(guild.SeasonResults, r)
	return r
}
