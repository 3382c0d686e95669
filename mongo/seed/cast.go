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
var Cast = []Member{
	{
		"Salted",
		"3f2b8c1e-7a4d-4e9b-9c55-0d1e2f3a4b5c",
		"plain and open: champion, online on EU37 from 127.0.0.1, chief of Mossbound Company; first character with " +
			"many abilities, second hardcore, ironman and dead with few, third with none",
		salted,
	},
	{
		"Brindle", "a81c0d2e-5b6f-4a7c-8d9e-1f2a3b4c5d6e",
		"online on EU37 from 127.0.0.1 too; hardcore archer Brin alive, hardcore mage dead", brindle,
	},
	{
		"Okapi", "c7d4e5f6-1a2b-4c3d-9e8f-7a6b5c4d3e2f",
		"rank Media and champion, online on WC17 from ::1, two former guilds, a legacy name", okapi,
	},
	{"Veiled", castUUID(3), "all six rules private, online on EU37, hidden from the list but counted", veiled},
	{"Mirrored", castUUID(4), "one of two players of exactly this name, both recruits of Lantern Row", member(lanternRow,
		5)},
	{"Mirrored", castUUID(5), "the other one", member(lanternRow, 5)},
	{"Hollowed", castUUID(6), "no characters", hollowed},
	{"Quietmoss", castUUID(7), "onlineStatus, online on WC1, captain of Lantern Row", both(hidesPresence,
		on("WC1", "192.0.2.17"), member(lanternRow, 3))},
	{"Shuttered", castUUID(8), "mainAccess, recruiter of Lantern Row", both(hidesMain, member(lanternRow, 4))},
	{"Loomkeeper", castUUID(9), "characterBuildAccess; a hardcore character", both(hidesBuild, mortal)},
	{"Listless", castUUID(10), "characterListAccess", hidesList},
	{"Sealed", castUUID(11), "characterDataAccess; a hardcore character", both(hidesData, mortal)},
	{"Unwritten", castUUID(12), "guildHistoryAccess, with a history to hide", both(hidesHistory, member(tidewatch, 0,
		lanternRow), raiding)},
	{"Twinleaf", castUUID(13), "one of two names that differ only in case", nothing},
	{"TWINLEAF", castUUID(14), "the other one", nothing},
	{"Foggy", castUUID(15), "mainAccess and onlineStatus, online on US12", both(hidesMain,
		hidesPresence, on("US12", "198.51.100.15"))},
	{"Vaulted", castUUID(16), "characterListAccess and characterDataAccess", both(hidesList,
		hidesData)},
	{"Companion", castUUID(17), "every rule friend", both(every(model.Friend), on("EU37", "198.51.100.17"))},
	{"Hearthside", castUUID(18), "every rule guild, member of Mossbound Company", both(every(model.GuildOnly),
		member(mossbound, 3), on("WC1", "198.51.100.18"))},
	{"Gathering", castUUID(19), "every rule guildandfriends, owner of Lantern Row", both(every(model.GuildAndFriends),
		member(lanternRow, 0))},
	{"Oldspelling", castUUID(20), "every rule guildorfriends, the old spelling", both(every(model.GuildOrFriends),
		member(mossbound, 5))},
	{"Patchwork", castUUID(21), "each rule another value", patchwork},
	{"Copperleaf", castUUID(22), "supporter vip; owner of the guild named as a path is", both(supports("vip"),
		member(namedAsPath, 0))},
	{"Silverleaf", castUUID(23), "supporter vipplus; owner of Brass Kettles, tag KETL", both(supports("vipplus"),
		member(kettles, 0))},
	{
		"Goldleaf", castUUID(24), "supporter hero; nickname of the player; online on EU37 in a party with Salted",
		both(supports("hero"), on("EU37", "198.51.100.24")),
	},
	{"Stewardess", castUUID(25), "Administrator, in short Admin; online on US12", staff("Administrator",
		on("US12", "2001:db8::25"))},
	{
		"Gatewarden", castUUID(26), "Moderator, in short Mod; hero besides; weeklyAccess, recruit of Tidewatch",
		staff("Moderator", func(p *plan) { p.support = "hero" },
			hidesWeekly, member(tidewatch, 5)),
	},
	{"Mason", castUUID(27), "Builder, a rank without a short form; owner of Kettle Makers, tag Ketl", staff("Builder",
		member(kettleMakers, 0))},
	{"Spider", castUUID(28), "WebDev; online without a world yet: counted, not listed", staff("WebDev",
		on("", "192.0.2.28"))},
	{
		"Unranked", castUUID(29), "an old record without rank badge, colour, short form and veteran: null",
		func(p *plan) { p.noRankDrawn = true },
	},
	{"Elderquill", castUUID(30), "veteran with a character from before the economy", elderquill},
	{"Colossal", castUUID(31), "counters far beyond 32 bits, negative blocksWalked on the second character", colossal},
	{
		"Wanderer", castUUID(32), "no raids: raidStats null, guildRaids null; second character with dungeons and raids null",
		wanderer,
	},
	{"Blank", castUUID(33), "no guild, no featured stats, empty history; one new character of level 1", blank},
	{"Showcase", castUUID(34), "every featured stat there is", showcase},
	{"Journeyer", castUUID(35), "a history of several guilds and none now", journeyer},
	{"Modest", castUUID(36), "one character in each gamemode", modest},
	{"Medley", castUUID(37), "one character in each combination of gamemodes that has a leaderboard", medley},
	{
		"Turncoat", castUUID(38), "every class with its reskin; removed stats on the first; owner of Weiße Möwen",
		both(turncoat, member(foldedName, 0)),
	},
	{"Pathfinder", castUUID(39), "a raid listed as Unknown; owner of Mossbound Company; online on WC1", pathfinder},
	{"Smithson", castUUID(40), "owner of The Ember Forge, guild history empty; online on EU12", both(member(emberforge, 0),
		on("EU12", "2001:db8::40"), raidless)},
}

func castUUID(i int) string { return fmt.Sprintf("a0000000-0000-4000-8000-%012d", i) }

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
