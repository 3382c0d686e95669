package seed

import (
	"math"
	"math/rand/v2"

	"gamedata/graph/model"
)

// figures are a character and what its player's totals need besides.
type figures struct {
	model.Character
	raidCounts       [raidCount]int64
	professionLevels int
}

func (p *plan) record(s *sheet) *figures {
	r := p.r
	f := &figures{Character: model.Character{
		UUID: s.UUID, Owner: p.uuid, ClassKey: classTypes[s.Class], Level: s.Level, Meta: &model.CharacterMeta{Died: s.Died},
		Gamemode: append([]string{}, s.Modes...), RemovedStats: append([]string{}, s.Removed...),
	}}
	f.measure(r, s)
	f.train(r, s)
	f.TotalLevel, f.XP, f.XPPercent = s.Level+f.professionLevels, experience(r, s), r.IntN(100)
	f.Quests, f.Unlocked, f.ProfessionXP = questsDone(r, s), unlockedOf(r, s), f.professionXP()
	f.spend(r)
	content := int64(len(f.Quests)) + *f.Caves + *f.WorldEvents + *f.Lootruns + *f.Discoveries/4
	if !s.NoLists {
		f.explore(r, s)
		content += f.Dungeons.Total + f.Raids.Total
	}
	f.ContentCompletion = &content
	if s.Reskin {
		f.Reskin = &reskins[s.Class]
	}
	if s.Nickname != "" {
		f.Nickname = &s.Nickname
	}
	if s.PreEconomy {
		f.PreEconomy = new(true)
	}
	return f
}

// measure sets the counters that grow with playtime.
func (f *figures) measure(r *rand.Rand, s *sheet) {
	f.Playtime = new(math.Round(s.Hours*100) / 100)
	grown := func(perHour float64) *int64 { return new(int64(s.Hours * perHour * (0.5 + r.Float64()))) }
	f.MobsKilled, f.ChestsFound, f.BlocksWalked = grown(340), grown(7), grown(15_000)
	f.ItemsIdentified, f.Logins, f.Deaths = grown(1.1), grown(1.9), grown(0.3)
	*f.Logins++
	f.Discoveries = new(min(*grown(0.9)+int64(s.Level), 650))
	f.WorldEvents, f.Lootruns, f.Caves, f.Wars = new(int64), new(int64), new(int64), new(int64)
	if s.Level >= 40 {
		f.WorldEvents, f.Lootruns, f.Caves = grown(0.06), grown(0.04), new(min(*grown(0.08), 180))
	}
	if s.Level >= 100 && chance(r, 0.4) {
		f.Wars = grown(0.8)
	}
	f.Pvp = &model.PvpStats{Kills: new(int64), Deaths: new(int64)}
	if chance(r, 0.2) {
		*f.Pvp.Kills, *f.Pvp.Deaths = int64(r.IntN(12)), int64(r.IntN(12))
	}
	switch {
	case s.Died:
		*f.Deaths = 1
	case len(s.Modes) > 0 && s.Modes[0] == hardcore:
		*f.Deaths = 0
	}
}

func (f *figures) train(r *rand.Rand, s *sheet) {
	p := &model.Professions{}
	f.ProfessionLevels = p
	for _, slot := range []**model.ProfessionProgress{
		&p.Fishing, &p.Woodcutting, &p.Mining, &p.Farming, &p.Scribing, &p.Jeweling,
		&p.Alchemism, &p.Cooking, &p.Weaponsmithing, &p.Tailoring, &p.Woodworking, &p.Armouring,
	} {
		level := 1
		if s.Level > 5 {
			share := r.Float64()
			level = 1 + int(float64(min(s.Level, 105))*1.25*share*share)
		}
		*slot = &model.ProfessionProgress{Level: level, XpPercent: r.IntN(100)}
		f.professionLevels += level
	}
}

func experience(r *rand.Rand, s *sheet) int64 {
	l := int64(s.Level)
	return l*l*l*l*26 + r.Int64N(l*l*l*50)
}

// spend distributes the skill points of the level over the five skills.
func (f *figures) spend(r *rand.Rand) {
	p := &model.SkillPoints{}
	f.SkillPoints = p
	left := min(2*(f.Level-1), 200)
	for _, skill := range []*int{&p.Dexterity, &p.Strength, &p.Intelligence, &p.Agility, &p.Defence} {
		*skill = min(r.IntN(left+1), 100)
		left -= *skill
	}
}

// explore sets the lists of dungeons and raids, without names that have 0.
func (f *figures) explore(r *rand.Rand, s *sheet) {
	f.Dungeons, f.Raids = emptyList(), emptyList()
	add := func(to *model.CountList, name string, n int64) {
		if n > 0 {
			to.List = append(to.List, &model.NamedCount{Name: name, Count: n})
			to.Total += n
		}
	}
	for _, d := range dungeons {
		if s.Level >= d.Level && chance(r, 0.3) {
			add(f.Dungeons, d.Name, 1+int64(s.Hours*0.1*r.ExpFloat64()))
		}
	}
	if s.NoRaids {
		return
	}
	for i, raid := range model.Raids {
		if s.Raider {
			f.raidCounts[i] = 40
		}
		if s.Level >= raidLevels[i] && chance(r, 0.6) {
			f.raidCounts[i] += 1 + int64(s.Hours*0.1*r.ExpFloat64())
		}
		add(f.Raids, raid, f.raidCounts[i])
	}
	add(f.Raids, unnamedRaid, s.UnnamedRaids)
}

func emptyList() *model.CountList { return &model.CountList{List: []*model.NamedCount{}} }

// questsDone returns the quests up to the character's level without a few.
func questsDone(r *rand.Rand, s *sheet) []string {
	reach := min(len(quests)*s.Level/106, len(quests))
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
		p := profession.Of(f.ProfessionLevels)
		out[profession.Name] = reached(p.Level) + (reached(p.Level+1)-reached(p.Level))*int64(p.XpPercent)/100
	}
	return out
}
