package resolvers

import (
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/leaderboard"
)

// passes reports whether a player's rule admits a viewer with the given relation to the player. A rule never set is
// public; an unknown value admits only the owner.
func passes(set model.AccessRules, rule model.AccessRule, r relation) bool {
	owner := r.owner.Has(rule)
	if r.rules != nil {
		set = *r.rules
	}
	switch set[rule] {
	case model.Public, "":
		return true
	case model.Friend:
		return owner || r.friend
	case model.GuildOnly:
		return owner || r.guildMember
	case model.GuildAndFriends, model.GuildOrFriends:
		return owner || r.friend || r.guildMember
	}
	return owner
}

// restrictedRules returns the rules that restrict a viewer. They depend only on the rules and the viewer, not on
// whether the player has anything to hide.
func restrictedRules(set model.AccessRules, r relation) (restricted model.AccessRuleSet) {
	for rule := range model.NumAccessRules {
		if !passes(set, rule, r) {
			restricted |= model.AccessRuleSetOf(rule)
		}
	}
	return restricted
}

// Hidden fields are overwritten with the fields of these empty records.
var (
	emptyPlayer    model.Player
	emptyCharacter model.Character
)

// redactPlayer returns a copy of the player without the fields hidden from the viewer. Records are shared, hence the
// copy.
func redactPlayer(record *model.Player, r relation) *model.Player {
	return redactPlayerBy(record, restrictedRules(record.Rules, r))
}

func redactPlayerBy(record *model.Player, restricted model.AccessRuleSet) *model.Player {
	p := *record
	p.Redaction = model.Redaction{Done: true, By: restricted}
	p.Rules, p.Address = model.AccessRules{}, ""
	p.Featured = featuredStats(record)
	if record.Guild != nil && record.Membership != nil {
		guild := *record.Guild
		guild.JoinedAt, guild.Contributed = &record.Membership.JoinedAt, &record.Membership.Contributed
		p.Guild = &guild
	}
	p.GuildHistory = orEmpty(p.GuildHistory)
	for rule := range model.NumAccessRules {
		if restricted.Has(rule) {
			rule.CopyPlayer(&p, &emptyPlayer)
		}
	}
	if !p.Online {
		p.World, p.ActiveCharacter = nil, nil
	}
	p.PreviousRanking = visibleRanking(&p, p.PreviousRanking)
	return &p
}

func visibleRanking(p *model.Player, list []*model.RankPosition) []*model.RankPosition {
	switch {
	case hidesStats(p):
		return []*model.RankPosition{}
	case hidesCharacters(p):
		// A board of characters does not name the player, but the position would lead to the entry and its score.
		return slices.DeleteFunc(slices.Clone(list), func(r *model.RankPosition) bool {
			return leaderboard.RanksCharacters(r.Type)
		})
	}
	return list
}

func hidesStats(p *model.Player) bool { return p.Restricted(model.MainAccess) }

// hidesDays reports whether the player hides on which days they play, or what changed on those days.
func hidesDays(p *model.Player) bool { return hidesStats(p) || p.Restricted(model.OnlineStatus) }

// redactCharacter removes what the owner's rules hide from a character. The caller has already checked the rule for the
// list of characters.
func redactCharacter(record *model.Character, owner *model.Player) *model.Character {
	c := *record
	var restricted model.AccessRuleSet
	for rule := range model.NumAccessRules {
		if owner.Restricted(rule) && rule.GuardsCharacter() {
			restricted |= model.AccessRuleSetOf(rule)
			rule.CopyCharacter(&c, &emptyCharacter)
		}
	}
	c.Redaction = model.Redaction{Done: true, By: restricted}
	if c.Meta == nil {
		c.Meta = &model.CharacterMeta{}
	}
	if restricted.Has(model.CharacterDataAccess) {
		return &c
	}
	if c.Pvp == nil {
		c.Pvp = &model.PvpStats{Kills: new(int64), Deaths: new(int64)}
	}
	if c.ProfessionLevels == nil {
		c.ProfessionLevels = &model.Professions{}
	}
	c.Quests, c.RemovedStats = orEmpty(c.Quests), orEmpty(c.RemovedStats)
	return &c
}

