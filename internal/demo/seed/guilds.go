package seed

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/demo/content"
	"gamedata/internal/demo/dice"
	"gamedata/internal/feed"
	"gamedata/mongo"
)

// One player in playersPerGuild founds and owns a guild.
const playersPerGuild = 160

// knownGuilds are the guilds whose owners are in the cast. Record holds the differences from a generated record.
var knownGuilds = content.Records[struct {
	UUID, Name, Prefix string
	AgeHours           int
	Record             json.RawMessage
}]("guilds.json")

// FirstGuild returns the uuid of the first guild of every world.
func FirstGuild() string { return knownGuilds[0].UUID }

func (w *World) foundKnown() {
	for i, known := range knownGuilds {
		g := feed.NewGuild(known.UUID, known.Name, known.Prefix, w.Now.Add(-time.Duration(known.AgeHours)*time.Hour))
		w.found(w.dice(forGuilds, uint64(i)), g)
		if known.Record != nil {
			content.Decode(string(known.Record), g)
		}
	}
}

var guildFirsts, guildSeconds = content.Names("guild-firsts.txt"), content.Names("guild-seconds.txt")

const prefixLetters = "BCDGHJLMNPQRSTVWXYZ"

// newGuild founds the guild of a player. Names and tags are unique.
func (w *World) newGuild(d dice.Dice, at time.Time) *model.Guild {
	n, letters := len(w.guilds), len(prefixLetters)
	name := (n*1237 + int(w.Seed%6400)) % (len(guildFirsts) * len(guildSeconds))
	tag := (n*2741 + int(w.Seed%4093)) % (letters * letters * letters)
	prefix := []byte{prefixLetters[tag%letters], prefixLetters[tag/letters%letters], prefixLetters[tag/letters/letters]}
	g := feed.NewGuild(d.UUID(), guildFirsts[name%len(guildFirsts)]+" "+guildSeconds[name/len(guildFirsts)],
		string(prefix), at)
	w.found(d, g)
	return g
}

// Rates of play, about as in a played past. Wars are those of worlds with up to warPlayers players.
const (
	warsPerMemberDay, warPlayers = 0.9, 2000
	warsPerSeason                = 2100
	raidsPerHour                 = 0.3 // of a player
	// The raids of a guild per member and day, and how much they rise with each member: more often somebody can raid.
	raidsPerMemberDay, raidsPerOther = 0.012, 0.00085
)

// found adds a guild, with the levels and seasons since its foundation.
func (w *World) found(d dice.Dice, g *model.Guild) {
	g.Level, g.XPPercent = 1+min(int(d.About(3*w.daysSince(g.CreatedAt)/30)), 110), d.IntN(100)
	if d.Chance(0.9) {
		g.Banner = banner(d)
	}
	for _, raid := range model.Raids {
		g.RaidTallies = append(g.RaidTallies, &model.RaidTally{Raid: raid})
	}
	for n := firstSeason; n <= runningSeason; n++ {
		wars, territories := d.Int64N(2*warsPerSeason), d.IntN(14)
		if start, end := seasonDates(w.present, n); start.Before(w.Now) && end.After(g.CreatedAt) {
			g.SeasonResults = append(g.SeasonResults, w.result(g, n, wars, territories))
		}
	}
	w.game.AddGuild(g)
	w.guilds, w.byTag[g.Prefix] = append(w.guilds, g), g
}

func (w *World) daysSince(at time.Time) float64 { return w.Now.Sub(at).Hours() / 24 }

// winPast adds the wars and raids that a guild of as many members won since its foundation: at least the raids in their
// records.
func (w *World) winPast(d dice.Dice, g *model.Guild) {
	members := float64(w.members[g.UUID])
	memberDays := members * w.daysSince(g.CreatedAt)
	if g.Wars != nil {
		*g.Wars = int64(warsPerMemberDay * memberDays * min(1, warPlayers/float64(w.Options.Players)))
	}
	for _, t := range g.RaidTallies {
		runs := d.About((raidsPerMemberDay+raidsPerOther*members)*memberDays/float64(len(g.RaidTallies))) - t.Completions
		if runs <= 0 {
			continue
		}
		t.Completions += runs
		g.TotalGuildRaids += runs
		for _, n := range []*int64{&t.Gambits.Ten, &t.Gambits.Twenty, &t.Gambits.Thirty} {
			*n += d.About(0.8 * float64(runs))
		}
	}
}

