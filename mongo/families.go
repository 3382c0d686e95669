package mongo

// family is what the families of records have: each is a part of a Store.
type family struct {
	store *Store
	db    database
}

// The families of records.
type (
	// PlayerStore reads and writes players.
	PlayerStore struct{ family }
	// CharacterStore reads and writes characters.
	CharacterStore struct{ family }
	// GuildStore reads and writes guilds, and reads former ones.
	GuildStore struct{ family }
	// TerritoryStore reads and writes territories.
	TerritoryStore struct{ family }
	// CaptureStore reads captures of territories from the event log.
	CaptureStore struct{ family }
	// DeletionStore reads what was deleted.
	DeletionStore struct{ family }
	// EventStore reads and writes the event log.
	EventStore struct{ family }
	// HistoryStore reads and writes metrics over time.
	HistoryStore struct{ family }
	// CensusStore reads what a census counts, and stores its result.
	CensusStore struct{ family }
	// ContentStore reads versions of content, lookup numbers, and content that has a default.
	ContentStore struct{ family }
	// BoardStore reads and writes pages and directories of leaderboards.
	BoardStore struct{ family }
	// StandingStore reads and writes the leaderboard entries of each player and guild.
	StandingStore struct{ family }
	// ScoreStore reads the fields that count on leaderboards, and flags records for the next refresh.
	ScoreStore struct{ family }
	// AccountStore reads and writes accounts.
	AccountStore struct{ family }
	// TokenStore writes API tokens of accounts, and the usage of credentials.
	TokenStore struct{ family }
	// SessionStore reads and writes sign-in sessions.
	SessionStore struct{ family }
	// ApplicationStore reads and writes OAuth2 applications.
	ApplicationStore struct{ family }
	// GrantStore reads and writes OAuth2 authorization codes and access tokens.
	GrantStore struct{ family }
	// WebhookStore reads and writes webhooks.
	WebhookStore struct{ family }
	// CompetitionStore reads and writes competitions.
	CompetitionStore struct{ family }
	// FeedStore reads keys of fed events, and reads and writes tokens of game servers.
	FeedStore struct{ family }
	// LeaseStore takes and extends leases.
	LeaseStore struct{ family }
	// IndexStore compares and builds indexes.
	IndexStore struct{ family }
	// ExportStore reads and writes collections as they are stored.
	ExportStore struct{ family }
)

func (s *Store) addFamilies() {
	f := family{s, s.db}
	s.Players = &PlayerStore{f}
	s.Characters = &CharacterStore{f}
	s.Guilds = &GuildStore{f}
	s.Territories = &TerritoryStore{f}
	s.Captures = &CaptureStore{f}
	s.Deletions = &DeletionStore{f}
	s.Events = &EventStore{f}
	s.History = &HistoryStore{f}
	s.Census = &CensusStore{f}
	s.Content = &ContentStore{f}
	s.Boards = &BoardStore{f}
	s.Standings = &StandingStore{f}
	s.Scores = &ScoreStore{f}
	s.Accounts = &AccountStore{f}
	s.Tokens = &TokenStore{f}
	s.Sessions = &SessionStore{f}
	s.Applications = &ApplicationStore{f}
	s.Grants = &GrantStore{f}
	s.Webhooks = &WebhookStore{f}
	s.Competitions = &CompetitionStore{f}
	s.Feed = &FeedStore{f}
	s.Leases = &LeaseStore{f}
	s.Indexes = &IndexStore{f}
	s.Export = &ExportStore{f}
}
