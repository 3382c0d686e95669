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
	players     = "players"
	characters  = "characters"
	guilds      = "guilds"
	territories = "territories"
	seasons     = "seasons"
	markers     = "mapMarkers"
	nodes       = "gatheringNodes"
	worldEvents = "worldEvents"
	lootPools   = "lootPools"
	quests      = "questSummary"
	discoveries = "discoveries"
	articles    = "articles"
	videos      = "videos"
	news        = "latestNews"
	items       = "items"
	recipes     = "recipes"
	sets        = "sets"
	trees       = "abilityTrees"
	abilityMaps = "abilityMaps"
	aspects     = "aspects"
	classes     = "classes"
	numbers     = "lookupNumbers"
	versions    = "versions"
	marks       = "marks"
	purges      = "purges"

	boards          = "boards"
	boardPages      = "boardPages"
	playerStandings = "playerStandings"
	guildStandings  = "guildStandings"
	leases          = "leases"

	accounts     = "accounts"
	applications = "applications"
	sessions     = "sessions"
	accessTokens = "accessTokens"
	authCodes    = "authCodes"
	linkCodes    = "linkCodes"
	usage        = "usage"
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
	{collection: players, fields: []string{"nameFold", "username", "_id"}},
	{collection: players, fields: []string{"online", "server"}},
	{collection: players, fields: []string{"address"}},
	{collection: players, fields: []string{"guild.uuid"}},
	{collection: players, fields: []string{"party"}},
	{collection: players, fields: []string{"flagged"}},
	{collection: characters, fields: []string{"owner"}},
	{collection: guilds, fields: []string{"nameFold"}, unique: true},
	{collection: guilds, fields: []string{"prefixFold", "nameFold"}},
	{collection: guilds, fields: []string{"name", "prefix", "_id"}},
	{collection: guilds, fields: []string{"flagged"}},
	{collection: guilds, fields: []string{"-level", "_id"}},
	{collection: guilds, fields: []string{"-wars", "-level", "_id"}},
	{collection: territories, fields: []string{"name"}, unique: true},
	{collection: items, fields: []string{"internalName"}, unique: true},
	{collection: items, fields: []string{"displayName", "internalName"}},
	{collection: recipes, fields: []string{"internalName"}, unique: true},
	{collection: sets, fields: []string{"name"}, unique: true},
	{collection: trees, fields: []string{"tree"}, unique: true},
	{collection: abilityMaps, fields: []string{"tree"}, unique: true},
	{collection: aspects, fields: []string{"tree"}, unique: true},
	{collection: classes, fields: []string{"id"}, unique: true},
	{collection: playerStandings, fields: []string{"pending"}},
	{collection: guildStandings, fields: []string{"pending"}},
	{collection: accounts, fields: []string{"nameFold"}, unique: true},
	{collection: accounts, fields: []string{"profiles"}, unique: true, having: "profiles.0"},
	{collection: accounts, fields: []string{"tokens.digest"}},
	{collection: applications, fields: []string{"account"}},
	{collection: applications, fields: []string{"account", "place"}, unique: true, having: "place"},
	{collection: sessions, fields: []string{"account"}},
	{collection: sessions, fields: []string{"expires"}, expires: true},
	{collection: accessTokens, fields: []string{"account", "app"}},
	{collection: accessTokens, fields: []string{"app"}},
	{collection: accessTokens, fields: []string{"expires"}, expires: true},
	{collection: authCodes, fields: []string{"account", "app"}},
	{collection: authCodes, fields: []string{"forget"}, expires: true},
	{collection: linkCodes, fields: []string{"expires"}, expires: true},
	{collection: usage, fields: []string{"of"}},
	{collection: usage, fields: []string{"forget"}, expires: true},
	{collection: purges, fields: []string{"expires"}, expires: true},
}

func (s *Store) createIndexes(ctx context.Context) error {
	ctx, cancel := patient(ctx)
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
			return said(err)
		}
	}
	return nil
}
