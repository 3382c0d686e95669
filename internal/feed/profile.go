package feed

import (
	"time"

	"gamedata/graph/model"
)

// PlayerRanked sets the rank of a player and how it is displayed.
type PlayerRanked struct {
	Player PlayerID `json:"player"`
	model.PlayerRank
}

func (e *PlayerRanked) apply(g *Game) error { return set(g, e.Player, &e.PlayerRank) }

// AppearanceSet sets wallpaper and avatar of a player's profile.
type AppearanceSet struct {
	Player PlayerID `json:"player"`
	model.Appearance
}

func (e *AppearanceSet) apply(g *Game) error { return set(g, e.Player, &e.Appearance) }

// set sets a group of a player's fields; none of the group may be missing.
func set(g *Game, player PlayerID, fields interface {
	Missing() string
	SetOn(*model.Player)
},
) error {
	if name := fields.Missing(); name != "" {
		return invalid(name, "%s is missing", name)
	}
	fields.SetOn(g.players.now[player])
	return nil
}

// NicknameSet sets the nickname of a player.
type NicknameSet struct {
	Player PlayerID `json:"player"`
	// Nickname is the nickname; null removes it.
	Nickname *string `json:"nickname"`
}

func (e *NicknameSet) apply(g *Game) error {
	if e.Nickname != nil && *e.Nickname == "" {
		return invalid("nickname", "nickname is empty; null removes it")
	}
	g.players.now[e.Player].Nickname = e.Nickname
	return nil
}

// FeaturedStatsSet sets the statistics that a player features on the profile.
type FeaturedStatsSet struct {
	Player PlayerID `json:"player"`
	// Stats are in the order of display. Each has stat, the path of the statistic such as globalData.wars,
	// and its value: number or text.
	Stats []*model.FeaturedStat `json:"stats"`
}

func (e *FeaturedStatsSet) apply(g *Game) error {
	seen := map[string]bool{}
	for _, s := range e.Stats {
		switch {
		case s == nil || s.Stat == "":
			return invalid("stats.stat", "a statistic has no path")
		case seen[s.Stat]:
			return invalid("stats.stat", "%q is listed twice", s.Stat)
		case (s.Number == nil) == (s.Text == nil):
			return invalid("stats", "%q requires either number or text", s.Stat)
		}
		seen[s.Stat] = true
	}
	g.players.now[e.Player].Featured = append([]*model.FeaturedStat{}, e.Stats...)
	return nil
}

// AccessRulesSet changes some access rules of a player, when the player sets them in the game. The last
// change counts, wherever it is made: in the game or on the account page.
type AccessRulesSet struct {
	Player PlayerID `json:"player"`
	// Rules has the new value by rule: mainAccess, characterListAccess, characterDataAccess,
	// characterBuildAccess, onlineStatus, guildHistoryAccess, weeklyAccess. A value is public, friend, guild,
	// guildandfriends or private. Rules that are left out do not change.
	Rules map[string]model.Access `json:"rules"`
}

func (e *AccessRulesSet) apply(g *Game) error {
	event := &model.AccessRulesChanged{Player: string(e.Player)}
	rules := g.players.now[e.Player].Rules
	for rule := range model.NumAccessRules {
		key := rule.Info().Key
		value, ok := e.Rules[key]
		if !ok {
			continue
		}
		switch value {
		case model.Public, model.Friend, model.GuildOnly, model.GuildAndFriends, model.Private:
			rules[rule] = value
			event.Rules = append(event.Rules, key)
		default:
			return invalid("rules."+key, "%s is %q, want public, friend, guild, guildandfriends or private", key, value)
		}
	}
	if len(event.Rules) < len(e.Rules) {
		return invalid("rules", "there is no such access rule")
	}
	if len(event.Rules) == 0 {
		return invalid("rules", "rules is empty")
	}
	g.players.now[e.Player].Rules = rules
	g.record(time.Time{}, event)
	return nil
}

// PlayerBanned takes a player off the leaderboards with the next refresh. Everything else stays.
type PlayerBanned struct {
	Player PlayerID `json:"player"`
}

func (e *PlayerBanned) apply(g *Game) error {
	p := g.players.now[e.Player]
	p.Banned, p.Flagged = true, true
	return nil
}

// PlayerUnbanned puts a player back on the leaderboards with the next refresh.
type PlayerUnbanned struct {
	Player PlayerID `json:"player"`
}

func (e *PlayerUnbanned) apply(g *Game) error {
	p := g.players.now[e.Player]
	p.Banned, p.Flagged = false, true
	return nil
}

// LinkCodeCreated makes a code valid with which an account links a player, once, within ten minutes. The
// game chooses the code and shows it to the player.
type LinkCodeCreated struct {
	Player PlayerID `json:"player"`
	// Code is 12 random characters of 0123456789ABCDEFGHJKMNPQRSTVWXYZ, in three groups with hyphens.
	Code string `json:"code"`
	// At is when the code was made.
	At time.Time `json:"at,omitzero"`
}

func (e *LinkCodeCreated) apply(g *Game) error {
	if g.linkCode == nil {
		return conflict("", "link codes are not available here")
	}
	code, err := g.linkCode(string(e.Player), e.Code, g.at(e.At))
	if err != nil {
		return invalid("code", "%s", err)
	}
	g.lock("player", string(e.Player))
	g.linkCodes[code.Digest] = code
	return nil
}
