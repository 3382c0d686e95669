package model

// Guarded is a record as a viewer may see it: it knows which of its player's rules bar him.
// A record as stored says that none does; it may not be answered.
type Guarded interface{ Bars(AccessRule) bool }

var (
	_ Guarded = (*Player)(nil)
	_ Guarded = (*Character)(nil)
	_ Guarded = (*GuildMember)(nil)
)

// Bars reports whether a rule bars the viewer whom the player was made visible for.
func (p *Player) Bars(rule AccessRule) bool { return p.Restrictions.bar(rule) }

// Bars reports whether a rule bars the viewer whom the character was made visible for.
func (c *Character) Bars(rule AccessRule) bool { return c.Restrictions.bar(rule) }

// Bars reports whether a rule bars the viewer whom the member was made visible for.
func (m *GuildMember) Bars(rule AccessRule) bool {
	switch r := m.Restrictions; {
	case r == nil:
		return false
	case rule == AccessRuleWeeklyAccess:
		return r.WeeklyAccess
	default:
		return (&Restrictions{MainAccess: r.MainAccess, OnlineStatus: r.OnlineStatus}).bar(rule)
	}
}

func (r *Restrictions) bar(rule AccessRule) bool {
	if r == nil {
		return false
	}
	switch rule {
	case AccessRuleMainAccess:
		return r.MainAccess
	case AccessRuleCharacterListAccess:
		return r.CharacterListAccess
	case AccessRuleCharacterDataAccess:
		return r.CharacterDataAccess
	case AccessRuleCharacterBuildAccess:
		return r.CharacterBuildAccess
	case AccessRuleOnlineStatus:
		return r.OnlineStatus
	case AccessRuleGuildHistoryAccess:
		return r.GuildHistoryAccess
	}
	return false
}
