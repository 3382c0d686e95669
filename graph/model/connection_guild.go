package model

import "time"

type (
	// GuildConnection is a page of guilds.
	GuildConnection = Connection[*Guild]
	// GuildEdge is a guild in a list.
	GuildEdge = Edge[*Guild]
	// GuildMemberConnection is a page of guild members.
	GuildMemberConnection = Connection[*GuildMember]
	// GuildMemberEdge is a guild member in a list.
	GuildMemberEdge = Edge[*GuildMember]
	// TerritoryEdge is a territory in a list.
	TerritoryEdge = Edge[*Territory]
	// GuildSeasonConnection is a page of seasons.
	GuildSeasonConnection = Connection[*GuildSeason]
	// GuildSeasonEdge is a season in a list.
	GuildSeasonEdge = Edge[*GuildSeason]
)

// TerritoryConnection is a page of territories.
type TerritoryConnection struct {
	Connection[*Territory]

	RefreshedAt, ResourcesRefreshedAt time.Time
}
