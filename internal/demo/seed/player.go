package seed

import (
	"cmp"
	"strings"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/demo/content"
	"gamedata/internal/demo/dice"
	"gamedata/internal/feed"
)

// Worlds that players are on; the cast is on some of them.
var Worlds = strings.Fields("EU1 EU2 EU3 EU7 EU12 EU21 EU37 US1 US2 US5 US12 US30 AS1 AS3 WC1 WC2 WC17")

// nicknames of some players and characters.
var nicknames = []string{
	"Dusk", "Brin", "Old Moss", "The Baker", "Nettle", "Captain", "Little Owl", "Half-Pint", "Sir Stumbles", "Ash",
}

var (
	wallpapers = strings.Fields("default default default forest harbour midwinter")
	avatars    = strings.Fields("default default default owl lantern stag")
	accesses   = []model.Access{model.Friend, model.GuildOnly, model.GuildAndFriends, model.Private}
)

// featurable lists the statistics that a player can feature. Only the first join is a text.
var featurable = content.Names("featurable.txt")

// draw draws the ith player, who is not in the cast.
func (w *World) draw(d dice.Dice, i int) *Member {
	m := &Member{UUID: d.UUID(), Username: Username(w.Seed, i, d), AgeHours: d.Between(30*24, 12*365*24), Raids: true}
	if d.Chance(0.01) {
		m.Rank = dice.Pick(d, ranks).Name
	}
	if d.Chance(0.25) {
		m.Support = dice.Pick(d, supporters).Name
	}
	m.Veteran = m.AgeHours > 9*365*24
	if d.Chance(0.1) {
		m.Nickname = dice.Pick(d, nicknames)
	}
	if d.Chance(0.03) {
		m.LegacyName = Username(w.Seed, MaxPlayers+i%(nameSpace-MaxPlayers), d) // no player's
	}
	if d.Chance(0.15) {
		m.Rules = map[string]model.Access{}
		for rule := range model.NumAccessRules {
			if d.Chance(0.4) {
				m.Rules[rule.Info().Key] = dice.Pick(d, accesses)
			}
		}
	}
	if d.Chance(1.0 / 16) {
		m.Server, m.Address = dice.Pick(d, Worlds), d.Address()
	}
	w.drawGuilds(d, m, i)
	for range d.IntN(5) {
		m.Featured = append(m.Featured, featurable[(i+3*len(m.Featured))%len(featurable)])
	}
	return m
}

// makePlayer creates the record of the ith player, and adds it to the game.
func (w *World) makePlayer(i int) (*model.Player, []*model.Character) {
	d := w.dice(forPlayer, uint64(i))
	var m *Member
	if i < len(Cast) {
		m = &Cast[i]
	} else {
		m = w.draw(d, i)
	}
	age := time.Duration(cmp.Or(m.AgeHours, d.Between(2*365*24, 12*365*24))) * time.Hour
	first := w.Now.Add(-age - time.Duration(d.IntN(3_600_000))*time.Millisecond)
	away := min(d.Duration(60*day), age/2)
	if g := w.byTag[m.Guild]; g != nil { // joined it before the last visit
		away = min(away, w.Now.Sub(g.CreatedAt)/2)
	}
	if m.Address != "" {
		away = time.Duration(d.Between(1, 6*60*60)) * time.Second
	}
	last := w.Now.Add(-away - time.Duration(d.IntN(1000))*time.Millisecond)
	p := feed.NewPlayer(m.UUID, m.Username, first)
	m.describe(p)
	if i >= len(Cast) {
		p.Wallpaper, p.Avatar = dice.Pick(d, wallpapers), dice.Pick(d, avatars)
	}
	characters := makeCharacters(d, m, i, last.Sub(first).Hours())
	w.game.AddPlayer(p, characters...)
	if len(characters) > 0 {
		// Deleting an unknown character only computes the totals.
		w.play(&feed.CharacterDeleted{Player: feed.PlayerID(m.UUID), Character: "none"})
	}
	played := time.Duration(*p.Playtime * float64(time.Hour)).Round(time.Second)
	if m.Address != "" && away > played { // online for no longer than they have played
		last = w.Now.Add(-played)
	}
	p.LastJoinedAt = &last
	w.career(d, m, p, characters)
	w.arrive(d, m, p, characters)
	if m.LegacyName != "" {
		p.Username = m.LegacyName
		w.record(first.Add(last.Sub(first)/3*2).Truncate(time.Millisecond),
			&feed.PlayerRenamed{Player: feed.PlayerID(m.UUID), Username: m.Username})
		p.LegacyName = &m.LegacyName
	}
	p.Featured = featured(p, m.Featured)
	return p, characters
}

// describe sets the fields that follow from the member's description alone.
func (m *Member) describe(p *model.Player) {
	setRank(p, m.Rank, m.Support)
	p.Veteran, p.Banned = &m.Veteran, m.Banned
	if m.NoRankDrawn {
		p.RankBadge, p.RankColours, p.ShortenedRank, p.Veteran = nil, nil, nil, nil
	}
	if m.Nickname != "" {
		p.Nickname = &m.Nickname
	}
	for rule := range model.NumAccessRules {
		if access, ok := m.Rules[rule.Info().Key]; ok {
			p.Rules[rule] = access
		}
	}
}

// arrive brings a player online if they should be: with the first character, or not on a world yet.
func (w *World) arrive(d dice.Dice, m *Member, p *model.Player, characters []*model.Character) {
	if m.Address == "" {
		return
	}
	e := &feed.PlayerJoined{Player: feed.PlayerID(p.UUID), At: *p.LastJoinedAt, Address: m.Address}
	if m.Server != "" && len(characters) > 0 {
		e.Server, e.Character = m.Server, feed.CharacterID(characters[0].UUID)
		e.Location = Spawn(d)
	}
	w.play(e)
	p.Party = m.Party
}

// Spawn returns where a player enters a world.
func Spawn(d dice.Dice) model.Position {
	return model.Position{
		X: float64(d.Between(-900, 900)), Y: float64(d.Between(40, 110)), Z: float64(d.Between(-2400, -300)),
	}
}

func featured(p *model.Player, names []string) []*model.FeaturedStat {
	out := make([]*model.FeaturedStat, 0, len(names))
	for _, name := range names {
		stat := &model.FeaturedStat{Stat: name}
		if n, ok := model.PlayerStat(p, name); ok {
			stat.Number = &n
		} else {
			stat.Text = new(model.FormatDateTime(*p.FirstJoinedAt))
		}
		out = append(out, stat)
	}
	return out
}
