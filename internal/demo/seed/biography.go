package seed

import (
	"math"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// pastLevels is how many players have characters with a past: each has many events.
const pastLevels = 300

// biography returns what happened to a player.
func biography(o Options, index int, p *model.Player, characters []*model.Character, founded map[string]time.Time,
) (out []mongo.NewEvent) {
	if index >= PastPlayers {
		return nil
	}
	out = append(out, joining(o, p)...)
	out = append(out, formerGuilds(p, founded)...)
	out = append(out, renaming(p)...)
	out = append(out, levelling(o, index, p, characters)...)
	return append(out, visits(o, index, p)...)
}

// quietTime is the time before Now without events of players: who follows the log from then on gets what happens, and
// nothing of the past.
const quietTime = time.Minute

// joining returns how a player became a member of a guild, and got the present rank.
func joining(o Options, p *model.Player) (out []mongo.NewEvent) {
	if p.Guild == nil || p.Membership == nil || p.Guild.Rank == nil {
		return nil
	}
	joined, rank := p.Membership.JoinedAt, *p.Guild.Rank
	first := rank
	if recruit := mongo.GuildRanks[len(mongo.GuildRanks)-1]; rank != mongo.GuildRanks[0] && rank != recruit {
		first = recruit
		out = append(out, mongo.NewEvent{
			At:   joined.Add(o.Now.Sub(joined) / 2).Truncate(time.Millisecond),
			Data: &model.GuildMemberRankChanged{Guild: p.Guild.UUID, Player: p.UUID, From: first, To: rank},
		})
	}
	return append(out, mongo.NewEvent{
		At: joined, Data: &model.GuildMemberJoined{Guild: p.Guild.UUID, Player: p.UUID, Rank: first},
	})
}

// visits returns the events of a player's last visit if it was on the last day: coming and leaving.
func visits(o Options, index int, p *model.Player) []mongo.NewEvent {
	last := o.Now.Add(-quietTime)
	if p.LastJoinedAt == nil || p.LastJoinedAt.Before(o.Now.Add(-day)) || p.LastJoinedAt.After(last) {
		return nil
	}
	r := source(o.Seed, forCapture, uint64(MaxPlayers+index))
	world := p.World
	if world == nil && !p.Online {
		world = new(pick(r, worlds))
	}
	var uuid *string
	if p.Guild != nil {
		uuid = &p.Guild.UUID
	}
	came := &model.PlayerCameOnline{Player: p.UUID, World: world, Guild: uuid}
	out := []mongo.NewEvent{{At: *p.LastJoinedAt, Data: came}}
	if !p.Online {
		end := p.LastJoinedAt.Add(time.Duration(r.Float64() * float64(min(4*time.Hour, last.Sub(*p.LastJoinedAt)))))
		out = append(out, mongo.NewEvent{
			At:   end.Truncate(time.Millisecond),
			Data: &model.PlayerWentOffline{Player: p.UUID, World: world, Guild: uuid},
		})
	}
	return out
}

// formerGuilds returns how a player joined and left the guilds before the present one, one after the other.
func formerGuilds(p *model.Player, founded map[string]time.Time) (out []mongo.NewEvent) {
	if p.FirstJoinedAt == nil || p.LastJoinedAt == nil {
		return nil
	}
	former, end := p.GuildHistory, *p.LastJoinedAt
	if p.Guild != nil && p.Membership != nil {
		end = p.Membership.JoinedAt
		if len(former) > 0 && former[0].UUID == p.Guild.UUID {
			former = former[1:]
		}
	}
	for i, g := range former { // the last one first
		begin := *p.FirstJoinedAt
		if f := founded[g.UUID]; f.After(begin) {
			begin = f
		}
		there := end.Sub(begin) / time.Duration(len(former)-i)
		if there < day {
			continue
		}
		joined := end.Add(-there + there/10).Truncate(time.Millisecond)
		left := end.Add(-there / 10).Truncate(time.Millisecond)
		out = append(out, mongo.NewEvent{At: left, Data: &model.GuildMemberLeft{Guild: g.UUID, Player: p.UUID}},
			mongo.NewEvent{At: joined, Data: &model.GuildMemberJoined{
				Guild: g.UUID, Player: p.UUID, Rank: mongo.GuildRanks[len(mongo.GuildRanks)-1],
			}})
		end = joined
	}
	return out
}

// renaming returns when a player got the present name instead of the one from before.
func renaming(p *model.Player) []mongo.NewEvent {
	if p.LegacyName == nil || p.FirstJoinedAt == nil || p.LastJoinedAt == nil {
		return nil
	}
	at := p.FirstJoinedAt.Add(p.LastJoinedAt.Sub(*p.FirstJoinedAt) / 3 * 2).Truncate(time.Millisecond)
	return []mongo.NewEvent{{At: at, Data: &model.PlayerRenamed{Player: p.UUID, From: *p.LegacyName, To: p.Username}}}
}

// levelling returns how characters got their levels, on the days on which their player played.
func levelling(o Options, index int, p *model.Player, characters []*model.Character) (out []mongo.NewEvent) {
	if index >= pastLevels {
		return nil
	}
	r := source(o.Seed, forCapture, uint64(2*MaxPlayers+index))
	days := playedDays(o, index, p)
	for _, c := range characters {
		before := 0
		for i, d := range days {
			level := max(1, int(math.Round(d.share*float64(c.Level))))
			if i > 0 && level > before {
				at := d.at.Add(time.Duration((18 + 5*r.Float64()) * float64(time.Hour))).Truncate(time.Millisecond)
				if i == len(days)-1 {
					at = earliest(*p.LastJoinedAt, o.Now.Add(-quietTime))
				}
				out = append(out, mongo.NewEvent{At: at, Data: &model.CharacterLevelChanged{
					Player: p.UUID, Character: c.UUID, From: before, To: level,
				}})
			}
			before = level
		}
	}
	return out
}

func earliest(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
