package model

import "github.com/99designs/gqlgen/graphql"

// The enums of items and recipes.

var itemTypes = newEnum("ItemType",
	"WEAPON", "ARMOUR", "ACCESSORY", "CHARM", "TOME", "TOOL", "MATERIAL", "INGREDIENT", "OTHER",
)

// MarshalItemType writes the type of an item.
func MarshalItemType(s string) graphql.Marshaler { return itemTypes.Marshal(s) }

// UnmarshalItemType reads the type of an item.
func UnmarshalItemType(v any) (string, error) { return itemTypes.Unmarshal(v) }

var itemSubTypes = newEnum("ItemSubType",
	"BOW", "DAGGER", "RELIK", "SPEAR", "WAND", "HELMET", "CHESTPLATE", "LEGGINGS", "BOOTS", "RING", "BRACELET", "NECKLACE",
	"WEAPON_TOME", "ARMOUR_TOME", "MYSTICISM_TOME", "EXPERTISE_TOME", "LOOTRUN_TOME", "MARATHON_TOME", "GUILD_TOME",
	"AXE", "PICKAXE", "ROD", "SCYTHE", "MINING", "WOODCUTTING", "FARMING", "FISHING", "OTHER",
)

// MarshalItemSubType writes the kind of an item.
func MarshalItemSubType(s string) graphql.Marshaler { return itemSubTypes.Marshal(s) }

// UnmarshalItemSubType reads the kind of an item.
func UnmarshalItemSubType(v any) (string, error) { return itemSubTypes.Unmarshal(v) }

var itemTiers = newEnum("ItemTier",
	"NORMAL", "UNIQUE", "RARE", "SET", "LEGENDARY", "FABLED", "MYTHIC", "TIER_0", "TIER_1", "TIER_2", "TIER_3", "OTHER",
)

// MarshalItemTier writes the rarity of an item.
func MarshalItemTier(s string) graphql.Marshaler { return itemTiers.Marshal(s) }

// UnmarshalItemTier reads the rarity of an item.
func UnmarshalItemTier(v any) (string, error) { return itemTiers.Unmarshal(v) }

var attackSpeeds = newEnum("AttackSpeed",
	"SUPER_SLOW", "VERY_SLOW", "SLOW", "NORMAL", "FAST", "VERY_FAST", "SUPER_FAST",
)

// MarshalAttackSpeed writes the speed of a weapon.
func MarshalAttackSpeed(s string) graphql.Marshaler { return attackSpeeds.Marshal(s) }

// UnmarshalAttackSpeed reads the speed of a weapon.
func UnmarshalAttackSpeed(v any) (string, error) { return attackSpeeds.Unmarshal(v) }

var elements = newEnum("Element", "EARTH", "THUNDER", "WATER", "FIRE", "AIR")

// MarshalElement writes an element.
func MarshalElement(s string) graphql.Marshaler { return elements.Marshal(s) }

// UnmarshalElement reads an element.
func UnmarshalElement(v any) (string, error) { return elements.Unmarshal(v) }

var itemRestrictions = newEnum("ItemRestriction", "NONE", "UNTRADABLE", "QUEST_ITEM")

// MarshalItemRestriction writes who may have an item.
func MarshalItemRestriction(s string) graphql.Marshaler { return itemRestrictions.Marshal(s) }

// UnmarshalItemRestriction reads who may have an item.
func UnmarshalItemRestriction(v any) (string, error) { return itemRestrictions.Unmarshal(v) }

var itemDropRestrictions = newEnum("ItemDropRestriction", "NORMAL", "NEVER", "LOOTCHEST", "DUNGEON")

// MarshalItemDropRestriction writes how an item drops.
func MarshalItemDropRestriction(s string) graphql.Marshaler { return itemDropRestrictions.Marshal(s) }

// UnmarshalItemDropRestriction reads how an item drops.
func UnmarshalItemDropRestriction(v any) (string, error) { return itemDropRestrictions.Unmarshal(v) }

var professions = newEnum("Profession",
	"ALCHEMISM", "ARMOURING", "COOKING", "JEWELING", "SCRIBING", "TAILORING", "WEAPONSMITHING", "WOODWORKING",
	"MINING", "WOODCUTTING", "FARMING", "FISHING",
)

// MarshalProfession writes a profession.
func MarshalProfession(s string) graphql.Marshaler { return professions.Marshal(s) }

// UnmarshalProfession reads a profession.
func UnmarshalProfession(v any) (string, error) { return professions.Unmarshal(v) }

var characterClasses = newEnum("CharacterClass", "ARCHER", "WARRIOR", "MAGE", "ASSASSIN", "SHAMAN")

// MarshalCharacterClass writes a class.
func MarshalCharacterClass(s string) graphql.Marshaler { return characterClasses.Marshal(s) }

// UnmarshalCharacterClass reads a class.
func UnmarshalCharacterClass(v any) (string, error) { return characterClasses.Unmarshal(v) }

var iconFormats = newEnum("IconFormat", "ATTRIBUTE", "SKIN", "LEGACY")

// MarshalIconFormat writes the format of a picture.
func MarshalIconFormat(s string) graphql.Marshaler { return iconFormats.Marshal(s) }

// UnmarshalIconFormat reads the format of a picture.
func UnmarshalIconFormat(v any) (string, error) { return iconFormats.Unmarshal(v) }

var recipeTypes = newEnum("RecipeType",
	"BOOTS", "BOW", "BRACELET", "CHESTPLATE", "DAGGER", "FOOD", "HELMET", "LEGGINGS", "NECKLACE", "POTION", "RELIK",
	"RING", "SCROLL", "SPEAR", "WAND",
)

// MarshalRecipeType writes the kind of a recipe.
func MarshalRecipeType(s string) graphql.Marshaler { return recipeTypes.Marshal(s) }

// UnmarshalRecipeType reads the kind of a recipe.
func UnmarshalRecipeType(v any) (string, error) { return recipeTypes.Unmarshal(v) }

var recipeSpriteKeys = newEnum("RecipeSpriteKey", "DEFAULT", "AIR", "EARTH", "FIRE", "THUNDER", "WATER", "RAINBOW",
	"MAGIC", "MELEE", "RANGED", "DEFENSIVE", "OFFENSIVE", "QUICK", "SLOW", "STEALING")

// MarshalRecipeSpriteKey writes the key of a sprite.
func MarshalRecipeSpriteKey(s string) graphql.Marshaler { return recipeSpriteKeys.Marshal(s) }

// UnmarshalRecipeSpriteKey reads the key of a sprite.
func UnmarshalRecipeSpriteKey(v any) (string, error) { return recipeSpriteKeys.Unmarshal(v) }
