package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
)

// PlayersByUUID reads players in the order of their uuids; nil where none has one.
func (s *Store) PlayersByUUID(ctx context.Context, uuids []string) ([]*model.Player, error) {
	found, err := find[model.Player](ctx, s.db.Collection(Players), bson.D{{Key: "_id", Value: in(uuids)}})
	if err != nil {
		return nil, err
	}
	return inKeyOrder(uuids, found, playerUUID), nil
}

// PlayersByName reads the players of each name, case ignored; several may share one.
func (s *Store) PlayersByName(ctx context.Context, names []string) ([][]*model.Player, error) {
	folded := foldAll(names)
	found, err := find[model.Player](ctx, s.db.Collection(Players), bson.D{{Key: "nameFold", Value: in(folded)}})
	if err != nil {
		return nil, err
	}
	return groupedByKey(folded, found, func(p *model.Player) string { return p.NameFold }), nil
}

// OnlinePlayers reads what the online list shows of everybody who is online: names, world,
// time of joining and the rules that may hide them; with relations friends and guild too,
// which are larger than all the rest and matter to those who have players of their own.
func (s *Store) OnlinePlayers(ctx context.Context, relations bool) ([]*model.Player, error) {
	shown := bson.D{
		{Key: "username", Value: 1},
		{Key: "online", Value: 1},
		{Key: "server", Value: 1},
		{Key: "lastJoin", Value: 1},
		{Key: "rules", Value: 1},
	}
	if relations {
		shown = append(shown, bson.E{Key: "friends", Value: 1}, bson.E{Key: "guild.uuid", Value: 1})
	}
	return find[model.Player](ctx, s.db.Collection(Players), bson.D{{Key: "online", Value: true}},
		options.Find().SetProjection(shown))
}

// OnlinePlayersByAddress reads the online players who joined from each address.
func (s *Store) OnlinePlayersByAddress(ctx context.Context, addresses []string) ([][]*model.Player, error) {
	found, err := find[model.Player](ctx, s.db.Collection(Players),
		bson.D{{Key: "address", Value: in(addresses)}, {Key: "online", Value: true}})
	if err != nil {
		return nil, err
	}
	return groupedByKey(addresses, found, func(p *model.Player) string { return p.Address }), nil
}

// PlayersByParty reads the members of each party.
func (s *Store) PlayersByParty(ctx context.Context, parties []string) ([][]*model.Player, error) {
	found, err := find[model.Player](ctx, s.db.Collection(Players), bson.D{{Key: "party", Value: in(parties)}})
	if err != nil {
		return nil, err
	}
	return groupedByKey(parties, found, func(p *model.Player) string { return p.Party }), nil
}

// CountPlayers counts the players of the store.
func (s *Store) CountPlayers(ctx context.Context) (int64, error) {
	n, err := s.db.Collection(Players).EstimatedDocumentCount(ctx)
	return n, translateError(err)
}

// InsertPlayers adds new players.
func (s *Store) InsertPlayers(ctx context.Context, ps []*model.Player) error {
	foldNames(ps)
	return insert(ctx, s.db.Collection(Players), ps)
}

// PutPlayers replaces players by uuid, or adds them, and purges them.
func (s *Store) PutPlayers(ctx context.Context, ps []*model.Player) error {
	foldNames(ps)
	if err := put(ctx, s.db.Collection(Players), "_id", ps, playerUUID); err != nil {
		return err
	}
	return purgeRecords(ctx, s, "player", ps, playerUUID)
}

func foldNames(ps []*model.Player) {
	for _, p := range ps {
		p.NameFold = Fold(p.Username)
	}
}

func playerUUID(p *model.Player) string { return p.UUID }
