package seed

import (
	"math/rand/v2"
	"time"

	"gamedata/graph/model"
)

// A plan holds the decisions about one player before any number is computed. The cast is set in plans too;
// everything that follows from a plan is the same for all players.
type plan struct {
	facts
	r     *rand.Rand
	seed  uint64
	index int
	now   time.Time
	land  string // of the world

	uuid, username    string
	rules             model.AccessRules
	age               time.Duration // since the first join
	away              time.Duration // since the last join, or since joining when online
	online            bool
	active            int // number of the character that plays, or -1
	guild             int // -1: none
	guildRank         int
	formerGuilds      []int // newest first
	wallpaper, avatar string
	characters        []sheet
}

// facts are the decisions about a player that the cast's file has as they are.
type facts struct {
	Nickname, LegacyName string
	Rank, Support        string
	Veteran, Banned      bool
	NoRankDrawn          bool // rank badge, colour, short form and veteran are null
	NoGuildRaids         bool // the record has null
	Server, Address      string
	Featured             []string
}

// sheet holds the decisions about one character.
type sheet struct {
	UUID, Nickname   string
	Class            class
	Reskin           bool
	Level            int
	Modes            []string
	Died, PreEconomy bool
	Hours, MinHours  float64
	Removed          []string
	Unlocked         float64 // share of the ability points spent
	NoLists          bool    // dungeons and raids are null
	NoRaids          bool
	Raider           bool  // has done every raid, often
	UnnamedRaids     int64 // completions of the raid without a name
}

// newPlan draws what comes first for all players, including the cast.
func newPlan(o Options, now time.Time, i int) *plan {
	r := source(o.Seed, forPlayer, uint64(i))
	p := &plan{
		r: r, seed: o.Seed, index: i, now: now, land: o.land(), active: -1, guild: -1, uuid: randomUUID(r),
		username: Username(o.Seed, i, r), facts: facts{Rank: plainRank},
		rules: model.UniformAccessRules(model.Public), wallpaper: pick(r, wallpapers), avatar: pick(r, avatars),
	}
	p.age = time.Duration(between(r, 30*24*60, 12*365*24*60))*time.Minute + p.jitter()
	away := time.Duration(r.ExpFloat64() * float64(120*day))
	p.away = min(away, p.age/2).Truncate(time.Second) + p.jitter()
	return p
}

// planOf decides about the ith player.
func planOf(o Options, now time.Time, i int) *plan {
	p := newPlan(o, now, i)
	if i < len(Cast) {
		p.play(&Cast[i])
		return p
	}
	p.drawRank()
	p.drawAccess()
	for range characterCount(p.r) {
		p.characters = append(p.characters, p.randomSheet())
	}
	p.drawPresence()
	p.drawGuilds()
	_ = p.r.Float64() // keeps existing seeds stable: earlier versions drew a number here
	p.Featured = drawFeatured(p.r)
	return p
}

// jitter returns 0 to 999 ms, often 0, so that times have and lack a fraction of a second.
func (p *plan) jitter() time.Duration {
	return time.Duration(max(0, p.r.IntN(1500)-500)) * time.Millisecond
}

// setDefaults sets an unremarkable player, the base of the cast.
func (p *plan) setDefaults() {
	p.age, p.away = max(p.age, 2*365*24*time.Hour), min(p.away, 90*24*time.Hour)
	p.wallpaper, p.avatar = "default", "default"
	first := p.sheet(p.drawClass(), between(p.r, 80, 104))
	p.characters = []sheet{first, p.sheet(p.drawClass(), between(p.r, 20, 60))}
}

func (p *plan) drawRank() {
	r := p.r
	if chance(r, 0.01) {
		p.Rank = ranks[between(r, 1, len(ranks)-1)].Name
	}
	if chance(r, 0.25) {
		p.Support = supporters[weighted(r, []int{10, 7, 5, 3})].Name
	}
	p.Veteran = p.age > 9*365*24*time.Hour && chance(r, 0.7)
	if p.Support != "" && chance(r, 0.2) {
		p.Nickname = pick(r, nicknames)
	}
}

var accessValues = []model.Access{model.Friend, model.GuildOnly, model.GuildAndFriends, model.Private}

func (p *plan) drawAccess() {
	if !chance(p.r, 0.15) {
		return
	}
	for rule := range p.rules {
		if chance(p.r, 0.4) {
			p.rules[rule] = pick(p.r, accessValues)
		}
	}
}

// drawPresence puts one player in sixteen on a world.
func (p *plan) drawPresence() {
	if !chance(p.r, 1.0/16) {
		return
	}
	server := pick(p.r, Worlds)
	if chance(p.r, 0.02) || len(p.characters) == 0 {
		server = ""
	}
	p.join(server, someAddress(p.r))
}

// join brings a player online with the first character; without a server the player is on no world yet.
func (p *plan) join(server, address string) {
	p.online, p.Server, p.Address = true, server, address
	p.away = time.Duration(between(p.r, 1, 6*60*60))*time.Second + p.jitter()
	if server != "" {
		p.active = 0
	}
}

// drawGuilds puts most players into a guild and some into former ones.
func (p *plan) drawGuilds() {
	r := p.r
	known := guildsBefore(p.index)
	if own := founded(p.index); own >= 0 {
		p.guild, p.guildRank = own, 0
	} else if chance(r, 0.6) {
		p.guild, p.guildRank = r.IntN(known), weighted(r, guildWeights)
	}
	for range weighted(r, []int{70, 20, 10}) {
		former := r.IntN(known)
		if former != p.guild && (len(p.formerGuilds) == 0 || p.formerGuilds[0] != former) {
			p.formerGuilds = append(p.formerGuilds, former)
		}
	}
	p.NoGuildRaids = p.guild < 0 && len(p.formerGuilds) == 0 && chance(r, 0.05)
}
