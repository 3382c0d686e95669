package model

import "github.com/99designs/gqlgen/graphql"

// The enums of classes and of the map.

var rarities = newEnum("Rarity", "UNIQUE", "RARE", "LEGENDARY", "FABLED", "MYTHIC")

// MarshalRarity writes how rare something is.
func MarshalRarity(s string) graphql.Marshaler { return rarities.Marshal(s) }

// UnmarshalRarity reads how rare something is.
func UnmarshalRarity(v any) (string, error) { return rarities.Unmarshal(v) }

var mapElementTypes = newEnum("AbilityMapElementType", "ABILITY", "CONNECTOR")

// MarshalAbilityMapElementType writes what is in a cell of a map.
func MarshalAbilityMapElementType(s string) graphql.Marshaler { return mapElementTypes.Marshal(s) }

// UnmarshalAbilityMapElementType reads what is in a cell of a map.
func UnmarshalAbilityMapElementType(v any) (string, error) { return mapElementTypes.Unmarshal(v) }
