package importer

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// A recorded player shows which access rules took effect, not which value the player chose. A rule that took effect
// becomes private: the service then returns the recorded body again. Fields that it hid keep their stored values.

type recordedPlayer struct {
	model.Player
	Rank struct {
		Label             string
		ShortLabel, Badge *string
		Colours           *model.RankColours
	}
	Restrictions []*model.Restriction
	Characters   *struct {
		Nodes []*recordedCharacter `json:"nodes"`
	} `json:"characters"`
	Character          *recordedCharacter       `json:"character"`
	CharacterAbilities *[]*model.AbilityMapPage `json:"characterAbilities"`
}

type recordedCharacter struct {
	model.Character
	Restrictions []*model.Restriction
	Professions  []model.CharacterProfession
}

// record converts the fields of a recorded character whose form differs from the record's.
func (c *recordedCharacter) record() *model.Character {
	c.Redaction.By, _ = model.RestrictedBy(c.Restrictions)
	c.ProfessionLevels = model.NewProfessions(c.Professions)
	return &c.Character
}

// readPlayer reads a body of a player, or of one of their characters or its abilities.
func readPlayer(p *recordedPlayer, vars variables) (*Import, error) {
	switch {
	case p.Character != nil:
		return readCharacter(p.Character, vars)
	case p.CharacterAbilities != nil:
		return readCharacterAbilities(*p.CharacterAbilities, vars)
	case p.UUID == "" && p.Characters != nil:
		return nil, errors.New("it contains character summaries only; import responses of " +
			"/v3/player/{username}?fullResult, or of /v3/player/{username}/characters/{uuid}")
	case p.Restrictions == nil:
		return nil, errors.New("restrictions are missing")
	}
	var characters []*model.Character
	if p.Characters != nil {
		for _, c := range p.Characters.Nodes {
			characters = append(characters, c.record())
		}
	}
	if err := errors.Join(checkUUID("uuid", p.UUID), mongo.CheckNames(p.Username), exact("lastJoin", p.LastJoinedAt),
		exact("firstJoin", p.FirstJoinedAt)); err != nil {
		return nil, err
	}
	for _, c := range characters {
		if err := checkUUID("key of a character", c.UUID); err != nil {
			return nil, err
		}
	}
	p.Player.Rank, p.ShortenedRank = p.Rank.Label, p.Rank.ShortLabel
	p.RankBadge, p.RankColours = p.Rank.Badge, p.Rank.Colours
	p.Redaction.By, _ = model.RestrictedBy(p.Restrictions)
	i := &Import{Records: 1 + len(characters)}
	i.apply = func(ctx context.Context, store *mongo.Store) (err error) {
		i.Changes, err = importPlayer(ctx, store, &p.Player)
		if err != nil || len(characters) == 0 {
			return err
		}
		return importCharacters(ctx, store, p.UUID, characters)
	}
	return i, nil
}

// importPlayer stores a player and returns the changes to report.
func importPlayer(ctx context.Context, store *mongo.Store, p *model.Player) ([]string, error) {
	known, err := store.Players.ByID(ctx, []string{p.UUID})
	if err != nil {
		return nil, err
	}
	for rule := range model.NumAccessRules {
		p.Rules[rule] = recordedRule(known[0], rule, p.Restricted(rule))
	}
	closed := closedRules(known[0], p)
	if old := known[0]; old != nil {
		copyUnrecorded(p, old)
	}
	p.Flagged = true // for the next refresh of the leaderboards
	if err := store.Players.Import(ctx, []*model.Player{p}); err != nil {
		return closed, err
	}
	var c changes
	c.player(known[0], p)
	return closed, c.record(ctx, store)
}

// copyUnrecorded copies the fields that a player's body does not show: no body contains them, or an access rule hides
// or may hide them.
func copyUnrecorded(p, old *model.Player) {
	recorded := *p
	p.FirstJoinedAt, p.LastJoinedAt, p.Playtime, p.Totals = old.FirstJoinedAt, old.LastJoinedAt, old.Playtime, old.Totals
	keep(&p.FirstJoinedAt, recorded.FirstJoinedAt)
	keep(&p.LastJoinedAt, recorded.LastJoinedAt)
	keep(&p.Playtime, recorded.Playtime)
	keep(&p.Totals, recorded.Totals)
	p.Address, p.LegacyName, p.Gambits = old.Address, old.LegacyName, old.Gambits
	p.Friends, p.Party, p.Location, p.Banned = old.Friends, old.Party, old.Location, old.Banned
	if p.Guild != nil && old.Guild != nil && p.Guild.UUID == old.Guild.UUID {
		p.Membership = old.Membership
	}
	for rule := range model.NumAccessRules {
		recorded := slices.Contains(model.PlayerRules, rule) || p.Restricted(rule)
		if !recorded {
			p.Rules[rule] = old.Rules[rule]
		}
		if p.Restricted(rule) || !recorded {
			rule.CopyPlayer(p, old)
		}
	}
}

