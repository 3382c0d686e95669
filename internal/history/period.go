package history

import (
	"slices"
	"time"

	"gamedata/graph/model"
)

const day = 24 * time.Hour

// Span is a day, week, month or season. It consists of whole days. To is zero for a season without a known end.
type Span struct{ From, To time.Time }

// Ended reports whether the span is over.
func (s Span) Ended(now time.Time) bool { return !s.To.IsZero() && !now.Before(s.To) }

var calendar = map[model.Period]struct {
	interval model.HistoryInterval
	longest  int // days
}{
	model.PeriodDay:   {model.HistoryIntervalDay, 1},
	model.PeriodWeek:  {model.HistoryIntervalWeek, 7},
	model.PeriodMonth: {model.HistoryIntervalMonth, 31},
}

// At returns the period that contains a time, or false if no season is running. Only PeriodSeason needs seasons.
func At(p model.Period, at time.Time, seasons []*model.GuildSeason) (Span, bool) {
	if c, ok := calendar[p]; ok {
		from := Start(at, c.interval)
		return Span{from, Start(from.AddDate(0, 0, c.longest), c.interval)}, true
	}
	for _, season := range slices.Backward(seasons) {
		if s := seasonSpan(season); season.Enabled && !at.Before(season.StartsAt) && !s.Ended(at) {
			return s, true
		}
	}
	return Span{}, false
}

// Before returns the last period that ended before a time, or false if no season has ended.
func Before(p model.Period, at time.Time, seasons []*model.GuildSeason) (Span, bool) {
	if c, ok := calendar[p]; ok {
		return At(p, Start(at, c.interval).Add(-1), nil)
	}
	for _, season := range slices.Backward(seasons) {
		if s := seasonSpan(season); season.Enabled && s.Ended(at) {
			return s, true
		}
	}
	return Span{}, false
}

// seasonSpan returns a season rounded outwards to whole days.
func seasonSpan(s *model.GuildSeason) Span {
	out := Span{From: s.StartsAt.UTC().Truncate(day)}
	if s.EndsAt != nil {
		out.To = s.EndsAt.UTC().Add(day - 1).Truncate(day)
	}
	return out
}
