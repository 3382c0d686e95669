package resolvers

import "gamedata/graph/model"

// rules is a set of access rules (WIRE §4.8).
type rules uint8

const (
	mainAccess rules = 1 << iota
	characterListAccess
	characterDataAccess
	characterBuildAccess
	onlineStatus
	guildHistoryAccess
	weeklyAccess

	allRules rules = 1<<iota - 1
)

// everyRule are the rules one by one.
var everyRule = []rules{
	mainAccess, characterListAccess, characterDataAccess, characterBuildAccess, onlineStatus,
	guildHistoryAccess, weeklyAccess,
}

// valueOf is what a player set for one rule.
func valueOf(set model.AccessRules, one rules) model.Access {
	switch one {
	case mainAccess:
		return set.MainAccess
	case characterListAccess:
		return set.CharacterListAccess
	case characterDataAccess:
		return set.CharacterDataAccess
	case characterBuildAccess:
		return set.CharacterBuildAccess
	case onlineStatus:
		return set.OnlineStatus
	case guildHistoryAccess:
		return set.GuildHistoryAccess
	case weeklyAccess:
		return set.WeeklyAccess
	}
	return model.Private
}

// passes reports whether one rule of a player lets a viewer through who is to the player what
// is told. A rule never set is public; a value that is not known lets nobody but the owner
// through.
func passes(set model.AccessRules, one rules, r relation) bool {
	owner := r.owner&one != 0
	switch valueOf(set, one) {
	case model.Public, "":
		return true
	case model.Friend:
		return owner || r.friend
	case model.GuildOnly:
		return owner || r.guildMember
	case model.GuildAndFriends, model.GuildOrFriends:
		return owner || r.friend || r.guildMember
	}
	return owner
}

// restrictionsFor says which rules bar the viewer. It depends on rules and viewer alone,
// not on whether there is something to hide (WIRE §4.8).
func restrictionsFor(set model.AccessRules, r relation) *model.Restrictions {
	return &model.Restrictions{
		MainAccess:           !passes(set, mainAccess, r),
		CharacterListAccess:  !passes(set, characterListAccess, r),
		CharacterDataAccess:  !passes(set, characterDataAccess, r),
		CharacterBuildAccess: !passes(set, characterBuildAccess, r),
		OnlineStatus:         !passes(set, onlineStatus, r),
		GuildHistoryAccess:   !passes(set, guildHistoryAccess, r),
	}
}

// redactPlayer is the player as the viewer may see it: a copy, since records are shared.
func redactPlayer(record *model.Player, r relation) *model.Player {
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
