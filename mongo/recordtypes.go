package mongo

import (
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"

	"gamedata/graph/model"
)

// UpdatedField is the field with the time of the last change, by which mirrors follow players, guilds, items and
// territories.
const UpdatedField = "updatedAt"

// addedField is the field with the time at which a record was added. It never changes.
const addedField = "addedAt"

func withID(id any) bson.D { return bson.D{{Key: "_id", Value: id}} }

var (
	_ = register(declaration[model.Player]{
		collection: Players, id: playerUUID, deleted: "PLAYER",
		fold:       func(p *model.Player) { p.NameFold = Fold(p.Username) },
		updated:    func(p *model.Player) *time.Time { return &p.Updated },
		added:      func(p *model.Player) *time.Time { return &p.AddedAt },
		guards:     model.PlayerGuards,
		shares:     func(p *model.Player, name string) bool { return p.Rules.Share(name) && p.Rules.Share("lastJoin") },
		tags:       func(p *model.Player) []string { return []string{"player:" + p.UUID} },
		names:      func(p *model.Player) []string { return []string{"player:" + NameTag(p.NameFold)} },
		references: referencesToPlayer,
	})
	_ = register(declaration[model.Character]{
		collection: Characters, id: characterUUID,
		added:      func(c *model.Character) *time.Time { return &c.AddedAt },
		tags:       func(c *model.Character) []string { return []string{"player:" + c.Owner} },
		references: func(c *model.Character) []operation { return []operation{deleteEvents(c.UUID)} },
	})
	_ = register(declaration[model.Guild]{
		collection: Guilds, id: guildUUID, deleted: "GUILD",
		fold:    func(g *model.Guild) { g.NameFold, g.PrefixFold = Fold(g.Name), Fold(g.Prefix) },
		updated: func(g *model.Guild) *time.Time { return &g.Updated },
		added:   func(g *model.Guild) *time.Time { return &g.AddedAt },
		tags:    func(g *model.Guild) []string { return []string{"guild:" + g.UUID} },
		names: func(g *model.Guild) []string {
			return []string{"guild:" + NameTag(g.NameFold), "guild:" + PrefixTag(g.PrefixFold)}
		},
		references: referencesToGuild,
	})
	_ = register(declaration[model.Territory]{
		collection: Territories, id: territoryName, deleted: "TERRITORY",
		updated: func(t *model.Territory) *time.Time { return &t.Updated },
	})
	_ = register(declaration[model.Item]{
		collection: Items.Name, id: itemName, deleted: "ITEM",
		updated: func(i *model.Item) *time.Time { return &i.Updated },
		tags:    func(*model.Item) []string { return []string{contentTag(Items.Name)} },
	})
	_ = registerPlain(FormerGuilds, func(g *model.FormerGuild) string { return g.UUID })
	_ = register(declaration[model.Account]{
		collection: Accounts, id: func(a *model.Account) string { return a.ID },
		fold: func(a *model.Account) { a.NameFold = Fold(a.Name) },
	})
	_ = registerPlain(LinkCodes, func(c *model.LinkCode) string { return c.Digest })
	_ = registerPlain(Sessions, func(s *model.Session) string { return s.Digest })
	_ = registerPlain(Applications, func(a *model.Application) string { return a.ClientID })
	_ = registerPlain(AuthCodes, func(c *model.AuthCode) string { return c.Digest })
	_ = registerPlain(AccessTokens, func(t *model.AccessToken) string { return t.Digest })
	_ = registerPlain(Webhooks, func(w *model.Webhook) string { return w.Key })
	_ = registerPlain(Competitions, func(c *model.Competition) string { return c.Key })
	_ = registerPlain(FeedTokens, func(t *model.FeedToken) string { return t.Name })
	_ = registerPlain(Peppers, func(p *model.Pepper) string { return p.ID })
	_ = registerPlain(FeedKeys, func(k *FeedKey) string { return k.ID })
)

// referencesToPlayer removes a deleted player from the lists of friends and from accounts, deletes the records that
// belong to the player, and leaves the leaderboards to the next refresh.
func referencesToPlayer(p *model.Player) []operation {
	pull := func(list string) bson.D {
		return bson.D{{Key: "$pull", Value: bson.D{{Key: list, Value: p.UUID}}}}
	}
	return []operation{
		{Players, driver.NewUpdateManyModel().SetFilter(withID(in(p.Friends))).SetUpdate(pull("friends"))},
		{Accounts, driver.NewUpdateManyModel().SetFilter(bson.D{{Key: "profiles", Value: p.UUID}}).
			SetUpdate(pull("profiles"))},
		{LinkCodes, driver.NewDeleteManyModel().SetFilter(bson.D{{Key: "player", Value: p.UUID}})},
		{Characters, driver.NewDeleteManyModel().SetFilter(bson.D{{Key: "owner", Value: p.UUID}})},
		{Competitions, driver.NewUpdateManyModel().SetFilter(bson.D{{Key: "players", Value: p.UUID}}).
			SetUpdate(pull("players"))},
		deleteEvents(p.UUID),
		deleteHistory(RecordedPlayer, p.UUID),
		formerStanding(PlayerStandings, p.UUID),
	}
}

// referencesToGuild deletes records that are only about a disbanded guild. Captures and members leave its lists, and
// ratings of seasons stay beside their final standings.
func referencesToGuild(g *model.Guild) []operation {
	subject := bson.D{{Key: "subjects", Value: g.UUID}}
	return []operation{
		{Competitions, driver.NewUpdateManyModel().SetFilter(bson.D{{Key: "guild", Value: g.UUID}}).
			SetUpdate(bson.D{{Key: "$unset", Value: bson.D{{Key: "guild", Value: ""}}}})},
		{Events, driver.NewUpdateManyModel().SetFilter(subject).SetUpdate(bson.D{{Key: "$pull", Value: subject}})},
		deleteHistory(RecordedGuild, g.UUID), deleteHistory(RecordedActivity, g.UUID),
		formerStanding(GuildStandings, g.UUID),
	}
}

// deleteEvents deletes the events about a player or character, which nobody sees any more.
func deleteEvents(uuid string) operation {
	return operation{Events, driver.NewDeleteManyModel().SetFilter(bson.D{{Key: "subjects", Value: uuid}})}
}

// deleteHistory deletes the histories of all records that had a uuid.
func deleteHistory(r Recorded, uuid string) operation {
	id := string(r) + ":" + uuid
	return operation{History, driver.NewDeleteManyModel().SetFilter(
		bson.D{{Key: "_id", Value: bson.D{{Key: "$gte", Value: id}, {Key: "$lt", Value: id + "~"}}}})}
}

// formerStanding makes the next refresh remove a deleted player or guild from the leaderboards. Until then a new record
// with the uuid has no positions.
func formerStanding(standings, uuid string) operation {
	return operation{standings, driver.NewUpdateOneModel().SetFilter(withID(uuid)).
		SetUpdate(bson.D{{Key: "$set", Value: bson.D{{Key: "pending", Value: true}, {Key: "former", Value: true}}}})}
}
