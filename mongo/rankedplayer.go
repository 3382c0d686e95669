package mongo

import (
	"context"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
)

// rankedPlayer is a player's record as entries of a leaderboard need it. Of previousRanking, which has a position on
// most boards, one is decoded.
type rankedPlayer struct {
	UUID             string                  `bson:"_id"`
	Username         string                  `bson:"username"`
	Nickname         *string                 `bson:"nickname"`
	Rank             string                  `bson:"rank"`
	RankBadge        *string                 `bson:"rankBadge"`
	LegacyRankColour *model.LegacyRankColour `bson:"legacyRankColour"`
	ShortenedRank    *string                 `bson:"shortenedRank"`
	SupportRank      *string                 `bson:"supportRank"`
	Guild            *model.GuildReference   `bson:"guild"`
	Playtime         *float64                `bson:"playtime"`
	PreviousRanking  bson.RawValue           `bson:"previousRanking"`
	GlobalData       *model.PlayerGlobalData `bson:"globalData"`
	Gambits          []*model.RaidGambits    `bson:"gambits"`
	Rules            model.AccessRules       `bson:"rules"`
	Friends          []string                `bson:"friends"`
	Banned           bool                    `bson:"banned"`
}

// rankedPlayerFields are the fields of all boards.
var rankedPlayerFields = []string{
	"username", "nickname", "rank", "rankBadge", "legacyRankColour", "shortenedRank", "supportRank", "guild", "playtime",
	"previousRanking", "rules", "friends", "banned",
}

// Ranked reads players in the order of their uuids, nil where none has one: what their entries on a board need.
// stats are the further fields that the board shows.
func (s *PlayerStore) Ranked(ctx context.Context, board string, stats, uuids []string) ([]*model.Player, error) {
	fields := slices.Concat(rankedPlayerFields, stats)
	found, err := findInOrder(ctx, s.db.Collection(Players), "_id", uuids, func(p *rankedPlayer) string { return p.UUID },
		options.Find().SetProjection(projection(fields...)))
	return each(found, func(p *rankedPlayer) *model.Player { return p.player(board) }), err
}

func (p *rankedPlayer) player(board string) *model.Player {
	if p == nil {
		return nil
	}
	return &model.Player{
		UUID: p.UUID, Username: p.Username, Nickname: p.Nickname, Rank: p.Rank, RankBadge: p.RankBadge,
		LegacyRankColour: p.LegacyRankColour, ShortenedRank: p.ShortenedRank, SupportRank: p.SupportRank, Guild: p.Guild,
		Playtime: p.Playtime, GlobalData: p.GlobalData, Gambits: p.Gambits, Rules: p.Rules, Friends: p.Friends,
		Banned: p.Banned, PreviousRanking: positionIn(p.PreviousRanking, board),
	}
}

var characterKind = projection("owner", "type", "gamemode")

// Kinds reads the class and the gamemodes of characters in the order of their keys, nil where the player has
// none with the uuid. The records are partial.
func (s *CharacterStore) Kinds(ctx context.Context, keys []CharacterKey) ([]*model.Character, error) {
	return findCharacters(ctx, s.store, keys, characterKey, options.Find().SetProjection(characterKind))
}

// positionIn returns the position on one board in a stored ranking.
func positionIn(ranking bson.RawValue, board string) []*model.RankPosition {
	list, ok := ranking.ArrayOK()
	if !ok {
		return nil
	}
	entries, err := list.Values()
	if err != nil {
		return nil
	}
	for _, e := range entries {
		doc, ok := e.DocumentOK()
		if !ok {
			continue
		}
		if name, ok := doc.Lookup("type").StringValueOK(); !ok || name != board {
			continue
		}
		if n, ok := doc.Lookup("position").AsInt64OK(); ok {
			return []*model.RankPosition{{Type: board, Position: int(n)}}
		}
	}
	return nil
}
