package feed

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"

	"gamedata/graph/model"
)

// PlayerDeleted deletes a player with everything that refers to the player: characters, membership,
// friendships, links to accounts, leaderboard entries. In memory it changes the given friends only; the
// characters are those that the batch may have changed.
func (b *Batch) PlayerDeleted(p *model.Player, characters []*model.Character, friends []*model.Player) {
	uuid := p.UUID
	if p.Online {
		b.record(time.Time{}, model.PresenceChange(p, &model.Player{UUID: uuid, Guild: p.Guild}))
	}
	if p.Guild != nil {
		b.record(time.Time{}, &model.GuildMemberLeft{Guild: p.Guild.UUID, Player: uuid})
	}
	if len(p.Friends) > 0 {
		b.unfriended = append(b.unfriended, driver.NewUpdateManyModel().
			SetFilter(bson.D{{Key: "_id", Value: bson.D{{Key: "$in", Value: p.Friends}}}}).
			SetUpdate(bson.D{{Key: "$pull", Value: bson.D{{Key: "friends", Value: uuid}}}}))
	}
	for _, c := range characters {
		b.characters.dropped(c.UUID)
	}
	for _, f := range friends {
		f.Friends = slices.DeleteFunc(f.Friends, func(friend string) bool { return friend == uuid })
		b.player(f).exclude("friends", uuid)
	}
	b.linkCodes = slices.DeleteFunc(b.linkCodes, func(c *model.LinkCode) bool { return c.Player == uuid })
	b.newPlayers = slices.DeleteFunc(b.newPlayers, func(p *model.Player) bool { return p.UUID == uuid })
	b.newCharacters = slices.DeleteFunc(b.newCharacters, func(c *model.Character) bool { return c.Owner == uuid })
	b.deletedPlayers = append(b.deletedPlayers, uuid)
	b.players.dropped(uuid)
	b.purged = append(b.purged, uuid)
}

// CharacterDeleted deletes a character and computes the statistics of the player from the characters left.
// A player who is online with the character is then on no world.
//
// What is counted by player only stays while another character has completed the raid: raidStats and gambits.
// guildRaids and guildHistory stay.
func (b *Batch) CharacterDeleted(p *model.Player, uuid string, left []*model.Character) {
	b.newCharacters = slices.DeleteFunc(b.newCharacters, func(c *model.Character) bool { return c.UUID == uuid })
	b.deletedCharacters = append(b.deletedCharacters, ofOwner(p.UUID, uuid))
	b.characters.dropped(uuid)
	all := b.player(p)
	if p.ActiveCharacter != nil && *p.ActiveCharacter == uuid {
		b.recordPresence(p, time.Time{}, func() { p.Server, p.ActiveCharacter, p.Location = nil, nil, nil })
		all.set("server", nil)
		all.set("activeCharacter", nil)
		all.unset("location")
	}
	all.setTotals(p, left)
	b.flagPlayer(p)
	b.purged = append(b.purged, p.UUID)
}

// counters are the numbers of globalData that are sums over characters.
var counters = []struct {
	name string
	of   func(*model.PlayerGlobalData) *int64
}{
	{"contentCompletion", func(d *model.PlayerGlobalData) *int64 { return &d.ContentCompletion }},
	{"wars", func(d *model.PlayerGlobalData) *int64 { return &d.Wars }},
	{"totalLevel", func(d *model.PlayerGlobalData) *int64 { return &d.TotalLevel }},
	{"mobsKilled", func(d *model.PlayerGlobalData) *int64 { return &d.MobsKilled }},
	{"chestsFound", func(d *model.PlayerGlobalData) *int64 { return &d.ChestsFound }},
	{"worldEvents", func(d *model.PlayerGlobalData) *int64 { return &d.WorldEvents }},
	{"lootruns", func(d *model.PlayerGlobalData) *int64 { return &d.Lootruns }},
	{"caves", func(d *model.PlayerGlobalData) *int64 { return &d.Caves }},
	{"completedQuests", func(d *model.PlayerGlobalData) *int64 { return &d.CompletedQuests }},
}

// setTotals sets the player's playtime and globalData to the sums over characters. The counters of globalData
// change by differences, so that increments of other writers are not lost; playtime and lists are set.
func (c *change) setTotals(p *model.Player, characters []*model.Character) {
	if p.Playtime != nil {
		hours := 0.0
		for _, ch := range characters {
			hours += orZero(ch.Playtime)
		}
		hours = math.Round(hours*100) / 100
		p.Playtime = &hours
		c.set("playtime", hours)
	}
	data := p.GlobalData
	if data == nil {
		return
	}
	var sum model.PlayerGlobalData
	var kills, deaths int64
	for _, ch := range characters {
		sum.ContentCompletion += orZero(ch.ContentCompletion)
		sum.Wars += orZero(ch.Wars)
		sum.TotalLevel += int64(ch.TotalLevel)
		sum.MobsKilled += orZero(ch.MobsKilled)
		sum.ChestsFound += orZero(ch.ChestsFound)
		sum.WorldEvents += orZero(ch.WorldEvents)
		sum.Lootruns += orZero(ch.Lootruns)
		sum.Caves += orZero(ch.Caves)
		sum.CompletedQuests += int64(len(ch.Quests))
		if ch.Pvp != nil {
			kills, deaths = kills+orZero(ch.Pvp.Kills), deaths+orZero(ch.Pvp.Deaths)
		}
	}
	for _, n := range counters {
		counter, is := n.of(data), *n.of(&sum)
		c.inc("globalData."+n.name, is-*counter)
		*counter = is
	}
	if data.Pvp != nil {
		c.tally("globalData.pvp.kills", &data.Pvp.Kills, kills-orZero(data.Pvp.Kills))
		c.tally("globalData.pvp.deaths", &data.Pvp.Deaths, deaths-orZero(data.Pvp.Deaths))
	}
	data.Dungeons = sumLists(data.Dungeons, characters, func(c *model.Character) *model.CountList { return c.Dungeons })
	data.Raids = sumLists(data.Raids, characters, func(c *model.Character) *model.CountList { return c.Raids })
	c.forgetRaids(p)
	c.set("globalData.dungeons", data.Dungeons)
	c.set("globalData.raids", data.Raids)
	c.setFeatured(p)
}

