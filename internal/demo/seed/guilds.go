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

// warsPerMonth is about how many wars a guild wins per month of a played past, warsPerSeason per season.
const warsPerMonth, warsPerSeason = 1500, warsPerMonth * int64(seasonTime) / int64(30*day)

// found adds a guild, with the levels, wars and seasons since its foundation.
func (w *World) found(d dice.Dice, g *model.Guild) {
	months := w.Now.Sub(g.CreatedAt).Hours() / (30 * 24)
	g.Level, g.XPPercent, *g.Wars = 1+min(int(d.About(3*months)), 110), d.IntN(100), d.About(warsPerMonth*months)
	if d.Chance(0.9) {
		g.Banner = banner(d)
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
	m.Raids = d.IntN(3)
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

// career lets a player raid alone and with former guilds, then join their present guild.
func (w *World) career(d dice.Dice, m *Member, p *model.Player, characters []*model.Character) {
	raid := func(string) {}
	at := slices.IndexFunc(characters, func(c *model.Character) bool { return c.Level >= RaidLevel })
	if at >= 0 && m.Raids > 0 {
		raid = func(guild string) { w.raid(d, m, guild, characters[at]) }
		for range m.UnnamedRaids { // the placeholder of a raid before its release
			w.play(&feed.RaidCompleted{Raid: "Unknown", Raiders: []feed.RaidCompletedRaider{
				{Character: feed.CharacterID(characters[at].UUID)},
			}})
		}
	}
	raid("")
	for _, tag := range slices.Backward(m.FormerGuilds) {
		raid(w.byTag[tag].UUID)
	}
	if g := w.byTag[m.Guild]; g != nil {
		w.join(d, m, p, g)
		raid(g.UUID)
	}
}

// raid lets a player complete each raid about as often as m says.
func (w *World) raid(d dice.Dice, m *Member, guild string, c *model.Character) {
	for _, raid := range model.Raids {
		for range m.Raids/2 + d.IntN(m.Raids+1) {
			w.play(&feed.RaidCompleted{
				Raid: raid, Guild: feed.GuildID(guild), Raiders: []feed.RaidCompletedRaider{Raider(d, c)},
			})
		}
	}
}

// join makes a player a member of a guild, sometime after both joined the game.
func (w *World) join(d dice.Dice, m *Member, p *model.Player, g *model.Guild) {
	at := g.CreatedAt
	if m.GuildRank != mongo.GuildRanks[0] {
		if p.FirstJoinedAt.After(at) {
			at = *p.FirstJoinedAt
		}
		at = at.Add(time.Duration(d.Float64() * float64(max(0, p.LastJoinedAt.Sub(at))))).Truncate(time.Millisecond)
	}
	w.record(at, &feed.GuildJoined{
		Player: feed.PlayerID(p.UUID), Guild: feed.GuildID(g.UUID), Rank: m.GuildRank, At: at,
	})
	p.Membership.Contributed = int64(*p.Playtime * 4e6 * max(0, d.ExpFloat64()-0.1))
	p.Weekly = &model.WeeklyProgress{Completed: d.Chance(0.4), Streak: 1 + d.Times(3)}
}

// RaidLevel is high enough for every raid.
const RaidLevel = 105

// Raider returns the part that a player took in a raid.
func Raider(d dice.Dice, c *model.Character) feed.RaidCompletedRaider {
	return feed.RaidCompletedRaider{
		Character: feed.CharacterID(c.UUID),
		Gambits:   model.GambitCounts{Ten: d.About(0.4), Twenty: d.About(0.4), Thirty: d.About(0.4)},
		Stats: model.RaidStats{
			DamageTaken: d.About(44_000), DamageDealt: d.About(45_000_000), HealthHealed: d.About(61_000),
			Deaths: d.About(0.4), BuffsTaken: d.About(3),
		},
	}
}
