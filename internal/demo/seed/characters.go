package seed

import (
	"math"
	"math/rand/v2"

	"gamedata/graph/model"
)

// figures holds everything of one character in one allocation: a record has some forty optional numbers.
type figures struct {
	model.Character
	content, wars, mobs, chests, identified, walked      int64
	logins, deaths, discoveries, events, lootruns, caves int64
	kills, killed                                        int64
	playtime                                             float64
	meta                                                 model.CharacterMeta
	pvp                                                  model.PvpStats
	skillPoints                                          model.SkillPoints
	professions                                          model.Professions
	progress                                             [12]model.ProfessionProgress
	dungeons, raids                                      model.CountList
	raidCounts                                           [raidCount]int64
	professionLevels                                     int
}

var yes = true

func (p *plan) record(s *sheet) *figures {
	r := p.r
	f := &figures{}
	f.measure(r, s)
	f.train(r, s)
	f.Character = model.Character{
		UUID: s.uuid, Owner: p.uuid, Type: classTypes[s.class], Level: s.level, XP: experience(r, s), XPPercent: r.IntN(100),
		TotalLevel: s.level + f.professionLevels, Gamemode: s.modes, Quests: questsDone(r, s), RemovedStat: s.removed,
		Playtime: &f.playtime, Wars: &f.wars, MobsKilled: &f.mobs, ChestsFound: &f.chests, ItemsIdentified: &f.identified,
		BlocksWalked: &f.walked, Logins: &f.logins, Deaths: &f.deaths, Discoveries: &f.discoveries, WorldEvents: &f.events,
		Lootruns: &f.lootruns, Caves: &f.caves, ContentCompletion: &f.content,
		Pvp: &f.pvp, SkillPoints: &f.skillPoints, Professions: &f.professions, Meta: &f.meta,
		Unlocked: unlockedOf(r, s), ProfessionXP: f.professionXP(),
	}
	f.pvp = model.PvpStats{Kills: &f.kills, Deaths: &f.killed}
	f.meta.Died = s.died
	f.spend(r, s.level)
	if !s.noLists {
		f.explore(r, s)
	}
	if s.reskin {
		f.Reskin = &reskins[s.class]
	}
	if s.nickname != "" {
		f.Nickname = &s.nickname
	}
	if s.preEconomy {
		f.PreEconomy = &yes
	}
	if f.Gamemode == nil {
		f.Gamemode = []string{}
	}
	if f.RemovedStat == nil {
		f.RemovedStat = []string{}
	}
	f.content = int64(len(f.Quests)) + f.caves + f.events + f.lootruns + f.discoveries/4 + f.dungeons.Total + f.raids.Total
	return f
}

// measure sets the counters that grow with playtime.
func (f *figures) measure(r *rand.Rand, s *sheet) {
	h := s.hours
	f.playtime = math.Round(h*100) / 100
	grown := func(perHour float64) int64 { return int64(h * perHour * (0.5 + r.Float64())) }
	f.mobs, f.chests, f.walked = grown(340), grown(7), grown(15_000)
	f.identified, f.logins, f.deaths = grown(1.1), 1+grown(1.9), grown(0.3)
	f.discoveries = min(grown(0.9)+int64(s.level), 650)
	if s.level >= 40 {
		f.events, f.lootruns, f.caves = grown(0.06), grown(0.04), min(grown(0.08), 180)
	}
	if s.level >= 100 && chance(r, 0.4) {
		f.wars = grown(0.8)
	}
	if chance(r, 0.2) {
		f.kills, f.killed = int64(r.IntN(12)), int64(r.IntN(12))
	}
	switch {
	case s.died:
		f.deaths = 1
	case len(s.modes) > 0 && s.modes[0] == hardcore:
		f.deaths = 0
	}
	if s.enormous {
		f.mobs = f.mobs*31 + 5_234_567_890
		f.walked = f.walked*17 + 9_876_543_210
		f.chests += 4_300_000_000
	}
	if s.walkedBack {
		f.walked = -f.walked - 1_204
	}
}

