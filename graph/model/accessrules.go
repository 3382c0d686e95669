package model

import (
	"fmt"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
)

// Access is the value of one access rule: who passes it.
type Access string

// The values of a rule. GuildOrFriends is an older spelling of GuildAndFriends that is read and never written.
const (
	Public          Access = "public"
	Friend          Access = "friend"
	GuildOnly       Access = "guild"
	GuildAndFriends Access = "guildandfriends"
	GuildOrFriends  Access = "guildorfriends"
	Private         Access = "private"
)

// AccessValues are the values that a player can set, the most open first.
var AccessValues = []Access{Public, GuildAndFriends, GuildOnly, Friend, Private}

// IsPublic reports whether everybody passes a rule.
func (a Access) IsPublic() bool { return a == Public || a == "" }

// DependsOnRelation reports whether friends or members of the player's guild pass a rule that others do not.
func (a Access) DependsOnRelation() bool {
	switch a {
	case Friend, GuildOnly, GuildAndFriends, GuildOrFriends:
		return true
	}
	return false
}

// Effective returns the value of AccessValues that has the effect of a stored one: an unknown value is private.
func (a Access) Effective() Access {
	switch {
	case a == "":
		return Public
	case a == GuildOrFriends:
		return GuildAndFriends
	case slices.Contains(AccessValues, a):
		return a
	}
	return Private
}

// Within reports whether everyone who passes a rule of this value passes one of another value.
func (a Access) Within(other Access) bool {
	switch other = other.Effective(); a.Effective() {
	case other, Private:
		return true
	case GuildOnly, Friend:
		return other == GuildAndFriends || other == Public
	case GuildAndFriends:
		return other == Public
	}
	return false
}

// AccessRules are the values that a player set, by rule. An empty value is Public. They are
// stored as a document with one string per rule, {"mainAccess": "private", …}.
type AccessRules [NumAccessRules]Access

var (
	_ bson.ValueMarshaler   = AccessRules{}
	_ bson.ValueUnmarshaler = (*AccessRules)(nil)
)

// UniformAccessRules returns rules that all have one value.
func UniformAccessRules(value Access) (rules AccessRules) {
	for rule := range rules {
		rules[rule] = value
	}
	return rules
}

// RulesOf returns the rules that guard a field of a player, by its path in stored records.
func RulesOf(path string) []AccessRule {
	field, _, _ := strings.Cut(path, ".")
	return PlayerGuards[field]
}

// Share reports whether everyone passes the rules that guard a field of a player, by its path in stored records.
func (a AccessRules) Share(path string) bool {
	return !slices.ContainsFunc(RulesOf(path), func(rule AccessRule) bool { return !a[rule].IsPublic() })
}

// Profile returns the rules as the schema shows them: the values in effect.
func (a AccessRules) Profile() *ProfileRules {
	var out ProfileRules
	for rule, value := range a {
		*accessRules[rule].setting(&out) = string(value.Effective())
	}
	return &out
}

// MarshalBSONValue encodes the rules as a document.
func (a AccessRules) MarshalBSONValue() (kind byte, data []byte, err error) {
	at, data := bsoncore.AppendDocumentStart(nil)
	for rule, value := range a {
		data = bsoncore.AppendStringElement(data, accessRules[rule].Key, string(value))
	}
	data, err = bsoncore.AppendDocumentEnd(data, at)
	return byte(bson.TypeEmbeddedDocument), data, err
}

// UnmarshalBSONValue decodes a document of rules. Rules that it lacks are empty, unknown ones are ignored.
func (a *AccessRules) UnmarshalBSONValue(kind byte, data []byte) error {
	*a = AccessRules{}
	switch bson.Type(kind) {
	case bson.TypeNull, bson.TypeUndefined:
		return nil
	case bson.TypeEmbeddedDocument:
	default:
		return fmt.Errorf("access rules: got a %v, want a document", bson.Type(kind))
	}
	elements, err := bson.Raw(data).Elements()
	if err != nil {
		return fmt.Errorf("access rules: %w", err)
	}
	for _, e := range elements {
		rule, ok := accessRuleByKey[e.Key()]
		if !ok || e.Value().Type == bson.TypeNull {
			continue
		}
		value, ok := e.Value().StringValueOK()
		if !ok {
			return fmt.Errorf("access rules: %s is a %v, want a string", e.Key(), e.Value().Type)
		}
		a[rule] = Access(value)
	}
	return nil
}

var accessRuleByKey = func() map[string]AccessRule {
	out := map[string]AccessRule{}
	for rule := range NumAccessRules {
		out[rule.Info().Key] = rule
	}
	return out
}()

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