// forgetRaids removes what is known of raids that no character has completed: gambits outside the guild, and
// raidStats when there is none. They belong to deleted characters.
func (c *change) forgetRaids(p *model.Player) {
	changed := false
	for i, g := range p.Gambits {
		if countOf(p.GlobalData.Raids, g.Raid) == 0 && g.All != (model.GambitCounts{}) {
			p.Gambits[i] = &model.RaidGambits{Raid: g.Raid, Guild: g.Guild}
			changed = true
		}
	}
	if changed {
		c.set("gambits", p.Gambits)
	}
	if l := p.GlobalData.Raids; p.GlobalData.RaidStats != nil && (l == nil || l.Total == 0) {
		p.GlobalData.RaidStats = nil
		c.set("globalData.raidStats", nil)
	}
}

func countOf(l *model.CountList, name string) int64 {
	if l != nil {
		for _, n := range l.List {
			if n.Name == name {
				return n.Count
			}
		}
	}
	return 0
}

func orZero[N int64 | float64](n *N) N {
	if n == nil {
		return 0
	}
	return *n
}

// sumLists adds up the lists of characters, in the order of the old list, then by name.
func sumLists(old *model.CountList, characters []*model.Character,
	of func(*model.Character) *model.CountList,
) *model.CountList {
	if old == nil {
		return nil
	}
	counts := map[string]int64{}
	for _, c := range characters {
		if list := of(c); list != nil {
			for _, n := range list.List {
				counts[n.Name] += n.Count
			}
		}
	}
	sum := &model.CountList{List: []*model.NamedCount{}}
	for name, n := range counts {
		sum.Total += n
		sum.List = append(sum.List, &model.NamedCount{Name: name, Count: n})
	}
	place := func(name string) int {
		at := slices.IndexFunc(old.List, func(n *model.NamedCount) bool { return n.Name == name })
		if at < 0 {
			at = len(old.List)
		}
		return at
	}
	slices.SortFunc(sum.List, func(a, b *model.NamedCount) int {
		return cmp.Or(cmp.Compare(place(a.Name), place(b.Name)), strings.Compare(a.Name, b.Name))
	})
	return sum
}

// setFeatured updates the featured stats that are among the totals.
func (c *change) setFeatured(p *model.Player) {
	changed := false
	for i, stat := range p.Featured {
		n, ok := total(p, stat.Stat)
		if ok && stat.Number != nil && *stat.Number != n {
			p.Featured[i] = &model.FeaturedStat{Stat: stat.Stat, Number: &n}
			changed = true
		}
	}
	if changed {
		c.set("featuredStats", p.Featured)
	}
}

// total returns the value of a featured stat that is among the totals.
func total(p *model.Player, stat string) (int64, bool) {
	if stat == "playtime" && p.Playtime != nil {
		return int64(*p.Playtime), true
	}
	name, found := strings.CutPrefix(stat, "globalData.")
	data := p.GlobalData
	if !found || data == nil {
		return 0, false
	}
	for _, n := range counters {
		if n.name == name {
			return *n.of(data), true
		}
	}
	switch name {
	case "dungeons.total":
		return listTotal(data.Dungeons)
	case "raids.total":
		return listTotal(data.Raids)
	}
	return 0, false
}

func listTotal(l *model.CountList) (int64, bool) {
	if l == nil {
		return 0, false
	}
	return l.Total, true
}

// GuildDisbanded deletes a guild. Its members have no guild, its territories fall free, and it leaves the
// leaderboards, except the final standings of seasons that have ended. The territories are all that it
// holds; in memory it changes the given members only. Histories of players keep the guild.
func (b *Batch) GuildDisbanded(g *model.Guild, members []*model.Player, held []*model.Territory, at time.Time) {
	for _, t := range held {
		b.TerritoryFreed(t, nil, at)
	}
	for _, p := range members {
		b.leaveGuild(p)
	}
	b.newGuilds = slices.DeleteFunc(b.newGuilds, func(other *model.Guild) bool { return other.UUID == g.UUID })
	b.disbanded = append(b.disbanded, g.UUID)
	if g.Name != "" { // else an interrupted deletion is completed
		b.record(at, &model.GuildDisbanded{Guild: eventGuild(g)})
		b.formerGuilds = slices.DeleteFunc(b.formerGuilds, func(f *model.FormerGuild) bool { return f.UUID == g.UUID })
		b.formerGuilds = append(b.formerGuilds, &model.FormerGuild{
			UUID: g.UUID, Name: g.Name, Prefix: g.Prefix, Banner: g.Banner, SeasonResults: g.SeasonResults, Disbanded: at,
		})
	}
	b.guilds.dropped(g.UUID)
}
