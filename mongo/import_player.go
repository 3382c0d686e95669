package mongo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
)

// A recorded player says which rules took effect on the recording, not which value its
// owner chose. A rule that took effect becomes private, so that the same body is answered
// again; what it hid stays as the store has it.

func readPlayer(data json.RawMessage, _ map[string]any) (*Import, error) {
	p, err := decode[struct {
		model.Player
		Characters *[]*model.Character `json:"characters"`
	}](data)
	if err != nil {
		return nil, err
	}
	if err := checkPlayer(&p.Player); err != nil {
		return nil, err
	}
	records := 1
	if p.Characters != nil {
		records += len(*p.Characters)
		for _, c := range *p.Characters {
			if err := checkCharacter(c); err != nil {
				return nil, err
			}
		}
	}
	return &Import{Records: records, apply: func(ctx context.Context, s *Store) error {
		if err := s.importPlayer(ctx, &p.Player); err != nil || p.Characters == nil {
			return err
		}
		return s.importCharacters(ctx, p.UUID, *p.Characters)
	}}, nil
}

func checkPlayer(p *model.Player) error {
	uuid, ok := model.ParseUUID(p.UUID)
	if !ok || uuid != p.UUID {
		return errors.New("uuid is not a uuid in lower case with dashes")
	}
	if p.Restrictions == nil {
		return errors.New("restrictions are missing")
	}
	return errors.Join(exact("lastJoin", p.LastJoin), exact("firstJoin", p.FirstJoin))
}

func checkCharacter(c *model.Character) error {
	uuid, ok := model.ParseUUID(c.UUID)
	if !ok || uuid != c.UUID {
		return fmt.Errorf("the key %q of a character is not a uuid in lower case with dashes", c.UUID)
	}
	return nil
}

func (s *Store) importPlayer(ctx context.Context, p *model.Player) error {
	known, err := s.PlayersByUUID(ctx, []string{p.UUID})
	if err != nil {
		return err
	}
	hidden := p.Restrictions
	p.Rules = rulesOf(hidden)
	if old := known[0]; old != nil {
		keepUntold(p, old)
		keepHidden(p, old, hidden)
	}
	p.Flagged = true // so that the leaderboards learn of it
	return s.PutPlayers(ctx, []*model.Player{p})
}

// keepUntold keeps what no body of a player tells.
func keepUntold(p, old *model.Player) {
	p.Address, p.Rules.WeeklyAccess, p.LegacyName, p.Weekly = old.Address, old.Rules.WeeklyAccess, old.LegacyName,
		old.Weekly
	p.Gambits, p.Friends, p.Party, p.Location = old.Gambits, old.Friends, old.Party, old.Location
	if p.Guild != nil && old.Guild != nil && p.Guild.UUID == old.Guild.UUID {
		p.Membership = old.Membership
	}
}

func keepHidden(p, old *model.Player, hidden *model.Restrictions) {
	if hidden.MainAccess {
		p.GlobalData, p.Playtime, p.FirstJoin, p.FeaturedStats = old.GlobalData, old.Playtime, old.FirstJoin,
			old.FeaturedStats
		p.Ranking, p.PreviousRanking = old.Ranking, old.PreviousRanking
	}
	if hidden.OnlineStatus {
		p.Online, p.Server, p.ActiveCharacter = old.Online, old.Server, old.ActiveCharacter
	}
	if hidden.MainAccess || hidden.OnlineStatus {
		p.LastJoin = old.LastJoin
	}
	if hidden.GuildHistoryAccess {
		p.GuildHistory = old.GuildHistory
	}
}

// ruleOf is the value that stands for a rule seen to bar the recorder, or not to.
func ruleOf(barred bool) model.Access {
	if barred {
		return model.Private
	}
	return model.Public
}

func rulesOf(hidden *model.Restrictions) model.AccessRules {
	return model.AccessRules{
		MainAccess: ruleOf(hidden.MainAccess), CharacterListAccess: ruleOf(hidden.CharacterListAccess),
		CharacterDataAccess: ruleOf(hidden.CharacterDataAccess), CharacterBuildAccess: ruleOf(hidden.CharacterBuildAccess),
		OnlineStatus: ruleOf(hidden.OnlineStatus), GuildHistoryAccess: ruleOf(hidden.GuildHistoryAccess),
		WeeklyAccess: model.Public,
	}
}

// importCharacters replaces characters of a player, keeping what a recording lacks: the
// abilities, what else is known of a character, and skill points that were hidden.
func (s *Store) importCharacters(ctx context.Context, owner string, list []*model.Character) error {
	uuids := make([]string, len(list))
	for i, c := range list {
		uuids[i] = c.UUID
	}
	known, err := s.CharactersByUUID(ctx, uuids)
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
		if c.SkillPoints == nil && c.Restrictions != nil && c.Restrictions.CharacterBuildAccess {
			c.SkillPoints = old.SkillPoints
		}
	}
	if err := s.PutCharacters(ctx, list); err != nil {
		return err
	}
	return s.SetFlags(ctx, RankedPlayers, []string{owner})
}

func readCharacter(data json.RawMessage, vars map[string]any) (*Import, error) {
	c, err := decode[model.Character](data)
	if err != nil {
		return nil, err
	}
	owner, character, err := asked(vars)
	if err != nil {
		return nil, err
	}
	c.UUID = character
	return &Import{Records: 1, apply: func(ctx context.Context, s *Store) error {
		return s.importCharacters(ctx, owner, []*model.Character{c})
	}}, nil
}

func readAbilities(data json.RawMessage, vars map[string]any) (*Import, error) {
	pages, err := decode[[]*model.AbilityMapPage](data)
	if err != nil {
		return nil, err
	}
	_, character, err := asked(vars)
	if err != nil {
		return nil, err
	}
	unlocked := []string{}
	for _, page := range *pages {
		for _, e := range page.Elements {
			if e.Meta != nil && e.Meta.ID != nil {
				unlocked = append(unlocked, *e.Meta.ID)
			}
		}
	}
	return &Import{Records: 1, apply: func(ctx context.Context, s *Store) error {
		done, err := s.db.Collection(characters).UpdateOne(ctx, bson.D{{Key: "_id", Value: character}},
			bson.D{{Key: "$set", Value: bson.D{{Key: "unlocked", Value: unlocked}}}})
		if err == nil && done.MatchedCount == 0 {
			err = errors.New("the character is not in the store: import its player first")
		}
		return said(err)
	}}, nil
}

// asked are the player and the character a recording was asked for, both by uuid.
func asked(vars map[string]any) (owner, character string, err error) {
	owner, okOwner := uuidOf(vars["username"])
	character, okCharacter := uuidOf(vars["uuid"])
	if !okOwner || !okCharacter {
		return "", "", errors.New("the body does not say whose character it is: give username and uuid, both uuids")
	}
	return owner, character, nil
}

func uuidOf(v any) (string, bool) {
	s, _ := v.(string)
	return model.ParseUUID(s)
}
