package mongo

import (
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"

	"gamedata/graph/model"
	"gamedata/graph/model/field"
)

// UpdatedField is the field with the time of the last change, by which mirrors follow players, guilds, items and
// territories. Records of older versions lack it until they change.
const UpdatedField = field.PlayerUpdated

func withID(id any) bson.D { return bson.D{{Key: "_id", Value: id}} }

var (
	_ = register(recordType[model.Player]{
		collection: Players, deleted: "PLAYER", mirrorKey: playerUUID,
		key:        func(p *model.Player) bson.D { return withID(p.UUID) },
		fold:       func(p *model.Player) { p.NameFold = Fold(p.Username) },
		updated:    func(p *model.Player) *time.Time { return &p.Updated },
		shares:     func(p *model.Player, name string) bool { return p.Rules.Share(name) },
		tags:       func(p *model.Player) []string { return []string{"player:" + p.UUID} },
		references: referencesToPlayer,
	})
	_ = register(recordType[model.Character]{
		collection: Characters,
		key:        func(c *model.Character) bson.D { return characterKey(c).filter() },
		tags:       func(c *model.Character) []string { return []string{"player:" + c.Owner} },
	})
	_ = register(recordType[model.Guild]{
		collection: Guilds, deleted: "GUILD", mirrorKey: guildUUID,
		key:        func(g *model.Guild) bson.D { return withID(g.UUID) },
		fold:       func(g *model.Guild) { g.NameFold, g.PrefixFold = Fold(g.Name), Fold(g.Prefix) },
		updated:    func(g *model.Guild) *time.Time { return &g.Updated },
		tags:       func(g *model.Guild) []string { return []string{"guild:" + g.UUID} },
		references: func(g *model.Guild) []operation { return []operation{pendingStanding(GuildStandings, g.UUID)} },
	})
	_ = register(recordType[model.Territory]{
		collection: Territories, deleted: "TERRITORY", mirrorKey: territoryName,
		key:     func(t *model.Territory) bson.D { return bson.D{{Key: field.TerritoryName, Value: t.Name}} },
		updated: func(t *model.Territory) *time.Time { return &t.Updated },
	})
	_ = register(recordType[model.Item]{
		collection: "items", deleted: "ITEM", mirrorKey: itemName,
		key:     func(i *model.Item) bson.D { return bson.D{{Key: field.ItemInternalName, Value: i.InternalName}} },
		updated: func(i *model.Item) *time.Time { return &i.Updated },
	})
	_ = register(recordType[model.FormerGuild]{
		collection: FormerGuilds, key: func(g *model.FormerGuild) bson.D { return withID(g.UUID) },
	})
	_ = register(recordType[model.LinkCode]{
		collection: LinkCodes, key: func(c *model.LinkCode) bson.D { return withID(c.Digest) },
	})
	_ = register(recordType[FeedKey]{
		collection: FeedKeys, key: func(k *FeedKey) bson.D { return withID(k.ID) },
	})
)

// referencesToPlayer removes a deleted player from the lists of friends and from accounts, deletes what belongs to the
// player, and leaves the leaderboards to the next refresh.
func referencesToPlayer(p *model.Player) []operation {
	pull := func(list string) bson.D {
		return bson.D{{Key: "$pull", Value: bson.D{{Key: list, Value: p.UUID}}}}
	}
	return []operation{
		{Players, driver.NewUpdateManyModel().SetFilter(withID(in(p.Friends))).SetUpdate(pull(field.PlayerFriends))},
		{Accounts, driver.NewUpdateManyModel().SetFilter(bson.D{{Key: field.AccountProfiles, Value: p.UUID}}).
			SetUpdate(pull(field.AccountProfiles))},
		{LinkCodes, driver.NewDeleteManyModel().SetFilter(bson.D{{Key: field.LinkCodePlayer, Value: p.UUID}})},
		{Characters, driver.NewDeleteManyModel().SetFilter(bson.D{{Key: field.CharacterOwner, Value: p.UUID}})},
		pendingStanding(PlayerStandings, p.UUID),
	}
}

// pendingStanding leaves the removal of a deleted player or guild from the leaderboards to the next refresh.
func pendingStanding(standings, uuid string) operation {
	return operation{standings, driver.NewUpdateOneModel().SetFilter(withID(uuid)).
		SetUpdate(bson.D{{Key: "$set", Value: bson.D{{Key: "pending", Value: true}}}})}
}