func (f *figures) train(r *rand.Rand, s *sheet) {
	p := &f.professions
	for i, slot := range []**model.ProfessionProgress{
		&p.Fishing, &p.Woodcutting, &p.Mining, &p.Farming, &p.Scribing, &p.Jeweling,
		&p.Alchemism, &p.Cooking, &p.Weaponsmithing, &p.Tailoring, &p.Woodworking, &p.Armouring,
	} {
		level := 1
		if s.level > 5 {
			share := r.Float64()
			level = 1 + int(float64(min(s.level, 105))*1.25*share*share)
		}
		f.progress[i] = model.ProfessionProgress{Level: level, XpPercent: r.IntN(100)}
		*slot = &f.progress[i]
		f.professionLevels += level
	}
}

func experience(r *rand.Rand, s *sheet) int64 {
	if s.enormous {
		return 9_100_000_000_000 + r.Int64N(1_000_000)
	}
	l := int64(s.level)
	return l*l*l*l*26 + r.Int64N(l*l*l*50)
}

// spend distributes the skill points of a level over the five skills.
func (f *figures) spend(r *rand.Rand, level int) {
	left := min(2*(level-1), 200)
	for _, skill := range []*int{
		&f.skillPoints.Dexterity, &f.skillPoints.Strength, &f.skillPoints.Intelligence,
		&f.skillPoints.Agility, &f.skillPoints.Defence,
	} {
		*skill = min(r.IntN(left+1), 100)
		left -= *skill
	}
}

// explore sets the lists of dungeons and raids, without names that have 0.
func (f *figures) explore(r *rand.Rand, s *sheet) {
	f.Dungeons, f.Raids = &f.dungeons, &f.raids
	f.dungeons.List, f.raids.List = []*model.NamedCount{}, []*model.NamedCount{}
	counts := make([]model.NamedCount, 0, len(dungeons)+raidCount+1)
	add := func(to *model.CountList, name string, n int64) {
		if n > 0 {
			counts = append(counts, model.NamedCount{Name: name, Count: n})
			to.List = append(to.List, &counts[len(counts)-1])
			to.Total += n
		}
	}
	for _, d := range dungeons {
		if s.level >= d.Level && chance(r, 0.3) {
			add(&f.dungeons, d.Name, 1+int64(s.hours*0.1*r.ExpFloat64()))
		}
	}
	if s.noRaids {
		return
	}
	for i, raid := range model.Raids {
		if s.raider {
			f.raidCounts[i] = 40
		}
		if s.level >= raidLevels[i] && chance(r, 0.6) {
			f.raidCounts[i] += 1 + int64(s.hours*0.1*r.ExpFloat64())
		}
		add(&f.raids, raid, f.raidCounts[i])
	}
	add(&f.raids, unnamedRaid, s.unnamedRaids)
}

// questsDone returns the quests up to the character's level without a few.
func questsDone(r *rand.Rand, s *sheet) []string {
	reach := min(len(quests)*s.level/106, len(quests))
	done := make([]string, 0, reach)
	skipped := r.Uint64() & r.Uint64()
	for i, q := range quests[:reach] {
		if skipped>>(i&63)&1 == 0 {
			done = append(done, q)
		}
	}
	return done
}

// professionXP returns the experience that the profession levels took.
func (f *figures) professionXP() map[string]int64 {
	out := make(map[string]int64, len(model.ProfessionList))
	for _, profession := range model.ProfessionList {
		reached := func(level int) int64 { l := int64(level - 1); return l*l*l*l*3 + l*l*90 }
		p := profession.Of(&f.professions)
		out[profession.Name] = reached(p.Level) + (reached(p.Level+1)-reached(p.Level))*int64(p.XpPercent)/100
	}
	return out
}
