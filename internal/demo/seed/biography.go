package seed

import (
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// Biography returns what the log says of a player before the past begins: how they became a member of their guild, and
// got their present name.
func Biography(p *model.Player) (out []mongo.NewEvent) {
	if p.Guild != nil && p.Membership != nil && p.Guild.Rank != nil {
		out = append(out, mongo.NewEvent{
			At:   p.Membership.JoinedAt,
			Data: &model.GuildMemberJoined{Guild: p.Guild.UUID, Player: p.UUID, Rank: *p.Guild.Rank},
		})
	}
	if p.LegacyName != nil {
		at := p.FirstJoinedAt.Add(p.LastJoinedAt.Sub(*p.FirstJoinedAt) / 3 * 2).Truncate(time.Millisecond)
		out = append(out, mongo.NewEvent{
			At: at, Data: &model.PlayerRenamed{Player: p.UUID, From: *p.LegacyName, To: p.Username},
		})
	}
	return out
}
