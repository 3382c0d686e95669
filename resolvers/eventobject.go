package resolvers

import (
	"context"

	"gamedata/graph/model"
)

// The resolvers of the objects of events, which name players, characters and guilds by their uuids.

// Territory returns the territory, nil if it does not exist.
func (territoryCapturedResolver) Territory(ctx context.Context, e *model.TerritoryCaptured) (*model.Territory, error) {
	return territoryNamed(ctx, e.Territory)
}

func (playerCameOnlineResolver) Player(ctx context.Context, e *model.PlayerCameOnline) (*model.Player, error) {
	return playerByUUID(ctx, e.Player)
}

func (playerCameOnlineResolver) Guild(ctx context.Context, e *model.PlayerCameOnline) (*model.Guild, error) {
	return guildIfAny(ctx, e.Guild)
}

func (playerWentOfflineResolver) Player(ctx context.Context, e *model.PlayerWentOffline) (*model.Player, error) {
	return playerByUUID(ctx, e.Player)
}

func (playerWentOfflineResolver) Guild(ctx context.Context, e *model.PlayerWentOffline) (*model.Guild, error) {
	return guildIfAny(ctx, e.Guild)
}

func (playerChangedWorldResolver) Player(ctx context.Context, e *model.PlayerChangedWorld) (*model.Player, error) {
	return playerByUUID(ctx, e.Player)
}

func (playerChangedWorldResolver) Guild(ctx context.Context, e *model.PlayerChangedWorld) (*model.Guild, error) {
	return guildIfAny(ctx, e.Guild)
}

func (characterCreatedResolver) Player(ctx context.Context, e *model.CharacterCreated) (*model.Player, error) {
	return playerByUUID(ctx, e.Player)
}

func (characterCreatedResolver) Character(ctx context.Context, e *model.CharacterCreated) (*model.Character, error) {
	return characterByUUID(ctx, e.Character)
}

func (characterLevelChangedResolver) Player(ctx context.Context, e *model.CharacterLevelChanged) (
	*model.Player, error,
) {
	return playerByUUID(ctx, e.Player)
}

func (characterLevelChangedResolver) Character(ctx context.Context, e *model.CharacterLevelChanged) (
	*model.Character, error,
) {
	return characterByUUID(ctx, e.Character)
}

func (characterDiedResolver) Player(ctx context.Context, e *model.CharacterDied) (*model.Player, error) {
	return playerByUUID(ctx, e.Player)
}

func (characterDiedResolver) Character(ctx context.Context, e *model.CharacterDied) (*model.Character, error) {
	return characterByUUID(ctx, e.Character)
}

func (guildCreatedResolver) Guild(ctx context.Context, e *model.GuildCreated) (*model.Guild, error) {
	return guildByUUID(ctx, e.Guild.UUID)
}

func (guildLevelChangedResolver) Guild(ctx context.Context, e *model.GuildLevelChanged) (*model.Guild, error) {
	return guildByUUID(ctx, e.Guild)
}

func (guildMemberJoinedResolver) Guild(ctx context.Context, e *model.GuildMemberJoined) (*model.Guild, error) {
	return guildByUUID(ctx, e.Guild)
}

func (guildMemberJoinedResolver) Player(ctx context.Context, e *model.GuildMemberJoined) (*model.Player, error) {
	return playerByUUID(ctx, e.Player)
}

func (guildMemberLeftResolver) Guild(ctx context.Context, e *model.GuildMemberLeft) (*model.Guild, error) {
	return guildByUUID(ctx, e.Guild)
}

func (guildMemberLeftResolver) Player(ctx context.Context, e *model.GuildMemberLeft) (*model.Player, error) {
	return playerByUUID(ctx, e.Player)
}

func (warFinishedResolver) Guild(ctx context.Context, e *model.WarFinished) (*model.Guild, error) {
	return guildByUUID(ctx, e.Guild)
}

func (warFinishedResolver) Players(ctx context.Context, e *model.WarFinished) ([]*model.Player, error) {
	return knownPlayers(ctx, e.Players)
}

func (raidFinishedResolver) Guild(ctx context.Context, e *model.RaidFinished) (*model.Guild, error) {
	return guildIfAny(ctx, e.Guild)
}

func (raidFinishedResolver) Players(ctx context.Context, e *model.RaidFinished) ([]*model.Player, error) {
	return knownPlayers(ctx, e.Players)
}

func (r seasonStartedResolver) Season(ctx context.Context, e *model.SeasonStarted) (*model.GuildSeason, error) {
	return r.season(ctx, e.Season)
}

func (r seasonEndedResolver) Season(ctx context.Context, e *model.SeasonEnded) (*model.GuildSeason, error) {
	return r.season(ctx, e.Season)
}

func (r leaderboardsRefreshedResolver) Leaderboards(ctx context.Context, e *model.LeaderboardsRefreshed) (
	[]*model.Leaderboard, error,
) {
	catalogue, err := r.catalogue(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]*model.Leaderboard, 0, len(e.Changed))
	for _, name := range e.Changed {
		if b := catalogue.Named(name); b != nil {
			out = append(out, newLeaderboard(b))
		}
	}
	return out, nil
}

func (r articlePublishedResolver) Article(ctx context.Context, e *model.ArticlePublished) (*model.Article, error) {
	return r.article(ctx, e.Article)
}

// guildIfAny returns the guild with a uuid, nil without one.
func guildIfAny(ctx context.Context, uuid *string) (*model.Guild, error) {
	if uuid == nil {
		return nil, nil
	}
	return guildByUUID(ctx, *uuid)
}

// characterByUUID returns a character as the viewer may see it, nil if they may not or there is none.
func characterByUUID(ctx context.Context, uuid string) (*model.Character, error) {
	found, err := charactersByUUID(ctx, []string{uuid})
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

// knownPlayers returns the players of a list who exist, as the viewer may see them.
func knownPlayers(ctx context.Context, uuids []string) ([]*model.Player, error) {
	found, err := playersByUUID(ctx, uuids)
	return only(found, func(p *model.Player) bool { return p != nil }), err
}
