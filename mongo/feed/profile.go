package feed

import (
	"slices"
	"time"

	"gamedata/graph/model"
)

// Rank is the rank of a player and how it is displayed.
type Rank struct {
	// Rank is the staff rank; Player for players without one.
	Rank string `json:"rank"`
	// ShortenedRank is the short form of the rank.
	ShortenedRank *string `json:"shortenedRank"`
	// SupportRank is the supporter rank, such as hero; null when none.
	SupportRank *string `json:"supportRank"`
	// RankBadge is the path of the badge, relative to the host of assets.
	RankBadge *string `json:"rankBadge"`
	// LegacyRankColour has the two colours of the rank.
	LegacyRankColour *model.LegacyRankColour `json:"legacyRankColour"`
	// Veteran says whether the player is a veteran.
	Veteran *bool `json:"veteran,omitzero"`
}

// PlayerRanked sets the rank of a player and how it is displayed.
func (b *Batch) PlayerRanked(p *model.Player, r Rank) {
	p.Rank, p.ShortenedRank, p.SupportRank = r.Rank, r.ShortenedRank, r.SupportRank
	p.RankBadge, p.LegacyRankColour = r.RankBadge, r.LegacyRankColour
	c := b.player(p)
	c.set("rank", p.Rank)
	c.set("shortenedRank", p.ShortenedRank)
	c.set("supportRank", p.SupportRank)
	c.set("rankBadge", p.RankBadge)
	c.set("legacyRankColour", p.LegacyRankColour)
	if r.Veteran != nil {
		p.Veteran = r.Veteran
		c.set("veteran", p.Veteran)
	}
}

// NicknameSet sets the nickname of a player; nil removes it.
func (b *Batch) NicknameSet(p *model.Player, nickname *string) {
	p.Nickname = nickname
	b.player(p).set("nickname", nickname)
}

// AppearanceSet sets wallpaper and avatar of a player's profile.
func (b *Batch) AppearanceSet(p *model.Player, wallpaper, avatar string) {
	p.Wallpaper, p.Avatar = wallpaper, avatar
	c := b.player(p)
	c.set("wallpaper", wallpaper)
	c.set("avatar", avatar)
}

// FeaturedStatsSet sets the statistics that a player features on the profile.
func (b *Batch) FeaturedStatsSet(p *model.Player, stats []*model.FeaturedStat) {
	p.Featured = stats
	b.player(p).set("featuredStats", stats)
}

// AccessRulesSet changes some access rules of a player, for whom the game acts.
func (b *Batch) AccessRulesSet(p *model.Player, rules map[model.AccessRule]model.Access) {
	var keys []string
	for rule := range model.NumAccessRules {
		if value, ok := rules[rule]; ok {
			p.Rules[rule] = value
			keys = append(keys, rule.Info().Key)
			b.player(p).set("rules."+rule.Info().Key, string(value))
		}
	}
	b.purged = append(b.purged, p.UUID)
	b.record(time.Time{}, &model.AccessRulesChanged{Player: p.UUID, Rules: keys})
}

// PlayerBanned takes a player off the leaderboards and changes nothing else.
func (b *Batch) PlayerBanned(p *model.Player) {
	p.Banned = true
	b.player(p).set("banned", true)
	b.flagPlayer(p)
	b.purged = append(b.purged, p.UUID)
}

// PlayerUnbanned puts a player back on the leaderboards.
func (b *Batch) PlayerUnbanned(p *model.Player) {
	p.Banned = false
	b.player(p).unset("banned")
	b.flagPlayer(p)
	b.purged = append(b.purged, p.UUID)
}

// LinkCodeCreated adds a code with which an account can link a player once.
func (b *Batch) LinkCodeCreated(code *model.LinkCode) {
	b.linkCodes = slices.DeleteFunc(b.linkCodes, func(c *model.LinkCode) bool { return c.Digest == code.Digest })
	b.linkCodes = append(b.linkCodes, code)
}

// flagPlayer flags a player for the next refresh of the leaderboards.
func (b *Batch) flagPlayer(p *model.Player) {
	p.Flagged = true
	b.player(p).set("flagged", true)
}
