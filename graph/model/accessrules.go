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
