package seed

import (
	"strconv"
	"time"

	"gamedata/graph/model"
)

// The seasons of a world. Guilds have results from the first to the current one. The one after it is not
// enabled, and the last one is years in the future.
const (
	forgottenSeason = 22
	firstSeason     = 25
	runningSeason   = 28
	disabledSeason  = 29
	plannedSeason   = 30
)

// seasonDates returns when a season starts and ends; the current one has no end yet.
func seasonDates(now time.Time, n int) (start time.Time, end *time.Time) {
	start = now.Truncate(day).Add(18*time.Hour - 44*day - time.Duration(runningSeason-n)*100*day)
	switch n {
	case disabledSeason:
		start = now.Truncate(day).Add(-3 * day)
	case plannedSeason:
		return start.AddDate(50, 0, 0), nil
	case runningSeason:
		return start, nil
	}
	over := start.Add(90 * day)
	return start, &over
}

// Seasons returns the seasons of a world at a time, by number.
func Seasons(now time.Time) []*model.GuildSeason {
	var out []*model.GuildSeason
	for n := firstSeason; n <= plannedSeason; n++ {
		start, end := seasonDates(now, n)
		s := &model.GuildSeason{
			Number: n, TerritoryHoldingSrPerHour: 120, SrPerWar: 40, InitDate: start, EndDate: end,
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
	taken := start.Add(200 * day)
	rating = []*model.SeasonReward{
		reward("SR", 25_000, "EMERALD", 4096, "", nil),
		reward("SR", 60_000, "EFFECT", 0, "lanternTrail", &taken),
		reward("SR", 100_000, "PRIVATE_BANK_SLOT", 1, "", nil),
		reward("SR", 150_000, "GUILD_TOME", 0, "", nil),
		reward("SR", 300_000, "PUBLIC_BANK_SLOT", int64(1+n%3), "", nil),
		reward("SR", 600_000, "STRUCTURE", 0, "tidalBanner", nil),
		reward("SR", 900_000, "EMERALD", 16_384, "", nil),
	}
	for position, metal := range []string{"Gold", "Silver", "Bronze"} {
		name := "season" + strconv.Itoa(n) + metal
		place = append(place, reward("LEADERBOARD_POSITION", int64(position+1), "BADGE", 0, name, &taken))
	}
	return rating, append(place, reward("LEADERBOARD_POSITION", 1, "COSMETIC", 0, "crownOfTides", nil),
		reward("LEADERBOARD_POSITION", 10, "EMERALD", 8192, "", nil))
}

func reward(on string, value int64, kind string, amount int64, name string, expires *time.Time) *model.SeasonReward {
	condition := &model.SeasonRewardCondition{Type: on, Value: value}
	r := &model.SeasonReward{Condition: condition, Type: kind, Expires: expires}
	switch {
	case amount > 0:
		r.Amount = &amount
	case name != "":
		r.Name = &name
	}
	return r
}
