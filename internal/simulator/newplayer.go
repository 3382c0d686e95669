package simulator

import (
	"strings"

	"gamedata/graph/model"
)

// newcomersPerHour is how many new players join.
const newcomersPerHour = 0.5

var classes = []string{"ARCHER", "WARRIOR", "MAGE", "ASSASSIN", "SHAMAN"}

func (w *World) newPlayer() *player {
	now := w.now
	var none float64
	badge, short := "nextgen/badges/rank_player.svg", "Player"
	record := &model.Player{
		UUID: w.uuid(), Username: w.username(), Rank: "Player", RankBadge: &badge, ShortenedRank: &short,
		LegacyRankColour: &model.LegacyRankColour{Main: "#aaaaaa", Sub: "#ffffff"}, Veteran: new(bool),
		FirstJoin: &now, LastJoin: &now, Playtime: &none, Wallpaper: "default", Avatar: "default",
		GlobalData: &model.PlayerGlobalData{Dungeons: emptyList(), Raids: emptyList(), GuildRaids: nil, Pvp: emptyPvp()},
		Ranking:    []*model.RankPosition{}, PreviousRanking: []*model.RankPosition{},
		FeaturedStats: []*model.FeaturedStat{}, GuildHistory: []*model.GuildHistoryEntry{},
		Weekly: &model.WeeklyProgress{},
	}
	record.Rules = model.UniformAccessRules(model.Public)
	p := &player{uuid: record.UUID, session: &session{Player: record}}
	w.feed.PlayerAdded(record)
	w.addPlayer(p, record)
	w.newcomerCount++
	w.tally[Newcomers]++
	return p
}

func (w *World) newCharacter() *model.Character {
	var hours float64
	c := &model.Character{
		UUID: w.uuid(), Type: pick(w.dice, classes), Level: 1, TotalLevel: 1 + len(professions), Playtime: &hours,
		Gamemode: []string{}, Quests: []string{}, RemovedStat: []string{}, Unlocked: []string{}, Pvp: emptyPvp(),
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

func emptyList() *model.CountList { return &model.CountList{List: []*model.NamedCount{}} }

func emptyPvp() *model.PvpStats { return &model.PvpStats{Kills: new(int64), Deaths: new(int64)} }

var (
	nameOnsets = strings.Fields("Bra Cle Dri Fo Gla Hee Ja Ki Lu Mo Ne Pra Ro Se Tha Ve Wi Yo")
	nameCodas  = strings.Fields("bbin cket dle fern gan lark mble nder pple rrow ssel tter vane wick xter zzle")
)

func (w *World) username() string {
	return pick(w.dice, nameOnsets) + pick(w.dice, nameCodas) + string(rune('0'+w.IntN(10))) + string(rune('0'+w.IntN(10)))
}
