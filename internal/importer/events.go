package importer

import (
	"context"
	"errors"
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// An import logs events only for changes to existing records: a new recording does not show when its subject was
// created. The records are written first: an interrupted import may lack events but never logs a change that was not
// stored.

// changes collects the events of an import.
type changes struct{ events []mongo.NewEvent }

func (c *changes) add(data model.EventData) { c.events = append(c.events, mongo.NewEvent{Data: data}) }

func (c *changes) record(ctx context.Context, store *mongo.Store) error {
	return store.Events.Append(ctx, c.events...)
}

// player adds the changes to a stored player.
func (c *changes) player(old, p *model.Player) {
	if old == nil {
		return
	}
	if e := model.PresenceChange(old, p); e != nil {
		c.add(e)
	}
	if e := model.NameChange(p, old.Username); e != nil {
		c.add(e)
	}
	guildOf := func(p *model.Player) string {
		if p.Guild == nil {
			return ""
		}
		return p.Guild.UUID
	}
	before, after := guildOf(old), guildOf(p)
	if before != after && before != "" {
		c.add(&model.GuildMemberLeft{Guild: before, Player: p.UUID})
	}
	if before != after && after != "" {
		e := &model.GuildMemberJoined{Guild: after, Player: p.UUID}
		if p.Guild.Rank != nil {
			e.Rank = *p.Guild.Rank
		}
		c.add(e)
	}
	if e := model.RankChange(old, p); e != nil {
		c.add(e)
	}
	var rules []string
	for rule := range model.NumAccessRules {
		if old.Rules[rule] != p.Rules[rule] {
			rules = append(rules, rule.Info().Key)
		}
	}
	if rules != nil {
		c.add(&model.AccessRulesChanged{Player: p.UUID, Rules: rules})
	}
}

// character adds the changes to a stored character.
func (c *changes) character(old, ch *model.Character) {
	if old == nil {
		return
	}
	if old.Level != ch.Level {
		c.add(&model.CharacterLevelChanged{Player: ch.Owner, Character: ch.UUID, From: old.Level, To: ch.Level})
	}
	died := func(ch *model.Character) bool { return ch.Meta != nil && ch.Meta.Died }
	if !died(old) && died(ch) {
		c.add(&model.CharacterDied{Player: ch.Owner, Character: ch.UUID, Level: ch.Level})
	}
}

func (c *changes) guild(old, g *model.Guild) {
	if old != nil && old.Level != g.Level {
		c.add(&model.GuildLevelChanged{Guild: g.UUID, From: old.Level, To: g.Level})
	}
}

// territories adds the captures between two states of the map. If the same guild holds a territory since another time,
// it lost the territory in between.
func (c *changes) territories(old, list []*model.Territory) {
	for _, t := range list {
		i := slices.IndexFunc(old, func(o *model.Territory) bool { return o.Name == t.Name })
		if i < 0 || old[i].Guild == nil {
			continue
		}
		same := func(a, b *string) bool { return a == b || a != nil && b != nil && *a == *b }
		sameTime := old[i].AcquiredAt == nil || t.AcquiredAt == nil || old[i].AcquiredAt.Equal(*t.AcquiredAt)
		if same(old[i].Guild.UUID, t.Guild.UUID) && (sameTime || t.Guild.UUID == nil) {
			continue
		}
		e, at := mongo.NewEvent{}, time.Time{}
		since := old[i].AcquiredAt
		if t.AcquiredAt != nil {
			e.At, at = *t.AcquiredAt, *t.AcquiredAt
		} else {
			since = nil
		}
		e.Data = model.HolderChange(t.Name, old[i].Guild, t.Guild, since, at)
		c.events = append(c.events, e)
	}
}

// countCaptures raises the counters of guilds that captured or lost territories.
func (c *changes) countCaptures(ctx context.Context, store *mongo.Store) error {
	captured, lost := map[string]int64{}, map[string]int64{}
	var uuids []string
	count := func(of map[string]int64, g *model.EventGuild) {
		if g != nil {
			of[g.UUID]++
			uuids = append(uuids, g.UUID)
		}
	}
	for _, e := range c.events {
		if capture, ok := e.Data.(*model.TerritoryCaptured); ok {
			count(captured, capture.To)
			count(lost, capture.From)
		}
	}
	if len(uuids) == 0 {
		return nil
	}
	slices.Sort(uuids)
	guilds, err := store.Guilds.ByID(ctx, slices.Compact(uuids))
	var raised []mongo.Change
	for _, g := range guilds {
		if g != nil {
			after := *g
			model.Raise(&after.Captured, captured[g.UUID])
			model.Raise(&after.Lost, lost[g.UUID])
			raised = append(raised, mongo.Save(g, &after))
		}
	}
	return errors.Join(err, store.Apply(ctx, raised...))
}

// articles adds newly visible articles. The jobs add articles that appear later.
func (c *changes) articles(old, list []*model.Article, now time.Time) {
	seen := func(a *model.Article) bool { return a.Published && a.Visible && a.StartsAt.Before(now) }
	for _, a := range list {
		if seen(a) && !slices.ContainsFunc(old, func(o *model.Article) bool { return o.Number == a.Number && seen(o) }) {
			c.events = append(c.events, mongo.ArticleEvent(a))
		}
	}
}
