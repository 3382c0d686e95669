package model

import (
	"fmt"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
)

// Access is the value of one access rule: it defines who passes.
type Access string

// The values of a rule. GuildOrFriends is an older spelling of GuildAndFriends, read but never written.
const (
	Public          Access = "public"
	Friend          Access = "friend"
	GuildOnly       Access = "guild"
	GuildAndFriends Access = "guildandfriends"
	GuildOrFriends  Access = "guildorfriends"
	Private         Access = "private"
)

// AccessValues lists the values that a player can set, the most open first.
var AccessValues = []Access{Public, GuildAndFriends, GuildOnly, Friend, Private}

// IsPublic reports whether everyone passes a rule.
func (a Access) IsPublic() bool { return a == Public || a == "" }

// DependsOnRelation reports whether friends or guild members pass a rule that rejects others.
func (a Access) DependsOnRelation() bool {
	switch a {
	case Friend, GuildOnly, GuildAndFriends, GuildOrFriends:
		return true
	}
	return false
}

// Effective returns the value of AccessValues equivalent to a stored value. An unknown value is private.
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

// Within reports whether everyone who passes a rule with this value also passes with the other value.
func (a Access) Within(other Access) bool {
	other = other.Effective()
	switch a.Effective() {
	case other, Private:
		return true
	case GuildOnly, Friend:
		return other == GuildAndFriends || other == Public
	case GuildAndFriends:
		return other == Public
	}
	return false
}

// AccessRules holds a player's value of each rule. An empty value is Public. It is stored as a document with one string
// per rule, {"mainAccess": "private", …}.
type AccessRules [NumAccessRules]Access

var (
	_ bson.ValueMarshaler   = AccessRules{}
	_ bson.ValueUnmarshaler = (*AccessRules)(nil)
)

// UniformAccessRules returns rules that all have the same value.
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
func (a AccessRules) Profile() []*ProfileRule {
	out := make([]*ProfileRule, len(a))
	for rule, value := range a {
		out[rule] = &ProfileRule{Key: AccessRule(rule), Access: string(value.Effective())}
	}
	return out
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

// UnmarshalBSONValue decodes a document of rules. Missing rules become empty; unknown rules are ignored.
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

// AccessRuleSetOf returns the set of the given rules.
func AccessRuleSetOf(rules ...AccessRule) (set AccessRuleSet) {
	for _, rule := range rules {
		set |= 1 << rule
	}
	return set
}

// Has reports whether the set contains a rule.
func (s AccessRuleSet) Has(rule AccessRule) bool { return s&(1<<rule) != 0 }

// Restriction reports whether an access rule restricts a viewer.
type Restriction struct {
	Key        AccessRule `json:"key"`
	Restricted bool       `json:"restricted"`
}

// Restrictions reports for each given rule whether the set contains it.
func (s AccessRuleSet) Restrictions(rules []AccessRule) []*Restriction {
	out := make([]*Restriction, len(rules))
	for i, rule := range rules {
		out[i] = &Restriction{rule, s.Has(rule)}
	}
	return out
}

// RestrictedBy returns the restricting rules in a list of restrictions, and all rules in the list.
func RestrictedBy(list []*Restriction) (restricted, listed AccessRuleSet) {
	for _, r := range list {
		listed |= AccessRuleSetOf(r.Key)
		if r.Restricted {
			restricted |= AccessRuleSetOf(r.Key)
		}
	}
	return restricted, listed
}

// Redaction records how access rules redacted a record for a viewer.
type Redaction struct {
	// Done reports whether redaction has run: only such a record may be returned.
	Done bool
	// By is the set of rules that restrict the viewer.
	By AccessRuleSet
}

// playerRestrictions maps a set of restricting rules to the restrictions of a player or character.
var playerRestrictions = func() (lists [1 << NumAccessRules][]*Restriction) {
	for set := range lists {
		lists[set] = AccessRuleSet(set).Restrictions(PlayerRules)
	}
	return lists
}()

// restrictions returns the schema's list, which is shared and must not be changed. For a stored record it contains
// null, which the schema does not allow.
func (r Redaction) restrictions() []*Restriction {
	if !r.Done {
		return []*Restriction{nil}
	}
	return playerRestrictions[r.By]
}

// Restrictions returns which rules restrict the viewer. The list may not be changed.
func (p *Player) Restrictions() []*Restriction { return p.Redaction.restrictions() }

// Restrictions returns which rules restrict the viewer. The list may not be changed.
func (c *Character) Restrictions() []*Restriction { return c.Redaction.restrictions() }

// Guarded is a record whose fields access rules can hide. Restricted reports whether a rule restricts the viewer for
// whom the record was redacted. It is false in a stored record.
type Guarded interface{ Restricted(rule AccessRule) bool }

var (
	_ Guarded = (*Player)(nil)
	_ Guarded = (*Character)(nil)
	_ Guarded = (*GuildMember)(nil)
)

// Restricted reports whether a rule restricts the viewer for whom the player was redacted.
func (p *Player) Restricted(rule AccessRule) bool { return p.Redaction.By.Has(rule) }

// Restricted reports whether a rule restricts the viewer for whom the character was redacted.
func (c *Character) Restricted(rule AccessRule) bool { return c.Redaction.By.Has(rule) }

// Restricted reports whether a rule restricts the viewer for whom the member was redacted.
func (m *GuildMember) Restricted(rule AccessRule) bool {
	return slices.ContainsFunc(m.Restrictions, func(r *Restriction) bool { return r.Key == rule && r.Restricted })
}