// result returns a guild's result in a season, from its wars and the territories it held throughout.
func (w *World) result(g *model.Guild, season int, wars int64, territories int) *model.GuildSeasonResult {
	start, end := seasonDates(w.present, season)
	from := slices.MaxFunc([]time.Time{start, g.CreatedAt}, time.Time.Compare)
	hours := slices.MinFunc([]time.Time{*end, w.Now}, time.Time.Compare).Sub(from).Hours()
	rating := int64(territories)*ratingPerHour*int64(hours) + wars*ratingPerWar
	return &model.GuildSeasonResult{SeasonNumber: season, Rating: rating, FinalTerritories: territories}
}

var (
	clothColours = strings.Fields("BLACK BLUE BROWN CYAN GRAY GREEN LIGHT_BLUE LIME MAGENTA ORANGE PINK PURPLE RED " +
		"WHITE YELLOW")
	clothPatterns = strings.Fields("BORDER CIRCLE_MIDDLE CROSS CURLY_BORDER FLOWER GRADIENT HALF_HORIZONTAL " +
		"RHOMBUS_MIDDLE STRIPE_CENTER STRIPE_TOP TRIANGLES_BOTTOM") //nolint:misspell // names of the game
	bannerStructures = strings.Fields("defaultBanner desertBanner futuristicBanner2 harbourBanner mossBanner")
)

func banner(d dice.Dice) *model.Banner {
	b := &model.Banner{
		Base: dice.Pick(d, clothColours), Tier: d.Between(1, 6), Structure: dice.Pick(d, bannerStructures),
		Layers: []*model.BannerLayer{},
	}
	for range d.IntN(6) {
		layer := &model.BannerLayer{Colour: dice.Pick(d, clothColours), Pattern: dice.Pick(d, clothPatterns)}
		b.Layers = append(b.Layers, layer)
	}
	return b
}

// drawGuilds puts most players into a guild and some into former ones.
func (w *World) drawGuilds(d dice.Dice, m *Member, i int) {
	if d.Chance(0.6) {
		m.Guild = dice.Pick(d, w.guilds).Prefix
		m.GuildRank = mongo.GuildRanks[5-min(d.Times(0.8), 4)]
	}
	for range min(d.Times(0.4), 2) {
		if former := dice.Pick(d, w.guilds).Prefix; former != m.Guild && !slices.Contains(m.FormerGuilds, former) {
			m.FormerGuilds = append(m.FormerGuilds, former)
		}
	}
	if i%playersPerGuild == 0 {
		age := float64(m.AgeHours) * (0.4 + 0.55*d.Float64())
		m.Guild = w.newGuild(d, w.Now.Add(-time.Duration(age)*time.Hour)).Prefix
		m.GuildRank = mongo.GuildRanks[0]
	}
}

// career makes a player a member of their guild and counts their raids: alone, with former guilds, then with the guild.
func (w *World) career(d dice.Dice, m *Member, p *model.Player, characters []*model.Character) {
	g, before, member := w.byTag[m.Guild], p.LastJoinedAt.Sub(*p.FirstJoinedAt), time.Duration(0)
	if g != nil {
		w.join(d, m, p, g)
		member = p.LastJoinedAt.Sub(p.Membership.JoinedAt)
		before -= member
	}
	at := slices.IndexFunc(characters, func(c *model.Character) bool { return c.Level >= RaidLevel })
	if at < 0 || !m.Raids {
		return
	}
	for range m.UnnamedRaids { // the placeholder of a raid before its release
		w.play(&feed.RaidCompleted{Raid: "Unknown", Raiders: []feed.RaidCompletedRaider{
			{Character: feed.CharacterID(characters[at].UUID)},
		}})
	}
	before /= time.Duration(1 + len(m.FormerGuilds))
	w.raid(d, p, characters[at], nil, before)
	for _, tag := range slices.Backward(m.FormerGuilds) {
		former := w.byTag[tag]
		w.raid(d, p, characters[at], former, min(before, w.Now.Sub(former.CreatedAt)))
	}
	if g != nil {
		w.raid(d, p, characters[at], g, member)
	}
}