// recordedRule returns the value of a rule, given whether it restricted the recording. A stored value stays if it
// agrees with the recording. Every value agrees with an unrestricted recording, which the owner or a friend may have
// made: an import never opens a stored rule.
func recordedRule(stored *model.Player, rule model.AccessRule, restricted bool) model.Access {
	switch {
	case stored != nil && (!restricted || !stored.Rules[rule].IsPublic()):
		return stored.Rules[rule]
	case restricted:
		return model.Private
	}
	return model.Public
}

// closedRules describes the rules of a stored player that the import makes private.
func closedRules(stored, p *model.Player) (changes []string) {
	if stored == nil {
		return nil
	}
	for rule := range model.NumAccessRules {
		if stored.Rules[rule].IsPublic() && p.Rules[rule] == model.Private {
			changes = append(changes,
				fmt.Sprintf("%q (%s): %s was public and is private now", p.Username, p.UUID, rule.Info().Name))
		}
	}
	return changes
}

// importCharacters replaces characters of a player. Values missing from a recording keep their stored values:
// abilities, profession experience, and hidden skill points.
func importCharacters(ctx context.Context, store *mongo.Store, owner string, list []*model.Character) error {
	uuids := make([]string, len(list))
	for i, c := range list {
		uuids[i] = c.UUID
	}
	known, err := store.Characters.ByID(ctx, uuids)
	if err != nil {
		return err
	}
	for i, c := range list {
		c.Owner = owner
		old := known[i]
		if old == nil {
			continue
		}
		c.Unlocked, c.ProfessionXP = old.Unlocked, old.ProfessionXP
		if c.Meta == nil {
			c.Meta = old.Meta
		}
		for rule := range model.NumAccessRules {
			if c.Restricted(rule) {
				rule.CopyCharacter(c, old)
			}
		}
	}
	if err := store.Characters.Import(ctx, list); err != nil {
		return err
	}
	var changed changes
	for i, c := range list {
		changed.character(known[i], c)
	}
	if err := changed.record(ctx, store); err != nil {
		return err
	}
	flagged := []string{owner}
	for _, old := range known {
		if old != nil && old.Owner != owner {
			flagged = append(flagged, old.Owner)
		}
	}
	return store.Scores.Flag(ctx, mongo.RankedPlayers, flagged)
}

func readCharacter(recorded *recordedCharacter, vars variables) (*Import, error) {
	owner, character, err := requestedCharacter(vars)
	if err != nil {
		return nil, err
	}
	c := recorded.record()
	c.UUID = character
	return whole([]*model.Character{c}, func(ctx context.Context, store *mongo.Store, list []*model.Character) error {
		return importCharacters(ctx, store, owner, list)
	}), nil
}

func readCharacterAbilities(pages []*model.AbilityMapPage, vars variables) (*Import, error) {
	owner, character, err := requestedCharacter(vars)
	if err != nil {
		return nil, err
	}
	unlocked := []string{}
	for _, page := range pages {
		for _, e := range page.Elements {
			if e.Meta != nil && e.Meta.AbilityKey != nil {
				unlocked = append(unlocked, *e.Meta.AbilityKey)
			}
		}
	}
	return &Import{Records: 1, apply: func(ctx context.Context, store *mongo.Store) error {
		err := store.Characters.SetUnlockedAbilities(ctx, mongo.CharacterKey{Owner: owner, UUID: character}, unlocked)
		if errors.Is(err, mongo.ErrNotFound) {
			return fmt.Errorf("the character %q is not in the store: import its player first", character)
		}
		return err
	}}, nil
}

// requestedCharacter returns the uuids of the player and the character in the recorded request.
func requestedCharacter(vars variables) (owner, character string, err error) {
	username, _ := vars["username"].(string)
	owner, ownerOK := model.ParseUUID(username)
	uuid, _ := vars["uuid"].(string)
	character, characterOK := model.ParseUUID(uuid)
	if !ownerOK || !characterOK {
		return "", "", errors.New("the body does not name its character: " +
			"give --var username=UUID and --var uuid=UUID, of player and character")
	}
	return owner, character, nil
}
