package resolvers

import (
	"gamedata/graph/model"
	"gamedata/graph/viewer"
)

// relation is what a viewer is to the owner of a record.
type relation struct{ owner, friend, guildMember bool }

// relationTo says what the viewer is to a player. A guest is nobody to everybody, own
// players included (WIRE §4.8).
func relationTo(_ viewer.Viewer, _ *model.Player) relation { return relation{} }

// passes reports whether a rule lets the viewer through. A rule never set is public; a
// value that is not known lets nobody but the owner through.
func passes(rule model.Access, r relation) bool {
	switch rule {
	case model.Public, "":
		return true
	case model.Friend:
		return r.owner || r.friend
	case model.GuildOnly:
		return r.owner || r.guildMember
	case model.GuildAndFriends, model.GuildOrFriends:
		return r.owner || r.friend || r.guildMember
	}
	return r.owner
}

// restrictionsFor says which rules bar the viewer. It depends on rules and viewer alone,
// not on whether there is something to hide (WIRE §4.8).
func restrictionsFor(rules model.AccessRules, r relation) *model.Restrictions {
	return &model.Restrictions{
		MainAccess:           !passes(rules.MainAccess, r),
		CharacterListAccess:  !passes(rules.CharacterListAccess, r),
		CharacterDataAccess:  !passes(rules.CharacterDataAccess, r),
		CharacterBuildAccess: !passes(rules.CharacterBuildAccess, r),
		OnlineStatus:         !passes(rules.OnlineStatus, r),
		GuildHistoryAccess:   !passes(rules.GuildHistoryAccess, r),
	}
}

// redactPlayer is the player as the viewer may see it: a copy, since records are shared.
func redactPlayer(record *model.Player, r relation) *model.Player {
	if record == nil {
		return nil
	}
	p := *record
	p.Restrictions = restrictionsFor(p.Rules, r)
	p.Rules, p.Address = model.AccessRules{}, ""
	if p.Restrictions.OnlineStatus {
		p.Online, p.LastJoin = false, nil
	}
	if !p.Online {
		p.Server, p.ActiveCharacter = nil, nil
	}
	if p.Restrictions.MainAccess {
		p.GlobalData, p.Playtime, p.FirstJoin, p.LastJoin = nil, nil, nil, nil
		p.FeaturedStats, p.Ranking, p.PreviousRanking = nil, nil, nil
	} else {
		p.FeaturedStats = featuredStats(record)
	}
	if p.Restrictions.GuildHistoryAccess {
		p.GuildHistory = nil
	} else if p.GuildHistory == nil {
		p.GuildHistory = []*model.GuildHistoryEntry{}
	}
	return &p
}

// redactCharacter is a character as a viewer may see it whom the owner's rules restrict
// as given. Only characterBuildAccess guards a part of it; the rules that guard the whole
// are checked before a character is answered at all.
func redactCharacter(record *model.Character, owner *model.Restrictions) *model.Character {
	c := *record
	c.Restrictions = &model.Restrictions{CharacterBuildAccess: owner.CharacterBuildAccess}
	if owner.CharacterBuildAccess {
		c.SkillPoints, c.Unlocked = nil, nil
	}
	if c.Pvp == nil {
		c.Pvp = &model.PvpStats{Kills: new(int64), Deaths: new(int64)}
	}
	if c.Professions == nil {
		c.Professions = &model.Professions{}
	}
	if c.Meta == nil {
		c.Meta = &model.CharacterMeta{}
	}
	return &c
}