func showsOnline(p *model.Player, r relation) bool {
	return p.Online && !hidesPresence(p, r)
}

// hidesPresence reports whether a player hides from the viewer whether they are online, and where.
func hidesPresence(p *model.Player, r relation) bool { return !passes(p.Rules, model.OnlineStatus, r) }

// shownLastJoin returns when a player last joined, or nil if a rule hides it from the viewer.
func shownLastJoin(p *model.Player, r relation) *time.Time {
	if !passes(p.Rules, model.MainAccess, r) || hidesPresence(p, r) {
		return nil
	}
	return p.LastJoinedAt
}

func listsCharacters(p *model.Player) bool { return !p.Restricted(model.CharacterListAccess) }

func showsCharacterData(p *model.Player) bool { return !p.Restricted(model.CharacterDataAccess) }

// hidesCharacters reports whether boards of characters do not name a redacted player.
func hidesCharacters(p *model.Player) bool { return !listsCharacters(p) || !showsCharacterData(p) }

// hiddenOn reports whether a leaderboard hides from the viewer which player an entry belongs to.
func hiddenOn(b *leaderboard.Board, p *model.Player) bool {
	return hidesStats(p) || b.OfCharacters() && hidesCharacters(p)
}

// eventRules are the rules of a player that the viewer must pass to see an event about the player. Any action shows
// that the player is online at that moment. Joining a guild shows no more than its list of members, and names are
// public. Events that name a former guild also require GuildHistoryAccess.
var eventRules = map[model.EventType]model.AccessRuleSet{
	model.EventPlayerCameOnline:       model.AccessRuleSetOf(model.OnlineStatus),
	model.EventPlayerWentOffline:      model.AccessRuleSetOf(model.OnlineStatus),
	model.EventPlayerChangedWorld:     model.AccessRuleSetOf(model.OnlineStatus),
	model.EventPlayerRenamed:          0,
	model.EventCharacterCreated:       characterEventRules,
	model.EventCharacterLevelChanged:  characterEventRules,
	model.EventCharacterDied:          characterEventRules,
	model.EventGuildMemberJoined:      0,
	model.EventGuildMemberLeft:        model.AccessRuleSetOf(model.GuildHistoryAccess),
	model.EventGuildMemberRankChanged: 0,
	model.EventWarFinished:            partyEventRules,
	model.EventRaidFinished:           partyEventRules,
}

var (
	characterEventRules = model.AccessRuleSetOf(model.OnlineStatus, model.CharacterListAccess, model.CharacterDataAccess)
	partyEventRules     = model.AccessRuleSetOf(model.OnlineStatus, model.MainAccess)
)

// featuredStats returns the stats that a player chose to feature, with current values. An unknown path keeps its stored
// value; stats without a value are left out.
func featuredStats(p *model.Player) []*model.FeaturedStat {
	out := make([]*model.FeaturedStat, 0, len(p.Featured))
	for _, chosen := range p.Featured {
		stat := model.FeaturedStat{Stat: chosen.Stat, Number: chosen.Number, Text: chosen.Text}
		if n, ok := model.PlayerStat(p, chosen.Stat); ok {
			stat.Number, stat.Text = &n, nil
		} else if chosen.Stat == "playtime" {
			stat.Number = nil
		} else if chosen.Stat == "firstJoin" && p.FirstJoinedAt != nil {
			text := model.FormatDateTime(*p.FirstJoinedAt)
			stat.Number, stat.Text = nil, &text
		}
		if stat.Number != nil || stat.Text != nil {
			out = append(out, &stat)
		}
	}
	return out
}
