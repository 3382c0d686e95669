package mongo

import (
	"slices"
)

// Names of the collections besides Content. Each has an entry in Collections.
const (
	Players = "players"

	Characters  = "characters"
	Guilds      = "guilds"
	Territories = "territories"

	FormerGuilds = "formerGuilds"

	History = "history"

	LookupNumbers = "lookupNumbers"

	Marks = "marks"

	Boards          = "boards"
	BoardPages      = "boardPages"
	PlayerStandings = "playerStandings"
	GuildStandings  = "guildStandings"

	Accounts     = "accounts"
	Applications = "applications"
	Sessions     = "sessions"
	Webhooks     = "webhooks"
	Competitions = "competitions"

	AccessTokens = "accessTokens"
	AuthCodes    = "authCodes"
	LinkCodes    = "linkCodes"
	Usage        = "usage"
	Leases       = "leases"
	Purges       = "purges"
	Locks        = "locks"
	Deletions    = "deletions"

	FeedTokens = "feedTokens"
	FeedKeys   = "feedKeys"
	Peppers    = "peppers"

	Events = "events"
)

// Collection describes one collection of the store.
type Collection struct {
	Name string
	// Description is a line for the documentation.
	Description string
	// Key is the unique field by which records are replaced; "_id" when empty. Another key gets a unique index.
	Key string
	// Indexes are the indexes besides the indexes of _id and Key.
	Indexes []Index
	// Majority makes every call read majority-committed data from the primary, and write to a majority: for credentials
	// and leases.
	Majority bool
	// Content is read whole and cached by every instance. Each write purges its tag.
	Content bool
	// Sort lists the fields that order content when it is read; the key when empty.
	Sort []string
	// Export says whether and when an export writes the collection.
	Export Export
	// Withheld is a text field that an export leaves empty.
	Withheld string
	// ImportedFrom are the GraphQL root fields whose recorded responses internal/importer stores here.
	ImportedFrom []string
	// Seeded reports whether the demo world has records here.
	Seeded bool
}

// Index is a secondary index.
type Index struct {
	// Fields lists the indexed fields in order; "-" before a field means descending.
	Fields []string
	Unique bool
	// Exists limits the index to records that have this field, True to records in which this field is true; all records
	// are indexed when both are empty. A query uses such an index only if its condition on the field excludes the other
	// records.
	Exists, True string
	// Expires deletes records some time after the time in the field. Readers check that time
	// themselves, since the deletion may be late.
	Expires bool
}

// Export is how an export treats a collection.
type Export int

const (
	// Private collections are not exported.
	Private Export = iota
	// GameData is exported, and an import requires it to be empty.
	GameData
	// Derived data is exported, but a store without game data may have some.
	Derived
	// Leaderboard data is Derived and consistent only while no leaderboard is refreshed.
	Leaderboard
)

