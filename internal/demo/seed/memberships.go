package seed

import (
	"time"

	"gamedata/graph/model"
)

// castGuildAges is the age of the cast's guilds by number: less than the two years since their owners joined.
var castGuildAges = [castGuilds]time.Duration{
	mossbound: 650*day + 13*time.Hour + 255*time.Millisecond, lanternRow: 480 * day, tidewatch: 365*day + 90*time.Minute,
	emberforge: 21 * day,
}

const day = 24 * time.Hour

// guildAge returns the age of the nth guild, less than the time since its founder joined.
func guildAge(o Options, now time.Time, n int) time.Duration {
	switch {
	case n < castGuilds:
		return castGuildAges[n]
	case n >= sideGuilds:
		return time.Duration(100+n-sideGuilds) * day
	}
	r := source(o.Seed, forGuildRecord, uint64(n))
	age := float64(newPlan(o, now, founder(n)).age)
	return time.Duration(age * (0.55 + 0.4*r.Float64())).Truncate(time.Millisecond)
}

// setMembership sets a player's membership. It uses random numbers of its own.
func (p *plan) setMembership(out *model.Player) {
	r := source(p.seed, forMembership, uint64(p.index))
	created := p.now.Add(-guildAge(Options{Seed: p.seed}, p.now, p.guild))
	joined := created
	if p.guildRank > 0 {
		if out.FirstJoinedAt.After(joined) {
			joined = *out.FirstJoinedAt
		}
		if there := out.LastJoinedAt.Sub(joined); there > 0 {
			joined = joined.Add(time.Duration(r.Float64() * float64(there)).Truncate(time.Millisecond))
		}
	}
	var given int64
	if !chance(r, 0.1) {
		given = int64(*out.Playtime * 4e6 * r.ExpFloat64())
	}
	out.Membership = &model.Membership{JoinedAt: joined, Contributed: given}
	out.Weekly = &model.WeeklyProgress{Completed: chance(r, 0.4), Streak: int(3 * r.ExpFloat64())}
	if out.Weekly.Completed {
		out.Weekly.Streak++
	}
	if chance(r, 0.03) {
		// Numbers beyond the last player's: no player has these names.
		p.LegacyName = Username(p.seed, MaxPlayers+p.index%(nameSpace-MaxPlayers), r)
	}
	if p.LegacyName != "" {
		out.LegacyName = &p.LegacyName
	}
}
