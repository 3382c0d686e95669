package model

// AccessRuleSet is a set of access rules.
type AccessRuleSet uint8

// AllAccessRules contains every rule.
const AllAccessRules AccessRuleSet = 1<<NumAccessRules - 1

// AccessRuleSetOf returns the set of some rules.
func AccessRuleSetOf(rules ...AccessRule) (set AccessRuleSet) {
	for _, rule := range rules {
		set |= 1 << rule
	}
	return set
}

// Has reports whether the set contains a rule.
func (s AccessRuleSet) Has(rule AccessRule) bool { return s&(1<<rule) != 0 }

// Restrictions returns the rules of the set that the schema lists for players and characters.
func (s AccessRuleSet) Restrictions() *Restrictions {
	var out Restrictions
	for rule := range NumAccessRules {
		if at := accessRules[rule].restriction; at != nil {
			*at(&out) = s.Has(rule)
		}
	}
	return &out
}

// MemberRestrictions returns the rules of the set that the schema lists for guild members.
func (s AccessRuleSet) MemberRestrictions() *GuildMemberRestrictions {
	var out GuildMemberRestrictions
	for rule := range NumAccessRules {
		if at := accessRules[rule].memberRestriction; at != nil {
			*at(&out) = s.Has(rule)
		}
	}
	return &out
}

// Get reports whether a rule restricts the viewer. ok is false when the object does not list the rule or is nil.
func (r *Restrictions) Get(rule AccessRule) (restricted, ok bool) {
	return getRule(r, accessRules[rule].restriction)
}

// Get reports whether a rule restricts the viewer. ok is false when the object does not list the rule or is nil.
func (r *GuildMemberRestrictions) Get(rule AccessRule) (restricted, ok bool) {
	return getRule(r, accessRules[rule].memberRestriction)
}

func getRule[T any](object *T, at func(*T) *bool) (restricted, ok bool) {
	if object == nil || at == nil {
		return false, false
	}
	return *at(object), true
}

// Guarded is a record whose fields access rules can hide. Restricted reports whether a rule
// restricts the viewer for whom the record was redacted; no rule does in a record as stored.
type Guarded interface{ Restricted(rule AccessRule) bool }

var (
	_ Guarded = (*Player)(nil)
	_ Guarded = (*Character)(nil)
	_ Guarded = (*GuildMember)(nil)
)

// Restricted reports whether a rule restricts the viewer for whom the player was redacted.
func (p *Player) Restricted(rule AccessRule) bool {
	restricted, _ := p.Restrictions.Get(rule)
	return restricted
}

// Restricted reports whether a rule restricts the viewer for whom the character was redacted.
func (c *Character) Restricted(rule AccessRule) bool {
	restricted, _ := c.Restrictions.Get(rule)
	return restricted
}

// Restricted reports whether a rule restricts the viewer for whom the member was redacted.
func (m *GuildMember) Restricted(rule AccessRule) bool {
	restricted, _ := m.Restrictions.Get(rule)
	return restricted
}
