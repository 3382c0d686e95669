package resolvers

import (
	"context"
	"strings"

	"gamedata/graph/model"
	"gamedata/internal/leaderboard"
	"gamedata/loaders"
)

// playerEntries presents players and characters. Names, looks, access rules and metadata are those of
// their current records.
func playerEntries(ctx context.Context, b *leaderboard.Board, part *loaders.BoardPart) (
	[]model.LeaderboardEntry, error,
) {
	set := loaders.From(ctx)
	uuids := each(part.Keys, leaderboard.Key.UUID)
	characters := make([]*model.Character, len(uuids))
	experience := make([][]*model.Character, len(uuids))
	var err error
	switch {
	case b.OfCharacters():
		characters, err = loaders.Many(ctx, set.CharacterByUUID, each(part.Keys, leaderboard.Key.Character))
	case b.NeedsCharacters() && len(uuids) > 0:
		experience, err = set.ExperienceByOwner(ctx, uuids)
	}
	if err != nil {
		return nil, err
	}
	players, err := loaders.Many(ctx, set.PlayerByUUID, uuids)
	if err != nil {
		return nil, err
	}
	relations, err := loadRelations(ctx, players...)
	if err != nil {
		return nil, err
	}
	out := make([]model.LeaderboardEntry, len(uuids))
	for i, k := range part.Keys {
		// A player or character deleted since the refresh keeps the position, restricted, and so does a banned player.
		record, c := players[i], characters[i]
		missing := record == nil || record.Banned || b.OfCharacters() && c == nil
		if record == nil {
			record = &model.Player{}
		}
		if c == nil {
			c = &model.Character{}
		}
		p := redactPlayer(record, relations.with(record))
		out[i] = playerEntry(placed{b, part.First + i, k.MetaScore()}, missing || hiddenOn(b, p), p,
			leaderboard.Subject{Player: record, Character: c, Characters: experience[i]})
	}
	return out, nil
}

type placed struct {
	board     *leaderboard.Board
	position  int
	metaScore int64
}

// playerEntry presents the entry of a subject: p is the player as the viewer may see it. A restricted entry shows
// position and score only, and the class if no rule about characters hides it: more would lead to the player.
func playerEntry(at placed, restricted bool, p *model.Player, s leaderboard.Subject) model.LeaderboardEntry {
	b := at.board
	e := model.PlayerEntry{
		Position: at.position, Score: b.Score(at.metaScore), MetaScore: at.metaScore,
		PreviousRanking: positionOn(b, s.Player.PreviousRanking),
		Restricted:      restricted, Rank: &noRank, Metadata: &model.LeaderboardMetadata{},
	}
	e.Movement = gained(at.position, e.PreviousRanking)
	if !restricted {
		e.Name, e.UUID, e.Player, e.Metadata = &p.Username, &p.UUID, p, b.Describe(s, at.position)
		e.Rank, e.SupportRank, e.ShortenedRank = &p.Rank, p.SupportRank, p.ShortenedRank
		e.LegacyRankColour, e.RankBadge = p.LegacyRankColour, p.RankBadge
	}
	if !b.OfCharacters() {
		return &e
	}
	var own ownCharacter
	if s.Character.Type != "" && !hidesCharacters(p) {
		own.class = new(strings.ToLower(s.Character.Type))
	}
	if !restricted {
		own.uuid, own.character = &s.Character.UUID, redactCharacter(s.Character, p.Restrictions)
	}
	if b.Kind == model.LeaderboardKindGamemode {
		return gamemodeEntry(&e, own)
	}
	return characterEntry(&e, own)
}

// noRank is the staff rank of players without one.
var noRank = "Player"

// ownCharacter has the further fields of a character's entry.
type ownCharacter struct {
	uuid      *string
	class     *string
	character *model.Character
}

func characterEntry(e *model.PlayerEntry, own ownCharacter) *model.CharacterEntry {
	return &model.CharacterEntry{
		Position: e.Position, Name: e.Name, UUID: e.UUID, Score: e.Score, MetaScore: e.MetaScore,
		PreviousRanking: e.PreviousRanking, Restricted: e.Restricted, Metadata: e.Metadata,
		Rank: e.Rank, SupportRank: e.SupportRank, ShortenedRank: e.ShortenedRank, LegacyRankColour: e.LegacyRankColour,
		RankBadge: e.RankBadge, Movement: e.Movement, Player: e.Player,
		CharacterUUID: own.uuid, CharacterType: own.class, Character: own.character,
	}
}

func gamemodeEntry(e *model.PlayerEntry, own ownCharacter) *model.GamemodeEntry {
	c := model.GamemodeEntry(*characterEntry(e, own))
	return &c
}
