package mongo

import (
	"context"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
	"gamedata/mongo/conn"
)

// PlayerStore reads and writes players.
type PlayerStore struct{ gameTable[model.Player] }

// accessFields are the fields of a player that access rules need, and the time at which the player was added.
var accessFields = projection("rules", "friends", "guild.uuid", addedField)

// Access reads players by uuid with only the fields that access rules need: rules, friends and guild. Unknown players
// are missing. It reads from the primary, so that a changed rule applies at once.
func (s *PlayerStore) Access(ctx context.Context, uuids []string) (map[string]*model.Player, error) {
	if len(uuids) == 0 {
		return nil, nil
	}
	found, err := find[model.Player](conn.FromPrimary(ctx), s.db.Collection(Players), withID(in(uuids)),
		options.Find().SetProjection(accessFields))
	out := make(map[string]*model.Player, len(found))
	for _, p := range found {
		out[p.UUID] = p
	}
	return out, err
}

// ByName reads the players of each name, case ignored. Several players may share a name; they are ordered by name and
// uuid.
func (s *PlayerStore) ByName(ctx context.Context, names []string) ([][]*model.Player, error) {
	found, err := findGrouped(ctx, s.db.Collection(Players), "nameFold", foldAll(names),
		func(p *model.Player) string { return p.NameFold })
	for _, players := range found {
		slices.SortFunc(players, compareNames)
	}
	return found, err
}

// ByGuild reads the members of each guild by uuid: the players whose record names the guild.
func (s *PlayerStore) ByGuild(ctx context.Context, uuids []string) ([][]*model.Player, error) {
	return s.grouped(ctx, bson.D{{Key: "guild.uuid", Value: in(uuids)}}, uuids,
		func(p *model.Player) string { return p.Guild.UUID })
}

// ByParty reads the members of each party by uuid.
func (s *PlayerStore) ByParty(ctx context.Context, parties []string) ([][]*model.Player, error) {
	return s.grouped(ctx, bson.D{{Key: "party", Value: in(parties)}}, parties,
		func(p *model.Player) string { return p.Party })
}

// OnlineByAddress reads the online players who joined from each address, by uuid.
func (s *PlayerStore) OnlineByAddress(ctx context.Context, addresses []string) ([][]*model.Player, error) {
	return s.grouped(ctx, bson.D{{Key: "address", Value: in(addresses)}, {Key: "online", Value: true}},
		addresses, func(p *model.Player) string { return p.Address })
}

// grouped groups the players that match a filter by value, each group ordered by uuid. It leaves malformed players out.
func (s *PlayerStore) grouped(ctx context.Context, filter bson.D, values []string, of func(*model.Player) string) (
	[][]*model.Player, error,
) {
	found, err := find[model.Player](ctx, s.db.Collection(Players), filter)
	slices.SortFunc(found, func(a, b *model.Player) int { return strings.Compare(a.UUID, b.UUID) })
	return groupedByKey(values, found, of), err
}

// EstimateCount returns the approximate number of players.
func (s *PlayerStore) EstimateCount(ctx context.Context) (int64, error) {
	return s.db.Collection(Players).EstimatedCount(ctx)
}

// SetAccessRules sets some access rules of a player and records the event. ErrNotFound when there is no such player.
func (s *PlayerStore) SetAccessRules(ctx context.Context, player string,
	values map[model.AccessRule]model.Access,
) error {
	event := &model.AccessRulesChanged{Player: player}
	for rule := range model.NumAccessRules {
		if _, ok := values[rule]; ok {
			event.Rules = append(event.Rules, rule.Info().Key)
		}
	}
	if len(values) == 0 {
		return nil
	}
	return s.Edit(ctx, player, func(p *model.Player) error {
		for rule, value := range values {
			p.Rules[rule] = value
		}
		return nil
	}, Record(NewEvent{Data: event}))
}

func playerUUID(p *model.Player) string { return p.UUID }

// CharacterKey names a character of a player.
type CharacterKey struct{ Owner, UUID string }

// CharacterStore reads and writes characters.
type CharacterStore struct{ gameTable[model.Character] }

// ByKey reads characters in the order of their keys; nil where the player has no such character.
func (s *CharacterStore) ByKey(ctx context.Context, keys []CharacterKey) ([]*model.Character, error) {
	return s.byKey(ctx, keys)
}

// Kinds reads the class and the gamemodes of characters in the order of their keys; nil where the player has no such
// character. The records are partial.
func (s *CharacterStore) Kinds(ctx context.Context, keys []CharacterKey) ([]*model.Character, error) {
	return s.byKey(ctx, keys, options.Find().SetProjection(projection("owner", "type", "gamemode")))
}

func (s *CharacterStore) byKey(ctx context.Context, keys []CharacterKey, opts ...findOptions) (
	[]*model.Character, error,
) {
	uuids := each(keys, func(k CharacterKey) string { return k.UUID })
	owners := each(keys, func(k CharacterKey) string { return k.Owner })
	found, bad, err := findAll[model.Character](ctx, s.db.Collection(Characters),
		bson.D{{Key: "owner", Value: in(owners)}, {Key: "_id", Value: in(uuids)}}, opts...)
	if err != nil {
		return nil, err
	}
	key := func(c *model.Character) CharacterKey { return CharacterKey{c.Owner, c.UUID} }
	return inKeyOrder(keys, found, key), failures(uuids, "_id", bad)
}

// ByOwner reads the characters of each player, ordered by uuid.
func (s *CharacterStore) ByOwner(ctx context.Context, uuids []string) ([][]*model.Character, error) {
	found, err := find[model.Character](ctx, s.db.Collection(Characters), bson.D{{Key: "owner", Value: in(uuids)}})
	return groupByOwner(uuids, found), err
}

// ExperienceByOwner reads the characters of each player by the player's uuid, with their experience
// only.
func (s *CharacterStore) ExperienceByOwner(ctx context.Context, uuids []string) ([][]*model.Character, error) {
	found, err := find[model.Character](ctx, s.db.Collection(Characters), bson.D{{Key: "owner", Value: in(uuids)}},
		options.Find().SetProjection(experienceOnly))
	return groupByOwner(uuids, found), err
}

// groupByOwner groups characters by player, each group ordered by uuid.
func groupByOwner(uuids []string, characters []*model.Character) [][]*model.Character {
	groups := groupedByKey(uuids, characters, func(c *model.Character) string { return c.Owner })
	for _, g := range groups {
		slices.SortFunc(g, func(a, b *model.Character) int { return strings.Compare(a.UUID, b.UUID) })
	}
	return groups
}

// SetUnlockedAbilities replaces the unlocked abilities of a character. ErrNotFound when the player has no such
// character.
func (s *CharacterStore) SetUnlockedAbilities(ctx context.Context, character CharacterKey, abilities []string) error {
	return s.Edit(ctx, character.UUID, func(c *model.Character) error {
		if c.Owner != character.Owner {
			return ErrNotFound
		}
		c.Unlocked = abilities
		return nil
	})
}

func characterUUID(c *model.Character) string { return c.UUID }
