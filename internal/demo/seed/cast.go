package seed

import (
	"fmt"

	"gamedata/graph/model"
)

// Member is a player of the cast, with the same name, uuid and purpose in every world.
type Member struct {
	Username string
	// UUID of the player. The nth character (from 1) of Cast[i] is CharacterUUID(i, n).
	UUID string
	// Shows describes the case that the player demonstrates.
	Shows string

	set func(*plan)
}

// Cast lists the first players of every world. They cover every case that a client can meet, the important
// ones among the first ten. Their access rules are private unless stated.
var Cast = withUUIDs([]Member{
	{
		"Salted", "3f2b8c1e-7a4d-4e9b-9c55-0d1e2f3a4b5c",
		"plain and open: champion, online on EU37 from 127.0.0.1, chief of Mossbound Company; first character with " +
			"many abilities, second hardcore, ironman and dead with few, third with none", salted,
	},
	{
		"Brindle", "a81c0d2e-5b6f-4a7c-8d9e-1f2a3b4c5d6e",
		"online on EU37 from 127.0.0.1 too; hardcore archer Brin alive, hardcore mage dead", brindle,
	},
	{
		"Okapi", "c7d4e5f6-1a2b-4c3d-9e8f-7a6b5c4d3e2f",
		"rank Media and champion, online on WC17 from ::1, two former guilds, a legacy name", okapi,
	},
	player("Veiled", "all six rules private, online on EU37, hidden from the list but counted", veiled),
	player("Mirrored", "one of two players of exactly this name, both recruits of Lantern Row", member(lanternRow, 5)),
	player("Mirrored", "the other one", member(lanternRow, 5)),
	player("Hollowed", "no characters", hollowed),
	player("Quietmoss", "onlineStatus, online on WC1, captain of Lantern Row",
		hidesPresence, on("WC1", "192.0.2.17"), member(lanternRow, 3)),
	player("Shuttered", "mainAccess, recruiter of Lantern Row", hidesMain, member(lanternRow, 4)),
	player("Loomkeeper", "characterBuildAccess; a hardcore character", hidesBuild, mortal),
	player("Listless", "characterListAccess", hidesList),
	player("Sealed", "characterDataAccess; a hardcore character", hidesData, mortal),
	player("Unwritten", "guildHistoryAccess, with a history to hide",
		hidesHistory, member(tidewatch, 0, lanternRow), raiding),
	player("Twinleaf", "one of two names that differ only in case"),
	player("TWINLEAF", "the other one"),
	player("Foggy", "mainAccess and onlineStatus, online on US12", hidesMain, hidesPresence, on("US12", "198.51.100.15")),
	player("Vaulted", "characterListAccess and characterDataAccess", hidesList, hidesData),
	player("Companion", "every rule friend", every(model.Friend), on("EU37", "198.51.100.17")),
	player("Hearthside", "every rule guild, member of Mossbound Company",
		every(model.GuildOnly), member(mossbound, 3), on("WC1", "198.51.100.18")),
	player("Gathering", "every rule guildandfriends, owner of Lantern Row",
		every(model.GuildAndFriends), member(lanternRow, 0)),
	player("Oldspelling", "every rule guildorfriends, the old spelling",
		every(model.GuildOrFriends), member(mossbound, 5)),
	player("Patchwork", "each rule another value", patchwork),
	player("Copperleaf", "supporter vip; owner of the guild named as a path is", supports("vip"), member(namedAsPath, 0)),
	player("Silverleaf", "supporter vipplus; owner of Brass Kettles, tag KETL", supports("vipplus"), member(kettles, 0)),
	player("Goldleaf", "supporter hero; nickname of the player; online on EU37 in a party with Salted",
		supports("hero"), on("EU37", "198.51.100.24")),
	player("Stewardess", "Administrator, in short Admin; online on US12",
		staff("Administrator", on("US12", "2001:db8::25"))),
	player("Gatewarden", "Moderator, in short Mod; hero besides; weeklyAccess, recruit of Tidewatch",
		staff("Moderator", func(p *plan) { p.support = "hero" }, hidesWeekly, member(tidewatch, 5))),
	player("Mason", "Builder, a rank without a short form; owner of Kettle Makers, tag Ketl",
		staff("Builder", member(kettleMakers, 0))),
	player("Spider", "WebDev; online without a world yet: counted, not listed", staff("WebDev", on("", "192.0.2.28"))),
	player("Unranked", "an old record without rank badge, colour, short form and veteran: null",
		func(p *plan) { p.noRankDrawn = true }),
	player("Elderquill", "veteran with a character from before the economy", elderquill),
	player("Colossal", "counters far beyond 32 bits, negative blocksWalked on the second character", colossal),
	player("Wanderer", "no raids: raidStats null, guildRaids null; second character with dungeons and raids null",
		wanderer),
	player("Blank", "no guild, no featured stats, empty history; one new character of level 1", blank),
	player("Showcase", "every featured stat there is", showcase),
	player("Journeyer", "a history of several guilds and none now", journeyer),
	player("Modest", "one character in each gamemode", modest),
	player("Medley", "one character in each combination of gamemodes that has a leaderboard", medley),
	player("Turncoat", "every class with its reskin; removed stats on the first; owner of Weiße Möwen",
		turncoat, member(foldedName, 0)),
	player("Pathfinder", "a raid listed as Unknown; owner of Mossbound Company; online on WC1", pathfinder),
	player("Smithson", "owner of The Ember Forge, guild history empty; online on EU12",
		member(emberforge, 0), on("EU12", "2001:db8::40"), raidless),
	player("Outlawed", "banned: on no leaderboard; nothing else is different",
		raiding, func(p *plan) { p.banned = true }),
})

// player returns a member of the cast to whom all facts apply.
func player(username, shows string, facts ...func(*plan)) Member {
	return Member{Username: username, Shows: shows, set: both(facts...)}
}

// withUUIDs gives a uuid to the members without one: a0000000-0000-4000-8000- and the index in twelve digits.
func withUUIDs(cast []Member) []Member {
	for i := range cast {
		if cast[i].UUID == "" {
			cast[i].UUID = fmt.Sprintf("a0000000-0000-4000-8000-%012d", i)
		}
	}
	return cast
}

// CharacterUUID returns the uuid of the nth character, from 1, of Cast[i].
func CharacterUUID(i, n int) string {
	switch {
	case i == 0 && n == 1:
		return "6c1f0b52-8f3e-4d0a-b7a1-2e9c4d5f6a70"
	case i == 0 && n == 2:
		return "f0a9d3c4-51b2-4e67-9a88-7b6c5d4e3f21"
	case i == 1 && n == 1:
		return "e8b16f03-7c2d-45a9-b0e4-3d5a8c917f26"
	}
	return fmt.Sprintf("c0000000-0000-4000-8000-%012d", 100*i+n)
}

func (p *plan) nameCharacters() {
	for n := range p.characters {
		p.characters[n].uuid = CharacterUUID(p.index, n+1)
	}
}

// CastUUIDs returns the uuids of the cast. A simulation excludes them, since each demonstrates a case.
func CastUUIDs() []string {
	out := make([]string, len(Cast))
	for i, m := range Cast {
		out[i] = m.UUID
	}
	return out
}
