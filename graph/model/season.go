package model

import "time"

// RunningSeason returns the season running at a time, or nil: the latest enabled season that has started and not ended.
func RunningSeason(seasons []*GuildSeason, at time.Time) (latest *GuildSeason) {
	for _, s := range seasons {
		ended := s.EndsAt != nil && !at.Before(*s.EndsAt)
		if s.Enabled && !s.StartsAt.After(at) && !ended && (latest == nil || s.Number > latest.Number) {
			latest = s
		}
	}
	return latest
}