// Collections lists all collections of the store; exported ones come first, in the order of an export. Indexes,
// exports, imports and docs/collections.md are derived from this table.
//
// A new collection needs a name above, an entry here, and methods of Store in the file of its family.
// Content has a variable in content.go instead of name and methods, and needs a reader in
// internal/importer, records in internal/demo/seed and an entry in loaders/content.go. Tests in
// those packages fail while one is missing.
var Collections = []Collection{
	{
		Name: Players, Description: "players with their totals, access rules and guild membership",
		Indexes: []Index{
			{Fields: []string{"nameFold", "_id"}},
			{Fields: []string{"lastJoin", "_id"}},
			{Fields: []string{"globalData.totalLevel", "_id"}},
			{Fields: []string{"online", "_id"}, True: "online"},
			{Fields: []string{"guild.uuid", "_id"}, Exists: "guild.uuid"},
			{Fields: []string{"party"}, Exists: "party"},
			{Fields: []string{"address"}, True: "online"},
			{Fields: []string{"flagged", "_id"}, True: "flagged"},
			{Fields: []string{"updatedAt", "_id"}},
		},
		Export: GameData, Withheld: "address", Seeded: true,
		ImportedFrom: []string{"player", "guild"},
	},
	{
		Name: Characters, Description: "characters of players", Indexes: []Index{{Fields: []string{"owner", "_id"}}},
		Export: GameData, Seeded: true,
		ImportedFrom: []string{"player"},
	},
	{
		Name: Guilds, Description: "guilds; their members are players",
		Indexes: []Index{
			{Fields: []string{"nameFold"}, Unique: true},
			{Fields: []string{"prefixFold", "nameFold", "_id"}},
			{Fields: []string{"nameFold", "_id"}},
			{Fields: []string{"name", "_id", "prefix"}},
			{Fields: []string{"flagged", "_id"}, True: "flagged"},
			{Fields: []string{"-level", "_id"}},
			{Fields: []string{"-wars", "-level", "_id"}},
			{Fields: []string{"-wars", "_id"}},
			{Fields: []string{"created", "_id"}},
			{Fields: []string{"updatedAt", "_id"}},
		},
		Export: GameData, Seeded: true, ImportedFrom: []string{"guild"},
	},
	{
		Name: FormerGuilds, Description: "disbanded guilds, for the final standings of ended seasons", Export: GameData,
	},
	{
		Name: Territories, Description: "territories, their holders and resources", Key: "name",
		Export: GameData, Seeded: true, ImportedFrom: []string{"territories"},
	},
	content(Seasons.Name, "", "guild seasons", "guildSeasons"),
	{
		Name: Raids.Name, Description: "raids, from which leaderboards and lists of guild raids follow", Key: "name",
		Sort: []string{"order", "name"}, Indexes: []Index{{Fields: []string{"order", "name"}}}, Content: true,
		Export: GameData, Seeded: true,
	},
	{
		Name: Items.Name, Description: "items", Key: "internalName", Sort: []string{"displayName", "internalName"},
		Indexes: []Index{{Fields: []string{"displayName", "internalName"}}}, Content: true,
		Export: GameData, Seeded: true, ImportedFrom: []string{"items"},
	},
	content(Recipes.Name, "internalName", "crafting recipes", "recipes"),
	content(ItemSets.Name, "name", "item sets", "itemSets"),
	content(AbilityTrees.Name, "tree", "ability trees by class", "abilityTree"),
	{
		Name: AbilityMaps.Name, Description: "ability maps by class, where not derived from the tree", Key: "tree",
		Content: true, Export: GameData, ImportedFrom: []string{"abilityMap"},
	},
	content(Aspects.Name, "tree", "aspects by class", "aspects"),
	content(Classes.Name, "id", "classes", "class"),
	content(LookupNumbers, "", "numbers of the keys of item metadata", "itemMetadata"),
	content(MapMarkers.Name, "", "markers of the map", "mapMarkers"),
	content(GatheringNodes.Name, "", "gathering nodes", "gatheringNodes"),
	content(WorldEvents.Name, "", "world events and their timetables", "worldEvents"),
	content(LootPools.Name, "", "camps and raids with their rewards", "lootPools"),
	content(QuestSummary.Name, "", "the quest summary, one record", "questSummary"),
	content(Discoveries.Name, "", "discoveries"),
	content(Articles.Name, "", "articles and polls", "article"),
	content(Videos.Name, "", "videos", "videos"),
	content(LatestNews.Name, "", "news of the old forum", "latestNews"),
	{
		Name: History, Description: "metrics over time, a month in a record; first entries of leaderboards; boards of gains",
		Indexes: []Index{{Fields: []string{"expires"}, Expires: true}}, Export: Derived, Seeded: true,
	},
	{Name: Marks, Description: "facts about the store, such as how it was seeded", Export: Derived, Seeded: true},
	{
		Name: Events, Description: "the event log, by time",
		Indexes: []Index{
			{Fields: []string{"key"}, Unique: true, Exists: "key"},
			{Fields: []string{"at", "_id"}, Exists: "data.territory"},
			{Fields: []string{"data.territory", "at", "_id"}, Exists: "data.territory"},
			{Fields: []string{"subjects", "at", "_id"}, Exists: "subjects"},
			{Fields: []string{"expires"}, Expires: true},
		},
		Export: Derived, Seeded: true,
	},
	{Name: Boards, Description: "directories of the leaderboards' pages", Export: Leaderboard},
	{Name: BoardPages, Description: "pages of leaderboard entries", Export: Leaderboard},
	{
		Name: PlayerStandings, Description: "leaderboard entries of each player", Export: Leaderboard,
		Indexes: []Index{{Fields: []string{"pending", "_id"}, True: "pending"}},
	},
	{
		Name: GuildStandings, Description: "leaderboard entries of each guild", Export: Leaderboard,
		Indexes: []Index{{Fields: []string{"pending", "_id"}, True: "pending"}},
	},
	{
		Name: Accounts, Majority: true, Description: "accounts with their players and API tokens",
		Indexes: []Index{
			{Fields: []string{"nameFold"}, Unique: true},
			{Fields: []string{"profiles"}, Unique: true, Exists: "profiles.0"},
			{Fields: []string{"tokens.digest"}},
			{Fields: []string{"tokens.expires"}, Exists: "tokens.expires"},
		},
	},
	{
		Name: Applications, Majority: true, Description: "OAuth2 applications",
		Indexes: []Index{
			{Fields: []string{"account"}},
			{Fields: []string{"account", "place"}, Unique: true, Exists: "place"},
		},
	},
	{
		Name: Sessions, Majority: true, Description: "sign-in sessions",
		Indexes: []Index{{Fields: []string{"account", "-created"}}, {Fields: []string{"expires"}, Expires: true}},
	},
	{
		Name: Webhooks, Majority: true, Description: "addresses that receive events, with how far each is",
		Indexes: []Index{{Fields: []string{"account", "place"}, Unique: true}},
	},
	{
		Name: Competitions, Majority: true, Description: "competitions of players, created by accounts", Seeded: true,
		Indexes: []Index{
			{Fields: []string{"account", "place"}, Unique: true},
			{Fields: []string{"players"}},
			{Fields: []string{"guild"}, Exists: "guild"},
		},
	},
	{
		Name: AccessTokens, Majority: true, Description: "OAuth2 access tokens",
		Indexes: []Index{
			{Fields: []string{"account", "app"}},
			{Fields: []string{"app"}},
			{Fields: []string{"expires"}, Expires: true},
		},
	},
	{
		Name: AuthCodes, Majority: true, Description: "OAuth2 authorization codes",
		Indexes: []Index{{Fields: []string{"account", "app"}}, {Fields: []string{"forget"}, Expires: true}},
	},
	{
		Name: LinkCodes, Majority: true, Description: "codes that link a player to an account",
		Indexes: []Index{{Fields: []string{"player"}}, {Fields: []string{"expires"}, Expires: true}},
	},
	{
		Name: Usage, Description: "usage of credentials by day",
		Indexes: []Index{{Fields: []string{"of"}}, {Fields: []string{"forget"}, Expires: true}},
	},
	{Name: Leases, Majority: true, Description: "leases of the jobs"},
	{
		Name: Purges, Description: "cache purges announced to all instances",
		Indexes: []Index{{Fields: []string{"expires"}, Expires: true}},
	},
	{
		Name: Deletions, Description: "players, guilds, items and territories that were deleted, for mirrors",
		Indexes: []Index{{Fields: []string{"at", "_id"}}, {Fields: []string{"expires"}, Expires: true}},
	},
	{
		Name: FeedTokens, Majority: true, Description: "tokens of game servers",
		Indexes: []Index{{Fields: []string{"digest"}, Unique: true}},
	},
	{Name: Peppers, Majority: true, Description: "the hash of the pepper, to notice another one"},
	{
		Name: Locks, Description: "keys by which transactions exclude each other",
		Indexes: []Index{{Fields: []string{"expires"}, Expires: true}},
	},
	{
		Name: FeedKeys, Majority: true, Description: "events of game servers that were decided",
		Indexes: []Index{{Fields: []string{"expires"}, Expires: true}},
	},
}

// content returns the entry of a content collection that the demo world has. Its only index and its
// order are the fields of the key, _id when empty.
func content(name, key, description string, importedFrom ...string) Collection {
	return Collection{
		Name: name, Key: key, Description: description, Content: true, Export: GameData, Seeded: true,
		ImportedFrom: importedFrom,
	}
}

// key returns the field by which a collection's records are replaced.
func (c Collection) key() string {
	if c.Key == "" {
		return "_id"
	}
	return c.Key
}

// sort returns the fields that order content when it is read.
func (c Collection) sort() []string {
	if c.Sort == nil {
		return []string{c.key()}
	}
	return c.Sort
}

func (c Collection) indexes() []Index {
	if c.Key == "" {
		return c.Indexes
	}
	return append([]Index{{Fields: []string{c.Key}, Unique: true}}, c.Indexes...)
}

// describe returns the entry of a collection; the zero Collection when it has none.
func describe(name string) Collection {
	if i := slices.IndexFunc(Collections, func(c Collection) bool { return c.Name == name }); i >= 0 {
		return Collections[i]
	}
	return Collection{}
}
