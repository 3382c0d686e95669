package seed

import (
	"strconv"
	"strings"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/demo/content"
)

// The seasons of a world. A season lasts six weeks; the next one starts a week later. One is not enabled, and the last
// one is years in the future.
const (
	firstSeason    = 25
	runningSeason  = 28
	disabledSeason = 29
	plannedSeason  = 30

	seasonTime, seasonBreak = 42 * day, 7 * day

	ratingPerHour, ratingPerWar = 120, 40 // per territory held, and per war won
)

// seasonDates returns when a season starts and ends, relative to now; the future season has no end yet.
func seasonDates(now time.Time, n int) (start time.Time, end *time.Time) {
	today := now.Truncate(day)
	start = today.Add(18*time.Hour - 20*day + time.Duration(n-runningSeason)*(seasonTime+seasonBreak))
	switch n {
	case disabledSeason:
		start = today.Add(-3 * day)
	case plannedSeason:
		return start.AddDate(50, 0, 0), nil
	}
	return start, new(start.Add(seasonTime))
}

// Seasons returns the seasons of a world at a time, by number.
func Seasons(now time.Time) []*model.GuildSeason {
	var out []*model.GuildSeason
	for n := firstSeason; n <= plannedSeason; n++ {
		start, end := seasonDates(now, n)
		s := newSeason(n, start, end)
		s.Enabled = n != disabledSeason
		if n == firstSeason { // had no rewards
			s.RatingRewardList, s.LeaderboardRewardList = []*model.SeasonReward{}, []*model.SeasonReward{}
		}
		out = append(out, s)
	}
	return out
}

func newSeason(n int, start time.Time, end *time.Time) *model.GuildSeason {
	s := &model.GuildSeason{
		Number: n, TerritoryHoldingSrPerHour: ratingPerHour, SrPerWar: ratingPerWar, Enabled: true,
		StartsAt: start, EndsAt: end,
	}
	s.RatingRewardList, s.LeaderboardRewardList = rewards(n, start)
	return s
}

// NextSeason returns the season that follows when all seasons with an end have ended; nil before.
func NextSeason(seasons []*model.GuildSeason, now time.Time) *model.GuildSeason {
	var end time.Time
	number := 0
	for _, s := range seasons {
		number = max(number, s.Number)
		if s.Enabled && s.EndsAt != nil && s.EndsAt.After(end) {
			end = *s.EndsAt
		}
	}
	if end.IsZero() || now.Before(end) {
		return nil
	}
	start := end.Add(seasonBreak)
	if start.Before(now) {
		start = now.Truncate(day).Add(day)
	}
	return newSeason(number+1, start, new(start.Add(seasonTime)))
}

// rewards returns rewards of every type: with a name, with an amount, and with neither.
func rewards(n int, start time.Time) (rating, place []*model.SeasonReward) {
	blanks := strings.NewReplacer("{number}", strconv.Itoa(n), `"{slots}"`, strconv.Itoa(1+n%3),
		"{expires}", start.Add(200*day).Format(time.RFC3339))
	for _, r := range content.Filled("rewards.json", blanks, model.SeasonReward{}) {
		if r.Condition.Type == "SR" {
			rating = append(rating, r)
		} else {
			place = append(place, r)
		}
	}
	return rating, place
}
