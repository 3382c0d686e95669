package mongo

import (
	"context"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// Names of the collections, one family a file.
const (
	Players        = "players"
	Characters     = "characters"
	Guilds         = "guilds"
	Territories    = "territories"
	Seasons        = "seasons"
	MapMarkers     = "mapMarkers"
	GatheringNodes = "gatheringNodes"
	WorldEvents    = "worldEvents"
	LootPools      = "lootPools"
	QuestSummary   = "questSummary"
	Discoveries    = "discoveries"
	Articles       = "articles"
	Videos         = "videos"
	LatestNews     = "latestNews"
	Items          = "items"
	Recipes        = "recipes"
	ItemSets       = "sets"
	AbilityTrees   = "abilityTrees"
	AbilityMaps    = "abilityMaps"
	Aspects        = "aspects"
	Classes        = "classes"
	LookupNumbers  = "lookupNumbers"
	Versions       = "versions"
	Marks          = "marks"
	Purges         = "purges"

	Boards          = "boards"
	BoardPages      = "boardPages"
	PlayerStandings = "playerStandings"
	GuildStandings  = "guildStandings"
	Leases          = "leases"

	Accounts     = "accounts"
	Applications = "applications"
	Sessions     = "sessions"
	AccessTokens = "accessTokens"
	AuthCodes    = "authCodes"
	LinkCodes    = "linkCodes"
	Usage        = "usage"
)

// index is a secondary index; a field with "-" before it runs from the highest to the lowest.
type index struct {
	collection string
	fields     []string
	unique     bool
	// having is a field that the records in the index have; empty when all records are in it.
	having string
	// expires has records deleted some time after the moment in the field. Whether one still
	// counts is decided by whoever reads it, to the millisecond.
	expires bool
}

// indexes are all secondary indexes; every query of this package is served by one of
// them or by _id, and a test holds that against the embedded store's counters.
var indexes = []index{
	{collection: Players, fields: []string{"nameFold", "username", "_id"}},
	{collection: Players, fields: []string{"online", "server"}},
	{collection: Players, fields: []string{"address"}},
	{collection: Players, fields: []string{"guild.uuid"}},
	{collection: Players, fields: []string{"party"}},
	{collection: Players, fields: []string{"flagged"}},
	{collection: Characters, fields: []string{"owner"}},
	{collection: Guilds, fields: []string{"nameFold"}, unique: true},
	{collection: Guilds, fields: []string{"prefixFold", "nameFold"}},
	{collection: Guilds, fields: []string{"name", "prefix", "_id"}},
	{collection: Guilds, fields: []string{"flagged"}},
	{collection: Guilds, fields: []string{"-level", "_id"}},
	{collection: Guilds, fields: []string{"-wars", "-level", "_id"}},
	{collection: Territories, fields: []string{"name"}, unique: true},
	{collection: Items, fields: []string{"internalName"}, unique: true},
	{collection: Items, fields: []string{"displayName", "internalName"}},
	{collection: Recipes, fields: []string{"internalName"}, unique: true},
	{collection: ItemSets, fields: []string{"name"}, unique: true},
	{collection: AbilityTrees, fields: []string{"tree"}, unique: true},
	{collection: AbilityMaps, fields: []string{"tree"}, unique: true},
	{collection: Aspects, fields: []string{"tree"}, unique: true},
	{collection: Classes, fields: []string{"id"}, unique: true},
	{collection: PlayerStandings, fields: []string{"pending"}},
	{collection: GuildStandings, fields: []string{"pending"}},
	{collection: Accounts, fields: []string{"nameFold"}, unique: true},
	{collection: Accounts, fields: []string{"profiles"}, unique: true, having: "profiles.0"},
	{collection: Accounts, fields: []string{"tokens.digest"}},
	{collection: Applications, fields: []string{"account"}},
	{collection: Applications, fields: []string{"account", "place"}, unique: true, having: "place"},
	{collection: Sessions, fields: []string{"account"}},
	{collection: Sessions, fields: []string{"expires"}, expires: true},
	{collection: AccessTokens, fields: []string{"account", "app"}},
	{collection: AccessTokens, fields: []string{"app"}},
	{collection: AccessTokens, fields: []string{"expires"}, expires: true},
	{collection: AuthCodes, fields: []string{"account", "app"}},
	{collection: AuthCodes, fields: []string{"forget"}, expires: true},
	{collection: LinkCodes, fields: []string{"expires"}, expires: true},
	{collection: Usage, fields: []string{"of"}},
	{collection: Usage, fields: []string{"forget"}, expires: true},
	{collection: Purges, fields: []string{"expires"}, expires: true},
}

func (s *Store) createIndexes(ctx context.Context) error {
	ctx, cancel := withLongTimeout(ctx)
	defer cancel()
	byCollection := map[string][]driver.IndexModel{}
	for _, ix := range indexes {
		keys := bson.D{}
		for _, f := range ix.fields {
			name, descending := strings.CutPrefix(f, "-")
			direction := 1
			if descending {
				direction = -1
			}
			keys = append(keys, bson.E{Key: name, Value: direction})
		}
		m := driver.IndexModel{Keys: keys, Options: options.Index()}
		if ix.unique {
			m.Options.SetUnique(true)
		}
		if ix.having != "" {
			m.Options.SetPartialFilterExpression(bson.D{{Key: ix.having, Value: bson.D{{Key: "$exists", Value: true}}}})
		}
		if ix.expires {
			m.Options.SetExpireAfterSeconds(0)
		}
		byCollection[ix.collection] = append(byCollection[ix.collection], m)
	}
	for name, models := range byCollection {
		if _, err := s.db.Database.Collection(name).Indexes().CreateMany(ctx, models); err != nil {
			return translateError(err)
		}
	}
	return nil
}
