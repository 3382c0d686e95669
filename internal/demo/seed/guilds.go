package seed

import (
	"slices"

	"gamedata/graph/model"
	"gamedata/internal/demo/content"
)

// One player in playersPerGuild founds and owns a guild. Larger worlds contain the guilds of smaller ones.
const playersPerGuild = 160

// guildRanks and guildStars list the ranks, highest first.
var (
	guildRanks   = []string{"OWNER", "CHIEF", "STRATEGIST", "CAPTAIN", "RECRUITER", "RECRUIT"}
	guildStars   = []string{"★★★★★", "★★★★", "★★★", "★★", "★", ""}
	guildWeights = []int{0, 4, 8, 14, 24, 50}
)

// The guilds whose owners are in the cast, in order.
const (
	mossbound = iota
	lanternRow
	tidewatch
	emberforge
	castGuilds
)

var knownGuilds = [castGuilds]model.GuildReference{
	{UUID: "5e0f9a7b-2c3d-4e1f-8a6b-9c0d1e2f3a4b", Name: "Mossbound Company", Prefix: "MOSS"},
	{UUID: "71c3e5a9-d4b2-4f60-8e1c-3a5b7d9f1e2c", Name: "Lantern Row", Prefix: "LNRW"},
	{UUID: "b0000000-0000-4000-8000-000000000003", Name: "Tidewatch", Prefix: "TIDE"},
	{UUID: "b0000000-0000-4000-8000-000000000004", Name: "The Ember Forge", Prefix: "EMB4"},
}

// FirstGuild returns the uuid of the first guild of every world.
func FirstGuild() string { return knownGuilds[mossbound].UUID }

// sideGuilds is the number of the first of oddGuilds, beyond those that other players draw.
const sideGuilds = 1 << 20

// oddGuilds have members of the cast only, each for its name or tag.
var oddGuilds = [...]model.GuildReference{
	{UUID: "b0000000-0000-4000-8000-000000000101", Name: "Seaside Lamplighters", Prefix: "SEAS"},
	{UUID: "b0000000-0000-4000-8000-000000000102", Name: "Brass Kettles", Prefix: "KETL"},
	{UUID: "b0000000-0000-4000-8000-000000000103", Name: "Kettle Makers", Prefix: "Ketl"},
	{UUID: "b0000000-0000-4000-8000-000000000104", Name: "Weiße Möwen", Prefix: "WM"},
}

// guildTagged returns the number of a guild of the cast.
func guildTagged(tag string) int {
	hasTag := func(g model.GuildReference) bool { return g.Prefix == tag }
	if n := slices.IndexFunc(knownGuilds[:], hasTag); n >= 0 {
		return n
	}
	return sideGuilds + slices.IndexFunc(oddGuilds[:], hasTag)
}

var guildFirsts, guildSeconds = content.Names("guild-firsts.txt"), content.Names("guild-seconds.txt")

const prefixLetters = "BCDGHJLMNPQRSTVWXYZ"

// guild returns the nth guild of a world; names and tags are unique.
func guild(seed uint64, n int) model.GuildReference {
	switch {
	case n < castGuilds:
		return knownGuilds[n]
	case n >= sideGuilds:
		return oddGuilds[n-sideGuilds]
	}
	r := source(seed, forGuild, uint64(n))
	names := len(guildFirsts) * len(guildSeconds)
	at := (n*1237 + int(seed%uint64(names))) % names
	l := len(prefixLetters)
	tag := (n*2741 + int(seed%4093)) % (l * l * l)
	return model.GuildReference{
		UUID:   randomUUID(r),
		Name:   guildFirsts[at%len(guildFirsts)] + " " + guildSeconds[at/len(guildFirsts)],
		Prefix: string([]byte{prefixLetters[tag%l], prefixLetters[tag/l%l], prefixLetters[tag/l/l]}),
	}
}

// founded returns the guild that the ith player owns, or -1.
func founded(i int) int {
	if i >= len(Cast) && i%playersPerGuild == 0 {
		return castGuilds - 1 + i/playersPerGuild
	}
	return -1
}

// founder returns the player who owns the nth guild, which is not one of the cast.
func founder(n int) int { return (n - castGuilds + 1) * playersPerGuild }

// guildsBefore returns the number of guilds founded by players before the ith.
func guildsBefore(i int) int { return castGuilds + (max(i, 1)-1)/playersPerGuild }
