package resolvers

import (
	"context"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/graph/model"
	"gamedata/internal/leaderboard"
	"gamedata/loaders"
	"gamedata/mongo"
)

func entryCharacter(e loaders.BoardEntry) mongo.CharacterKey {
	return mongo.CharacterKey{Owner: e.Key.UUID(), UUID: e.Key.Character()}
}

// playerEntries presents players and characters. Names, looks, access rules and metadata are those of
// their current records.
func playerEntries(ctx context.Context, b *leaderboard.Board, part []loaders.BoardEntry) (
	[]model.LeaderboardEntry, error,
) {
	set := loaders.From(ctx)
	uuids := each(part, func(e loaders.BoardEntry) string { return e.Key.UUID() })
	characters := make([]*model.Character, len(uuids))
	experience := make([][]*model.Character, len(uuids))
	var err error
	switch {
	case b.OfCharacters():
		characters, err = loaders.Many(ctx, set.CharacterByKey, each(part, entryCharacter))
	default:
		experience, err = neededExperience(ctx, b, part, uuids)
	}
	if err != nil {
		return nil, err
	}
	players, err := entryPlayers(ctx, b, uuids)
	if err != nil {
		return nil, err
	}
	relations, err := loadRelations(ctx, players...)
	if err != nil {
		return nil, err
	}
	out := make([]model.LeaderboardEntry, len(uuids))
	for i, e := range part {
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
		subject := leaderboard.Subject{Player: record, Character: c, Characters: experience[i]}
		out[i] = playerEntry(b, e, missing || hiddenOn(b, p), p, subject)
	}
	return out, nil
}

func neededExperience(ctx context.Context, b *leaderboard.Board, part []loaders.BoardEntry, uuids []string) (
	[][]*model.Character, error,
) {
	out := make([][]*model.Character, len(part))
	var places []int
	var owners []string
	for i, e := range part {
		if b.NeedsCharacters(e.Key.MetaScore()) {
			places, owners = append(places, i), append(owners, uuids[i])
		}
	}
	if len(owners) == 0 {
		return out, nil
	}
	found, err := loaders.From(ctx).ExperienceByOwner(ctx, owners)
	for i, list := range found {
		out[places[i]] = list
	}
	return out, err
}

// entryPlayers loads the players of entries: whole records if more of them is selected than an entry needs.
func entryPlayers(ctx context.Context, b *leaderboard.Board, uuids []string) ([]*model.Player, error) {
	if selectsWholePlayers(graphql.GetFieldContext(ctx).Field.Selections) {
		return loaders.Many(ctx, loaders.From(ctx).PlayerByUUID, uuids)
	}
	return loaders.From(ctx).RankedPlayers(ctx, b, uuids)
}

// rankedFields are the fields of players that loaders.RankedPlayers reads.
var rankedFields = map[string]bool{
	"__typename": true, "id": true, "uuid": true, "username": true, "rank": true, "rankText": true,
	"supportRank": true, "supportRankText": true,
	"shortenedRank": true, "legacyRankColour": true, "rankBadge": true, "nickname": true,
}

func selectsWholePlayers(set ast.SelectionSet) bool {
	return anyField(set, func(f *ast.Field) bool {
		if f.Definition == nil || f.Definition.Type.Name() != "Player" {
			return selectsWholePlayers(f.SelectionSet)
		}
		return anyField(f.SelectionSet, func(of *ast.Field) bool { return !rankedFields[of.Name] })
	})
}

// anyField reports whether a predicate is true for a field of a selection, fragments expanded.
func anyField(set ast.SelectionSet, is func(*ast.Field) bool) bool {
	return slices.ContainsFunc(set, func(selection ast.Selection) bool {
		switch s := selection.(type) {
		case *ast.Field:
			return is(s)
		case *ast.InlineFragment:
			return anyField(s.SelectionSet, is)
		case *ast.FragmentSpread:
			return s.Definition != nil && anyField(s.Definition.SelectionSet, is)
		}
		return false
	})
}

// playerEntry presents the entry of a subject: p is the player as the viewer may see it. A restricted entry shows
// position and score only, and the class if no rule about characters hides it: more would lead to the player.
func playerEntry(b *leaderboard.Board, at loaders.BoardEntry, restricted bool, p *model.Player, s leaderboard.Subject,
) model.LeaderboardEntry {
	score := at.Key.MetaScore()
	e := model.PlayerEntry{
		Position: at.Position, Score: b.Score(score), MetaScore: score,
		PreviousPosition: positionOn(b, s.Player.PreviousRanking),
		Restricted:       restricted, Metadata: &model.LeaderboardMetadata{},
		EntryKey: model.EntryKey{Board: b.Name, Position: at.Position},
	}
	e.Movement = gained(at.Position, e.PreviousPosition)
	if !restricted {
		e.Name, e.UUID, e.Player, e.Metadata = &p.Username, &p.UUID, p, b.Describe(s, score)
		e.EntryKey.UUID = p.UUID
	}
	if !b.OfCharacters() {
		return &e
	}
	c := model.CharacterEntry{
		Position: e.Position, Name: e.Name, UUID: e.UUID, Score: e.Score, MetaScore: e.MetaScore,
		PreviousPosition: e.PreviousPosition, Movement: e.Movement, Restricted: e.Restricted, Metadata: e.Metadata,
		Player: e.Player, EntryKey: e.EntryKey,
	}
	if s.Character.Type != "" && !hidesCharacters(p) {
		c.Class = &s.Character.Type
	}
	if !restricted {
		c.CharacterUUID, c.Character = &s.Character.UUID, redactCharacter(s.Character, p.Restrictions)
		c.EntryKey.Character = s.Character.UUID
	}
	if b.Kind == model.LeaderboardKindGamemode {
		return (*model.GamemodeEntry)(&c)
	}
	return &c
}
