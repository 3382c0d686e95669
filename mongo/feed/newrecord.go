package feed

import (
	"time"

	"gamedata/graph/model"
)

// NewPlayer returns the record of a player who joins for the first time.
func NewPlayer(uuid, username string, at time.Time) *model.Player {
	badge, short := "nextgen/badges/rank_player.svg", "Player"
	return &model.Player{
		UUID: uuid, Username: username, Rank: "Player", RankBadge: &badge, ShortenedRank: &short,
		LegacyRankColour: &model.LegacyRankColour{Main: "#aaaaaa", Sub: "#ffffff"}, Veteran: new(bool),
		FirstJoin: &at, LastJoin: &at, Playtime: new(float64), Wallpaper: "default", Avatar: "default",
		GlobalData: &model.PlayerGlobalData{Dungeons: emptyList(), Raids: emptyList(), Pvp: zeroPvp()},
		Ranking:    []*model.RankPosition{}, PreviousRanking: []*model.RankPosition{},
		Featured: []*model.FeaturedStat{}, GuildHistory: []*model.GuildHistoryEntry{},
		Weekly: &model.WeeklyProgress{}, Rules: model.UniformAccessRules(model.Public),
	}
}

// NewCharacter returns the record of a new character of a type such as MAGE.
func NewCharacter(uuid, class string) *model.Character {
	c := &model.Character{
		UUID: uuid, Type: class, Level: 1, TotalLevel: 1 + len(model.ProfessionList), Playtime: new(float64),
		Gamemode: []string{}, Quests: []string{}, RemovedStat: []string{}, Unlocked: []string{}, Pvp: zeroPvp(),
		SkillPoints: &model.SkillPoints{}, Meta: &model.CharacterMeta{}, Dungeons: emptyList(), Raids: emptyList(),
	}
	for _, counter := range []**int64{
		&c.ContentCompletion, &c.Wars, &c.MobsKilled, &c.ChestsFound, &c.ItemsIdentified, &c.BlocksWalked,
		&c.Logins, &c.Deaths, &c.Discoveries, &c.WorldEvents, &c.Lootruns, &c.Caves,
	} {
		*counter = new(int64)
	}
	p := &model.Professions{}
	for _, at := range []**model.ProfessionProgress{
		&p.Fishing, &p.Woodcutting, &p.Mining, &p.Farming, &p.Scribing, &p.Jeweling,
		&p.Alchemism, &p.Cooking, &p.Weaponsmithing, &p.Tailoring, &p.Woodworking, &p.Armouring,
	} {
		*at = &model.ProfessionProgress{Level: 1}
	}
	c.Professions = p
	return c
}

// NewGuild returns the record of a guild that was just founded.
func NewGuild(uuid, name, prefix string, at time.Time) *model.Guild {
	return &model.Guild{
		UUID: uuid, Name: name, Prefix: prefix, Level: 1, Wars: new(int64), Created: at,
		SeasonResults: []*model.GuildSeasonResult{},
		Ranking:       []*model.RankPosition{}, PreviousRanking: []*model.RankPosition{},
	}
}

func emptyList() *model.CountList { return &model.CountList{List: []*model.NamedCount{}} }

func zeroPvp() *model.PvpStats { return &model.PvpStats{Kills: new(int64), Deaths: new(int64)} }
