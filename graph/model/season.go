package model

import "time"

// RunningSeason returns the season that runs at a time: the latest that is enabled, has started and has not ended; nil
// if there is none.
func RunningSeason(seasons []*GuildSeason, at time.Time) (latest *GuildSeason) {
	for _, s := range seasons {
		ended := s.EndsAt != nil && !at.Before(*s.EndsAt)
		if s.Enabled && !s.StartsAt.After(at) && !ended && (latest == nil || s.Number > latest.Number) {
			latest = s
		}
	}
	return latest
}
