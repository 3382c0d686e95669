package viewer

// The scopes a user can grant an application (WIRE §5.1). Identify is part of every grant;
// the others lift the access rule of the same name on the user's own players. No scope lifts
// the rule for weekly data.
const (
	Identify             = "identify"
	MainAccess           = "main_access"
	CharacterListAccess  = "character_list_access"
	CharacterDataAccess  = "character_data_access"
	CharacterBuildAccess = "character_build_access"
	OnlineStatus         = "online_status"
	GuildHistoryAccess   = "guild_history_access"
)

// AllScopes are all of them, in the order people are shown them.
var AllScopes = []string{
	Identify, MainAccess, CharacterListAccess, CharacterDataAccess, CharacterBuildAccess,
	OnlineStatus, GuildHistoryAccess,
}
