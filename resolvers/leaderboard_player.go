package resolvers

import (
	"context"
	"errors"

	"gamedata/graph/model"
	"gamedata/internal/leaderboard"
	"gamedata/loaders"
	"gamedata/mongo"
)

func entryCharacter(e loaders.BoardEntry) mongo.CharacterKey {
	return mongo.CharacterKey{Owner: e.Key.UUID(), UUID: e.Key.Character()}
}

func entryUUID(e loaders.BoardEntry) string { return e.Key.UUID() }

// playerRows presents players and characters. Names, looks, access rules and metadata come from their current
// records.
func playerRows(ctx context.Context, b *leaderboard.Board, part []loaders.BoardEntry) ([]row, error) {
	part, characters, err := charactersOn(ctx, b, part)
	if err != nil {
		return nil, err
	}
	experience, err := neededExperience(ctx, b, part)
	if err != nil {
		return nil, err
	}
	players, err := loaders.Many(ctx, loaders.From(ctx).PlayerByUUID, each(part, entryUUID))
	if err != nil {
		return nil, err
	}
	relations, err := loadRelations(ctx, players...)
	if err != nil {
		return nil, err
	}
	ranked, err := rankedBefore(ctx, b, part, players)
	if err != nil {
		return nil, err
	}
	out := make([]row, len(part))
	for i, e := range part {
		// Banned players, and players or characters deleted since the refresh, keep their position as a restricted
		// entry, even if the uuid belongs to another one by now.
		record, c := players[i], characters[i]
		missing := record == nil || record.Banned || b.OfCharacters() && c == nil
		if record == nil {
			record = &model.Player{}
		}
		if c == nil {
			c = &model.Character{}
		}
		added := record.AddedAt
		if c.AddedAt.After(added) {
			added = c.AddedAt
		}
		missing = missing || !isOf(b, e, added)
		p := redactPlayer(record, relations.with(record))
		subject := leaderboard.Subject{Player: record, Character: c, Characters: experience[entryUUID(e)]}
		restricted := missing || hiddenOn(b, p)
		out[i] = row{e, playerEntry(b, e, restricted, p, subject, ranked[i]), restricted, hidesDays(p), added}
	}
	return out, nil
}

// charactersOn returns the entries of a board and their characters, nil on boards of players and for deleted
// characters. It skips entries with a malformed character, as the next refresh will.
func charactersOn(ctx context.Context, b *leaderboard.Board, part []loaders.BoardEntry) (
	[]loaders.BoardEntry, []*model.Character, error,
) {
	if !b.OfCharacters() {
		return part, make([]*model.Character, len(part)), nil
	}
	found, errs := loaders.From(ctx).CharacterByKey.LoadMany(ctx, each(part, entryCharacter))()
	if errs == nil {
		return part, found, nil
	}
	entries := make([]loaders.BoardEntry, 0, len(part))
	characters := make([]*model.Character, 0, len(part))
	for i, err := range errs {
		switch {
		case err == nil:
			entries, characters = append(entries, part[i]), append(characters, found[i])
		case !errors.As(err, new(*mongo.MalformedError)):
			return nil, nil, err
		}
	}
	return entries, characters, nil
}

// neededExperience returns the characters of the players whose metadata needs their experience, by player.
func neededExperience(ctx context.Context, b *leaderboard.Board, part []loaders.BoardEntry) (
	map[string][]*model.Character, error,
) {
	needed := only(part, func(e loaders.BoardEntry) bool { return b.NeedsCharacters(e.Key.MetaScore()) })
	found, err := loaders.Many(ctx, loaders.From(ctx).ExperienceByOwner, each(needed, entryUUID))
	out := make(map[string][]*model.Character, len(found))
	for i, characters := range found {
		out[entryUUID(needed[i])] = characters
	}
	return out, err
}

// rankedBefore returns the previous position of each entry, nil for none. If several characters of a player are on a
// board, only the best one gets the player's previous position.
func rankedBefore(ctx context.Context, b *leaderboard.Board, part []loaders.BoardEntry, players []*model.Player) (
	[]*int, error,
) {
	out := make([]*int, len(part))
	var uuids []string
	for i, p := range players {
		if p != nil {
			out[i] = positionOn(b, p.PreviousRanking)
		}
		if out[i] != nil {
			uuids = append(uuids, p.UUID)
		}
	}
	if b.Kind != model.LeaderboardKindGamemode {
		return out, nil
	}
	keys, err := loaders.From(ctx).BoardKeys(ctx, b, uuids)
	if err != nil {
		return nil, err
	}
	best := map[string]leaderboard.Key{}
	for _, k := range keys {
		if known, ok := best[k.UUID()]; !ok || k.Compare(known) < 0 {
			best[k.UUID()] = k
		}
	}
	for i, e := range part {
		if k, ok := best[e.Key.UUID()]; ok && k.Character() != e.Key.Character() {
			out[i] = nil
		}
	}
	return out, nil
}

// playerEntry presents the entry of a subject: p is the player as the viewer may see it. A restricted entry shows
// position and score only, and the class if no rule about characters hides it: more would identify the player.
func playerEntry(b *leaderboard.Board, at loaders.BoardEntry, restricted bool, p *model.Player, s leaderboard.Subject,
	previous *int,
) model.LeaderboardEntry {
	score := at.Key.MetaScore()
	e := model.PlayerEntry{
		Position: at.Position, Score: b.Score(score), MetaScore: score,
		PreviousPosition: previous, Restricted: restricted, Metadata: &model.LeaderboardMetadata{},
		EntryKey: model.EntryKey{Board: b.Name, Position: at.Position},
	}
	e.Movement = gained(at.Position, e.PreviousPosition)
	if restricted {
		e.MetaScore, _ = b.Shown(score)
	} else {
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
	if s.Character.ClassKey != "" && !hidesCharacters(p) {
		c.ClassKey = &s.Character.ClassKey
	}
	if !restricted {
		c.CharacterUUID, c.Character = &s.Character.UUID, redactCharacter(s.Character, p)
		c.EntryKey.Character = s.Character.UUID
	}
	if b.Kind == model.LeaderboardKindGamemode {
		return (*model.GamemodeEntry)(&c)
	}
	return &c
}