// raid counts the raids of a part of a player's life, at least one, with a guild unless g is nil: one event with the
// sums of all runs of a raid, and the other runs in the counters.
func (w *World) raid(d dice.Dice, p *model.Player, c *model.Character, g *model.Guild, part time.Duration) {
	hours := *c.Playtime * float64(part) / float64(p.LastJoinedAt.Sub(*p.FirstJoinedAt))
	for i, raid := range model.Raids {
		runs := max(d.About(raidsPerHour*hours/float64(len(model.Raids))), int64(1-i))
		if runs == 0 {
			continue
		}
		e := &feed.RaidCompleted{Raid: raid, Raiders: []feed.RaidCompletedRaider{Raider(d, c, float64(runs))}}
		if g != nil {
			e.Guild = feed.GuildID(g.UUID)
		}
		w.play(e)
		counters := []*int64{c.ContentCompletion, &p.Totals.ContentCompletion}
		lists := []*model.CountList{c.Raids, p.Totals.Raids}
		if g != nil {
			counters = append(counters, &g.TotalGuildRaids, &g.RaidTallies[i].Completions)
			lists = append(lists, p.Totals.GuildRaids, p.GuildHistory[0].GuildRaids)
		}
		for _, l := range lists {
			at := slices.IndexFunc(l.List, func(n *model.NamedCount) bool { return n.Name == raid })
			counters = append(counters, &l.Total, &l.List[at].Count)
		}
		for _, n := range counters {
			*n += runs - 1
		}
	}
}

// join makes a player a member of a guild, sometime after both joined the game and before the player's last visit.
func (w *World) join(d dice.Dice, m *Member, p *model.Player, g *model.Guild) {
	at := g.CreatedAt
	if m.GuildRank != mongo.GuildRanks[0] {
		if p.FirstJoinedAt.After(at) {
			at = *p.FirstJoinedAt
		}
		at = at.Add(time.Duration(d.Float64() * float64(p.LastJoinedAt.Sub(at)))).Truncate(time.Millisecond)
	}
	w.record(at, &feed.GuildJoined{
		Player: feed.PlayerID(p.UUID), Guild: feed.GuildID(g.UUID), Rank: m.GuildRank, At: at,
	})
	w.members[g.UUID]++
	p.Membership.Contributed = int64(*p.Playtime * 4e6 * max(0, d.ExpFloat64()-0.1))
	if monday := w.Now.Truncate(Week); !p.LastJoinedAt.Before(monday.Add(-Week)) {
		p.Weekly.Completed, p.Weekly.Streak = d.Chance(0.4) && !p.LastJoinedAt.Before(monday), 1+d.Times(3)
	}
}

// RaidLevel is high enough for every raid.
const RaidLevel = 105

// Raider returns the part that a player took in some runs of a raid.
func Raider(d dice.Dice, c *model.Character, runs float64) feed.RaidCompletedRaider {
	return feed.RaidCompletedRaider{
		Character: feed.CharacterID(c.UUID),
		Gambits:   model.GambitCounts{Ten: d.About(0.4 * runs), Twenty: d.About(0.4 * runs), Thirty: d.About(0.4 * runs)},
		Stats: model.RaidStats{
			DamageTaken: d.About(44_000 * runs), DamageDealt: d.About(45_000_000 * runs), HealthHealed: d.About(61_000 * runs),
			Deaths: d.About(0.4 * runs), BuffsTaken: d.About(3 * runs),
		},
	}
}
