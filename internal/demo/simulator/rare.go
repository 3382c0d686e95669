package simulator

import (
	"slices"

	"gamedata/graph/model"
	"gamedata/internal/demo/content"
	"gamedata/internal/feed"
)

// supporterRanks are bought one after another.
var supporterRanks = content.Records[supporterRank]("supporters.json")

type supporterRank struct {
	Name, Short, Badge string
	Colour             model.RankColours
}

// rareEvents lets happen what happens a few times a day: deaths of hardcore characters, deleted characters, new
// ranks, skill points, access rules and banners, and territories that fall free.
func (w *World) rareEvents() {
	w.loseTerritory()
	if len(w.online) == 0 {
		return
	}
	perHour := 0.02 * float64(len(w.online))
	for range w.happen(perHour) {
		w.die()
	}
	for range w.happen(perHour) {
		w.deleteCharacter(pick(w.dice, w.online))
	}
	for range w.happen(perHour) {
		w.buyRank(pick(w.dice, w.online))
	}
	for range w.happen(perHour) {
		w.changeRule(pick(w.dice, w.online))
	}
	for range w.happen(perHour) {
		if p := pick(w.dice, w.online); p.playing != nil {
			w.play(&feed.SkillPointsSet{Character: characterID(p.playing), Points: w.skillPoints(p.playing.Level)})
		}
	}
	for range w.happen(perHour) {
		if p := pick(w.dice, w.online); p.guild != nil {
			w.play(&feed.BannerSet{Guild: p.guild.id(), Banner: w.banner()})
		}
	}
}

// die ends the life of a hardcore character that is played outside a raid. The player goes on with another one.
func (w *World) die() {
	mortal := slices.DeleteFunc(slices.Clone(w.online), func(p *player) bool {
		return p.playing == nil || p.party != nil || !slices.Contains(p.playing.Gamemode, "hardcore")
	})
	if len(mortal) == 0 {
		return
	}
	p := pick(w.dice, mortal)
	w.play(&feed.CharacterDied{Character: characterID(p.playing)})
	p.retire(p.playing)
	p.playing = nil
}

// retire removes a character from the characters that the player plays.
func (p *player) retire(c *model.Character) {
	p.characters = slices.DeleteFunc(p.characters, func(other *model.Character) bool { return other == c })
	p.retired = append(p.retired, c)
}

// deleteCharacter deletes a dead character of a player, else the lowest of several that is not being played.
func (w *World) deleteCharacter(p *player) {
	var victim *model.Character
	for _, c := range slices.Concat(p.retired, p.characters) {
		if c == p.playing || len(p.characters) < 2 && !died(c) {
			continue
		}
		if victim == nil || died(c) && !died(victim) || died(c) == died(victim) && c.Level < victim.Level {
			victim = c
		}
	}
	if victim == nil {
		return
	}
	isVictim := func(c *model.Character) bool { return c == victim }
	p.characters = slices.DeleteFunc(p.characters, isVictim)
	p.retired = slices.DeleteFunc(p.retired, isVictim)
	w.play(&feed.CharacterDeleted{Player: p.id(), Character: characterID(victim)})
}

func died(c *model.Character) bool { return c.Meta != nil && c.Meta.Died }

// buyRank gives a player without a staff rank the next supporter rank.
func (w *World) buyRank(p *player) {
	next := 0
	if p.SupportRank != nil {
		next = 1 + slices.IndexFunc(supporterRanks, func(r supporterRank) bool { return r.Name == string(*p.SupportRank) })
	}
	if p.Rank != "Player" || next == len(supporterRanks) {
		return
	}
	r := supporterRanks[next]
	w.play(&feed.PlayerRanked{Player: p.id(), PlayerRank: model.PlayerRank{
		Rank: p.Rank, ShortenedRank: p.ShortenedRank, SupportRank: (*model.Label)(&r.Name),
		RankBadge: &r.Badge, RankColours: &r.Colour,
	}})
}

// changeRule lets a player decide again about one of their access rules.
func (w *World) changeRule(p *player) {
	value := pick(w.dice, []model.Access{model.Public, model.Public, model.Friend, model.GuildAndFriends})
	rule := model.AccessRule(w.IntN(int(model.NumAccessRules)))
	if p.Rules[rule] == value {
		return
	}
	w.play(&feed.AccessRulesSet{Player: p.id(), Rules: map[string]model.Access{rule.Info().Key: value}})
}

// skillPoints distributes the points of a level, two for each and at most 200.
func (d dice) skillPoints(level int) model.SkillPoints {
	var s model.SkillPoints
	skills := []*int{&s.Strength, &s.Dexterity, &s.Intelligence, &s.Defence, &s.Agility}
	for left := min(2*level, 200); left > 0; {
		n := min(d.between(5, 40), left)
		*pick(d, skills) += n
		left -= n
	}
	return s
}

var (
	bannerColours  = []string{"WHITE", "GREEN", "BLUE", "RED", "BLACK", "YELLOW", "PURPLE"}
	bannerPatterns = []string{"CIRCLE_MIDDLE", "STRIPE_TOP", "STRIPE_BOTTOM", "CROSS", "BORDER"}
)

func (d dice) banner() *model.Banner {
	b := &model.Banner{Base: pick(d, bannerColours), Tier: d.between(1, 6), Structure: "defaultTier1"}
	for range d.between(1, 4) {
		b.Layers = append(b.Layers, &model.BannerLayer{
			Colour: pick(d, bannerColours), Pattern: pick(d, bannerPatterns),
		})
	}
	return b
}

// lossesPerHour is how many territories fall free.
const lossesPerHour = 0.4

// loseTerritory sometimes frees a territory that is no headquarters, so that its guild keeps others.
func (w *World) loseTerritory() {
	for range w.happen(lossesPerHour) {
		if len(w.land) == 0 {
			return
		}
		t := pick(w.dice, w.land)
		if t.Guild.UUID == nil || t.Hq {
			continue
		}
		holder := *t.Guild.UUID
		w.play(&feed.TerritoryFreed{Territory: feed.TerritoryName(t.Name), At: w.now})
		if s := w.season(); s != nil {
			w.rate(w.guildOf[holder], s, 0)
		}
	}
}
