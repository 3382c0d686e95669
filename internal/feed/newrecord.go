package feed

import (
	"time"

	"gamedata/graph/model"
)

// NewPlayer returns the record of a player who joins for the first time.
func NewPlayer(uuid, username string, at time.Time) *model.Player {
	p := model.NewPlayer(uuid, username)
	p.RankBadge, p.ShortenedRank = new("nextgen/badges/rank_player.svg"), new("Player")
	p.RankColours, p.Veteran = &model.RankColours{Main: "#aaaaaa", Sub: "#ffffff"}, new(bool)
	p.FirstJoinedAt, p.LastJoinedAt, p.Playtime = &at, &at, new(float64)
	p.Totals = &model.PlayerTotals{Dungeons: emptyList(), Raids: emptyList(), Pvp: zeroPvp()}
	p.Ranking, p.PreviousRanking = []*model.RankPosition{}, []*model.RankPosition{}
	p.Featured, p.GuildHistory = []*model.FeaturedStat{}, []*model.GuildHistoryEntry{}
	p.Weekly = &model.WeeklyProgress{}
	return p
}

// NewCharacter returns the record of a new character of a type such as MAGE.
func NewCharacter(uuid, class string) *model.Character {
	c := &model.Character{
		UUID: uuid, ClassKey: class, Level: 1, TotalLevel: 1 + len(model.ProfessionList), Playtime: new(float64),
		Gamemodes: []string{}, Quests: []string{}, RemovedStats: []string{}, Unlocked: []string{}, Pvp: zeroPvp(),
		SkillPoints: &model.SkillPoints{}, Meta: &model.CharacterMeta{}, Dungeons: emptyList(), Raids: emptyList(),
	}
	for _, counter := range model.CharacterCounters(c) {
		*counter = new(int64)
	}
	p := &model.Professions{}
	for _, at := range []**model.ProfessionProgress{
		&p.Fishing, &p.Woodcutting, &p.Mining, &p.Farming, &p.Scribing, &p.Jeweling,
		&p.Alchemism, &p.Cooking, &p.Weaponsmithing, &p.Tailoring, &p.Woodworking, &p.Armouring,
	} {
		*at = &model.ProfessionProgress{Level: 1}
	}
	c.ProfessionLevels = p
	return c
}

// NewGuild returns the record of a guild that was just founded.
func NewGuild(uuid, name, prefix string, at time.Time) *model.Guild {
	return &model.Guild{
		UUID: uuid, Name: name, Prefix: prefix, Level: 1, Wars: new(int64), CreatedAt: at,
		SeasonResults: []*model.GuildSeasonResult{},
		Ranking:       []*model.RankPosition{}, PreviousRanking: []*model.RankPosition{},
	}
}

func emptyList() *model.CountList { return &model.CountList{List: []*model.NamedCount{}} }

func zeroPvp() *model.PvpStats { return &model.PvpStats{Kills: new(int64), Deaths: new(int64)} }
