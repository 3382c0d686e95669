package mongo

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
	"gamedata/graph/model/field"
	"gamedata/mongo/conn"
)

// ByUUID reads players in the order of their uuids; nil where none has one.
func (s *PlayerStore) ByUUID(ctx context.Context, uuids []string) ([]*model.Player, error) {
	return findInOrder(ctx, s.db.Collection(Players), "_id", uuids, playerUUID)
}

// accessFields are what access rules need of a player.
var accessFields = projection("rules", "friends", "guild.uuid")

// Access reads players by uuid, with nothing but what access rules need: rules, friends and guild. Unknown ones
// are missing. It reads the primary, so that a rule counts at once.
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

// ByName reads the players of each name, case ignored; several may share one, and are in the order of name and
// uuid.
func (s *PlayerStore) ByName(ctx context.Context, names []string) ([][]*model.Player, error) {
	found, err := findGrouped(ctx, s.db.Collection(Players), field.PlayerNameFold, foldAll(names),
		func(p *model.Player) string { return p.NameFold })
	for _, players := range found {
		slices.SortFunc(players, func(a, b *model.Player) int {
			return cmp.Or(strings.Compare(a.Username, b.Username), strings.Compare(a.UUID, b.UUID))
		})
	}
	return found, err
}

// ByGuild reads the members of each guild by uuid: the players whose record names it.
func (s *PlayerStore) ByGuild(ctx context.Context, uuids []string) ([][]*model.Player, error) {
	return s.grouped(ctx, bson.D{{Key: field.PlayerGuildUUID, Value: in(uuids)}}, uuids,
		func(p *model.Player) string { return p.Guild.UUID })
}

// ByParty reads the members of each party by uuid.
func (s *PlayerStore) ByParty(ctx context.Context, parties []string) ([][]*model.Player, error) {
	return s.grouped(ctx, bson.D{{Key: field.PlayerParty, Value: in(parties)}}, parties,
		func(p *model.Player) string { return p.Party })
}

// OnlineByAddress reads the online players who joined from each address, by uuid.
func (s *PlayerStore) OnlineByAddress(ctx context.Context, addresses []string) ([][]*model.Player, error) {
	return s.grouped(ctx, bson.D{{Key: field.PlayerAddress, Value: in(addresses)}, {Key: field.PlayerOnline, Value: true}},
		addresses, func(p *model.Player) string { return p.Address })
}

// grouped reads the players that a filter matches, those of each value by uuid. It leaves malformed ones out.
func (s *PlayerStore) grouped(ctx context.Context, filter bson.D, values []string, of func(*model.Player) string) (
	[][]*model.Player, error,
) {
	found, err := find[model.Player](ctx, s.db.Collection(Players), filter)
	slices.SortFunc(found, func(a, b *model.Player) int { return strings.Compare(a.UUID, b.UUID) })
	return groupedByKey(values, found, of), err
}

// EstimateCount returns about how many players there are.
func (s *PlayerStore) EstimateCount(ctx context.Context) (int64, error) {
	return s.db.Collection(Players).EstimatedCount(ctx)
}

// Insert adds new players to a store that no one uses yet.
func (s *PlayerStore) Insert(ctx context.Context, players []*model.Player) error {
	return load(ctx, s.store, players)
}

// Put replaces players by uuid, or adds them, and purges them.
func (s *PlayerStore) Put(ctx context.Context, players []*model.Player) error {
	return replace(ctx, s.store, players, several(players, playerUUID, s.ByUUID))
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
	return edit(ctx, s.store, one(player, s.ByUUID), func(p *model.Player) error {
		for rule, value := range values {
			p.Rules[rule] = value
		}
		return nil
	}, Record(NewEvent{Data: event}))
}

func playerUUID(p *model.Player) string { return p.UUID }

// CharacterKey names a character of a player.
type CharacterKey struct{ Owner, UUID string }

// filter selects the character.
func (k CharacterKey) filter() bson.D {
	return bson.D{{Key: "owner", Value: k.Owner}, {Key: "_id", Value: k.UUID}}
}

func characterKey(c *model.Character) CharacterKey { return CharacterKey{c.Owner, c.UUID} }

// ByKey reads characters in the order of their keys; nil where the player has none with the uuid.
func (s *CharacterStore) ByKey(ctx context.Context, keys []CharacterKey) ([]*model.Character, error) {
	return s.byKey(ctx, keys)
}

// Kinds reads the class and the gamemodes of characters in the order of their keys, nil where the player has
// none with the uuid. The records are partial.
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
	return inKeyOrder(keys, found, characterKey), failures(uuids, "_id", bad)
}

// ByUUID reads characters in the order of their uuids; nil where none has one.
func (s *CharacterStore) ByUUID(ctx context.Context, uuids []string) ([]*model.Character, error) {
	return findInOrder(ctx, s.db.Collection(Characters), "_id", uuids, characterUUID)
}

// ByOwner reads the characters of each player by the player's uuid, those of a player by
// uuid.
func (s *CharacterStore) ByOwner(ctx context.Context, uuids []string) ([][]*model.Character, error) {
	found, err := find[model.Character](ctx, s.db.Collection(Characters), bson.D{{Key: "owner", Value: in(uuids)}})
	return groupByOwner(uuids, found), err
}

// groupByOwner groups characters by player, those of a player by uuid.
func groupByOwner(uuids []string, characters []*model.Character) [][]*model.Character {
	groups := groupedByKey(uuids, characters, func(c *model.Character) string { return c.Owner })
	for _, g := range groups {
		slices.SortFunc(g, func(a, b *model.Character) int { return strings.Compare(a.UUID, b.UUID) })
	}
	return groups
}

// Insert adds new characters to a store that no one uses yet.
func (s *CharacterStore) Insert(ctx context.Context, characters []*model.Character) error {
	return load(ctx, s.store, characters)
}

// Put replaces characters by uuid, or adds them, and purges their players and those who had them before.
func (s *CharacterStore) Put(ctx context.Context, characters []*model.Character) error {
	return replace(ctx, s.store, characters, several(characters, characterUUID, s.ByUUID))
}

// SetUnlockedAbilities replaces the unlocked abilities of a character. ErrNotFound when the player has none with the
// uuid.
func (s *CharacterStore) SetUnlockedAbilities(ctx context.Context, character CharacterKey, abilities []string) error {
	return edit(ctx, s.store, one(character, s.ByKey), func(c *model.Character) error {
		c.Unlocked = abilities
		return nil
	})
}

func characterUUID(c *model.Character) string { return c.UUID }
