package seed

import (
	"strconv"
	"time"

	"gamedata/graph/model"
)

// The seasons of a world. Guilds have results in those from the first to the one that runs;
// the one behind it is not enabled, the last is not begun for many years.
const (
	forgottenSeason = 22
	firstSeason     = 25
	runningSeason   = 28
	disabledSeason  = 29
	plannedSeason   = 30
)

// seasonDates say when a season begins and ends; the running one has no end yet.
func seasonDates(now time.Time, n int) (begin time.Time, end *time.Time) {
	begin = now.Truncate(day).Add(18*time.Hour - 44*day - time.Duration(runningSeason-n)*100*day)
	switch {
	case n == disabledSeason:
		begin = now.Truncate(day).Add(-3 * day)
	case n == plannedSeason:
		return begin.AddDate(50, 0, 0), nil
	case n == runningSeason:
		return begin, nil
	}
	over := begin.Add(90 * day)
	return begin, &over
}

// Seasons are those of a world that stands at a moment, by number.
func Seasons(now time.Time) []*model.GuildSeason {
	var out []*model.GuildSeason
	for n := firstSeason; n <= plannedSeason; n++ {
		begin, end := seasonDates(now, n)
		s := &model.GuildSeason{
			Number: n, TerritoryHoldingSrPerHour: 120, SrPerWar: 40, InitDate: begin, EndDate: end,
			Enabled:       n != disabledSeason,
			RatingRewards: []*model.SeasonReward{}, LeaderboardRewards: []*model.SeasonReward{},
		}
		if n > firstSeason { // the oldest gave nothing
			s.RatingRewards, s.LeaderboardRewards = rewards(n, begin)
		}
		out = append(out, s)
	}
	return out
}

// rewards of a season show every type: things by name, amounts, and those that are neither
// (WIRE §6.6).
func rewards(n int, begin time.Time) (rating, place []*model.SeasonReward) {
	taken := begin.Add(200 * day)
	for _, r := range []struct {
		sr     int64
		kind   string
		amount int64
		name   string
		back   *time.Time
	}{
		{25_000, "EMERALD", 4096, "", nil},
		{60_000, "EFFECT", 0, "lanternTrail", &taken},
		{100_000, "PRIVATE_BANK_SLOT", 1, "", nil},
		{150_000, "GUILD_TOME", 0, "", nil},
		{300_000, "PUBLIC_BANK_SLOT", int64(1 + n%3), "", nil},
		{600_000, "STRUCTURE", 0, "tidalBanner", nil},
		{900_000, "EMERALD", 16_384, "", nil},
	} {
		rating = append(rating, reward("SR", r.sr, r.kind, r.amount, r.name, r.back))
	}
	for position, name := range []string{"Gold", "Silver", "Bronze"} {
		place = append(place, reward("LEADERBOARD_POSITION", int64(position+1), "BADGE", 0, "season"+strconv.Itoa(n)+name,
			&taken))
	}
	return rating, append(place, reward("LEADERBOARD_POSITION", 1, "COSMETIC", 0, "crownOfTides", nil),
		reward("LEADERBOARD_POSITION", 10, "EMERALD", 8192, "", nil))
}

func reward(condition string, value int64, kind string, amount int64, name string,
	expires *time.Time,
) *model.SeasonReward {
	r := &model.SeasonReward{
		Condition: &model.SeasonRewardCondition{Type: condition, Value: value}, Type: kind,
		Expires: expires,
	}
	switch {
	case amount > 0:
		r.Amount = &amount
	case name != "":
		r.Name = &name
	}
	return r
}
