package seed

import (
	"time"

	"gamedata/graph/model"
)

// The functions below set up members of the cast, starting from plan.setDefaults.

// both combines setups.
func both(facts ...func(*plan)) func(*plan) {
	return func(p *plan) {
		for _, fact := range facts {
			fact(p)
		}
	}
}

// Rules that hide one thing from everybody.
var (
	hidesMain     = hides(model.MainAccess)
	hidesList     = hides(model.CharacterListAccess)
	hidesData     = hides(model.CharacterDataAccess)
	hidesBuild    = hides(model.CharacterBuildAccess)
	hidesPresence = hides(model.OnlineStatus)
	hidesHistory  = hides(model.GuildHistoryAccess)
	hidesWeekly   = hides(model.WeeklyAccess)
)

func hides(rule model.AccessRule) func(*plan) {
	return func(p *plan) { p.rules[rule] = model.Private }
}

// mortal makes the first character a dead hardcore character.
func mortal(p *plan) { p.characters[0].modes = []string{hardcore} }

func every(value model.Access) func(*plan) {
	return func(p *plan) { p.rules = model.UniformAccessRules(value) }
}

func on(server, address string) func(*plan) { return func(p *plan) { p.join(server, address) } }

func member(guild, rank int, former ...int) func(*plan) {
	return func(p *plan) { p.guild, p.guildRank, p.formerGuilds = guild, rank, former }
}

// raiding gives the first character enough raids for several guilds.
func raiding(p *plan) {
	c := &p.characters[0]
	c.level, c.hours, c.raider = 106, max(c.hours, 900), true
}

func raidless(p *plan) {
	for i := range p.characters {
		p.characters[i].noRaids = true
	}
}

func supports(name string) func(*plan) {
	return func(p *plan) {
		p.support = name
		if name == "hero" {
			p.nickname = "Aurum"
		}
	}
}

func staff(rank string, facts ...func(*plan)) func(*plan) {
	return both(append(facts, func(p *plan) { p.rank = rank })...)
}

func salted(p *plan) {
	p.support = "champion"
	p.age = 6*365*24*time.Hour + 5*time.Hour
	p.join("EU37", "127.0.0.1")
	member(mossbound, 1, lanternRow)(p)
	p.featured = []int{0, 1, 2, 3}
	dusk := p.sheet(assassin, 105)
	dusk.nickname, dusk.reskin, dusk.hours, dusk.raider = "Dusk", true, 1180.25, true
	few := p.sheet(archer, 31)
	few.modes, few.died, few.unlocked, few.hours = []string{hardcore, ironman}, true, 0.4, 21.5
	none := p.sheet(mage, 12)
	none.unlocked = 0
	p.characters = []sheet{dusk, few, none, p.sheet(shaman, 103), p.sheet(warrior, 77)}
}

func brindle(p *plan) {
	p.join("EU37", "127.0.0.1")
	member(mossbound, 4)(p)
	alive, dead := p.sheet(archer, 98), p.sheet(mage, 64)
	alive.nickname, alive.modes, alive.hours = "Brin", []string{hardcore}, 402.75
	dead.modes, dead.died = []string{hardcore, hunted}, true
	p.characters = []sheet{alive, dead}
}

func okapi(p *plan) {
	p.rank, p.support, p.nickname = "Media", "champion", "Stripes"
	p.legacyName = "Stripeling"
	p.join("WC17", "::1")
	member(lanternRow, 2, mossbound, tidewatch)(p)
	first := p.sheet(shaman, 106)
	first.hours, first.raider = 1204.5, true
	p.characters = []sheet{first, p.sheet(warrior, 88)}
}

func veiled(p *plan) {
	every(model.Private)(p)
	p.join("EU37", "192.0.2.3")
	member(mossbound, 2, lanternRow)(p)
	raiding(p)
}

func hollowed(p *plan) { p.characters = nil }

func patchwork(p *plan) {
	p.rules = model.AccessRules{
		model.Public, model.Friend, model.GuildOnly, model.GuildAndFriends, model.Private,
		model.GuildOrFriends, model.Public,
	}
	member(tidewatch, 3)(p)
	p.join("EU37", "198.51.100.21")
}

func elderquill(p *plan) {
	p.veteran, p.age = true, 11*365*24*time.Hour
	p.characters[0].preEconomy = true
}

func colossal(p *plan) {
	raiding(p)
	p.age = 12 * 365 * 24 * time.Hour
	p.characters[0].hours, p.characters[0].enormous = 5200, true
	p.characters[1].walkedBack = true
	member(tidewatch, 1)(p)
}

func wanderer(p *plan) {
	raidless(p)
	p.noGuildRaids = true
	p.characters[1].noLists = true
}

func blank(p *plan) {
	fresh := p.sheet(warrior, 1)
	fresh.unlocked, fresh.hours = 0, 0.08
	p.characters = []sheet{fresh}
}

func showcase(p *plan) {
	for i := range featurable {
		p.featured = append(p.featured, i)
	}
	member(tidewatch, 5)(p)
	raiding(p)
}

func journeyer(p *plan) {
	raiding(p)
	p.formerGuilds = []int{emberforge, tidewatch, lanternRow, mossbound}
}

func modest(p *plan) {
	p.inModes([]string{hardcore}, []string{ironman}, []string{ultimate}, []string{craft}, []string{hunted})
}

func medley(p *plan) {
	p.inModes([]string{hardcore, ultimate, craft}, []string{hardcore, ultimate, craft, hunted},
		[]string{hardcore, ironman, craft}, []string{hardcore, ironman, craft, hunted}, []string{ironman, hunted})
}

// inModes creates one character per list of gamemodes.
func (p *plan) inModes(lists ...[]string) {
	p.characters = nil
	for i, modes := range lists {
		s := p.sheet(i%len(classIDs), 40+10*i)
		s.modes = modes
		p.characters = append(p.characters, s)
	}
}

func turncoat(p *plan) {
	p.support, p.characters = "vip", nil
	for class := range classIDs {
		s := p.sheet(class, 60+5*class)
		s.reskin = true
		p.characters = append(p.characters, s)
	}
	p.characters[0].removed = removable[:3]
}

func pathfinder(p *plan) {
	raiding(p)
	p.characters[0].unnamedRaids = 7
	member(mossbound, 0)(p)
	p.join("WC1", "198.51.100.39")
}
