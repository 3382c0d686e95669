package seed

import (
	"strconv"
	"strings"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/demo/content"
)

// The seasons of a world. Guilds have results from the first to the current one. The one after it is not
// enabled, and the last one is years in the future. A season is six weeks long; a week later the next one starts.
const (
	forgottenSeason = 22
	firstSeason     = 25
	runningSeason   = 28
	disabledSeason  = 29
	plannedSeason   = 30
)

// seasonDates returns when a season starts and ends, by the present; the one in the future has no end yet.
func seasonDates(now time.Time, n int) (start time.Time, end *time.Time) {
	start = now.Truncate(day).Add(18*time.Hour - 20*day - time.Duration(runningSeason-n)*49*day)
	switch n {
	case disabledSeason:
		start = now.Truncate(day).Add(-3 * day)
	case plannedSeason:
		return start.AddDate(50, 0, 0), nil
	}
	over := start.Add(42 * day)
	return start, &over
}

// end returns the present of the world, which is when its past ends.
func (o Options) end() time.Time {
	if o.present.IsZero() {
		return o.Timestamp()
	}
	return o.present
}

// Seasons returns the seasons of a world at a time, by number.
func Seasons(now time.Time) []*model.GuildSeason {
	var out []*model.GuildSeason
	for n := firstSeason; n <= plannedSeason; n++ {
		start, end := seasonDates(now, n)
		s := &model.GuildSeason{
			Number: n, TerritoryHoldingSrPerHour: 120, SrPerWar: 40, StartsAt: start, EndsAt: end,
			Enabled: n != disabledSeason, RatingRewardList: []*model.SeasonReward{},
			LeaderboardRewardList: []*model.SeasonReward{},
		}
		if n > firstSeason { // the oldest had no rewards
			s.RatingRewardList, s.LeaderboardRewardList = rewards(n, start)
		}
		out = append(out, s)
	}
	return out
}

// rewards covers every type: named things, amounts, and those with neither.
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
