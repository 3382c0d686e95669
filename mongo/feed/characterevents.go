package feed

import (
	"slices"

	"gamedata/graph/model"
)

// CharacterAdded adds a new character of level 1, and its levels to the total of the player.
type CharacterAdded struct {
	// Player is the owner.
	Player PlayerID `json:"player"`
	// Character is the uuid of the new character.
	Character CharacterID `json:"character" feed:"added"`
	// Type is the class: ARCHER, WARRIOR, MAGE, ASSASSIN or SHAMAN.
	Type string `json:"type"`
	// Gamemode lists the gamemodes: hardcore, ironman, ultimate_ironman, craftsman, hunted.
	Gamemode []string `json:"gamemode,omitempty"`
}

// classes are the types of characters.
var classes = []string{"ARCHER", "WARRIOR", "MAGE", "ASSASSIN", "SHAMAN"}

func (e *CharacterAdded) apply(b *Batch, r *records) error {
	if !slices.Contains(classes, e.Type) {
		return invalid("type", "type is %q, want one of %q", e.Type, classes)
	}
	c := NewCharacter(string(e.Character), e.Type)
	c.Gamemode = append(c.Gamemode, e.Gamemode...)
	b.CharacterAdded(r.players[e.Player], c)
	r.characters[e.Character] = c
	return nil
}

// CharacterGained adds what a player gained by playing a character, to the character and to the player.
type CharacterGained struct {
	// Character is the one played.
	Character CharacterID `json:"character"`
	Gain
}

func (e *CharacterGained) apply(b *Batch, r *records) error {
	c, g := r.characters[e.Character], e.Gain
	if g.Level == 0 {
		if g.Level = c.Level; g.XPPercent == 0 {
			g.XPPercent = c.XPPercent
		}
	}
	if err := g.check(); err != nil {
		return err
	}
	b.CharacterGained(r.owner(c), c, g)
	return nil
}

func (g *Gain) check() error {
	if g.Hours < 0 || min(
		g.XP, g.Content, g.MobsKilled, g.ChestsFound, g.ItemsIdentified, g.BlocksWalked, g.Deaths, g.Discoveries,
		g.WorldEvents, g.Lootruns, g.Caves, g.PvpKills, g.PvpDeaths,
	) < 0 {
		return invalid("", "a gain is negative")
	}
	if err := checkLevel("", g.Level, g.XPPercent); err != nil {
		return err
	}
	for _, p := range g.Practised {
		if !isProfession(p.Profession) {
			return invalid("practised.profession", "there is no profession %q", p.Profession)
		}
		if p.XP < 0 {
			return invalid("practised.xp", "a gain is negative")
		}
		if err := checkLevel("practised.", p.Level, p.XPPercent); err != nil {
			return err
		}
	}
	if slices.Contains(g.Quests, "") || slices.Contains(g.Dungeons, "") {
		return invalid("", "a quest or dungeon has no name")
	}
	return nil
}

func isProfession(name string) bool {
	for _, p := range model.ProfessionList {
		if p.Name == name {
			return true
		}
	}
	return false
}

// checkLevel checks a level and the progress to the next one.
func checkLevel(path string, level, percent int) error {
	switch {
	case level < 1:
		return invalid(path+"level", "level is %d, want at least 1", level)
	case percent < 0 || percent > 100:
		return invalid(path+"xpPercent", "xpPercent is %d, want 0 to 100", percent)
	}
	return nil
}

// RaidCompletedRaider is a raider of RaidCompleted.
type RaidCompletedRaider struct {
	// Character is the one played.
	Character CharacterID `json:"character"`
	// Gambits are the numbers of gambits used by the points they give: ten, twenty, thirty.
	Gambits model.GambitCounts `json:"gambits,omitzero"`
	// Stats are what the player did in the run: damageTaken, damageDealt, healthHealed, deaths, buffsTaken.
	// gambitsUsed follows from the gambits.
	Stats model.RaidStats `json:"stats,omitzero"`
}

// RaidCompleted counts a raid for each raider, and for their guild if it was a guild raid.
type RaidCompleted struct {
	// Raid is the name of the raid.
	Raid string `json:"raid"`
	// Guild is the guild of all raiders in a guild raid; left out otherwise.
	Guild GuildID `json:"guild,omitempty"`
	// Raiders are the members of the party.
	Raiders []RaidCompletedRaider `json:"raiders"`
}

func (e *RaidCompleted) apply(b *Batch, r *records) error {
	if e.Raid == "" {
		return invalid("raid", "raid is missing")
	}
	if len(e.Raiders) == 0 {
		return invalid("raiders", "raiders is empty")
	}
	run := RaidRun{Raid: e.Raid, Guild: r.guilds[e.Guild]}
	seen := map[CharacterID]bool{}
	for _, raider := range e.Raiders {
		g, s := raider.Gambits, raider.Stats
		if min(g.Ten, g.Twenty, g.Thirty, s.DamageTaken, s.DamageDealt, s.HealthHealed, s.Deaths, s.BuffsTaken) < 0 {
			return invalid("raiders", "a number of a raider is negative")
		}
		if seen[raider.Character] {
			return invalid("raiders.character", "character %s is listed twice", raider.Character)
		}
		seen[raider.Character] = true
		c := r.characters[raider.Character]
		run.Raiders = append(run.Raiders, Raider{Player: r.owner(c), Character: c, Gambits: g, Stats: s})
	}
	b.RaidCompleted(run)
	return nil
}

// CharacterDeleted deletes a character and computes playtime and globalData of the player from the
// characters left; the next refresh of the leaderboards follows. guildRaids and guildHistory, which are counted
// by player only, stay; so do raidStats and gambits of raids that another character has completed. To delete a
// character that is not in the store only computes the statistics again.
type CharacterDeleted struct {
	// Player is the owner.
	Player    PlayerID    `json:"player"`
	Character CharacterID `json:"character" feed:"deleted"`
}

func (e *CharacterDeleted) needs(n *needs) { n.charactersOf = append(n.charactersOf, string(e.Player)) }

func (e *CharacterDeleted) apply(b *Batch, r *records) error {
	if c := r.characters[e.Character]; c != nil && c.Owner != string(e.Player) {
		return conflict("character", "character %s is not one of player %s", e.Character, e.Player)
	}
	delete(r.characters, e.Character)
	b.CharacterDeleted(r.players[e.Player], string(e.Character), r.charactersOf(string(e.Player)))
	return nil
}

// CharacterDied makes the death of a hardcore character permanent. The character keeps its place on the
// leaderboards.
type CharacterDied struct {
	Character CharacterID `json:"character"`
}

func (e *CharacterDied) apply(b *Batch, r *records) error {
	c := r.characters[e.Character]
	if !slices.Contains(c.Gamemode, "hardcore") {
		return conflict("character", "character %s is not a hardcore character", e.Character)
	}
	b.CharacterDied(c)
	return nil
}

// AbilitiesSet sets the abilities that a character has unlocked.
type AbilitiesSet struct {
	Character CharacterID `json:"character"`
	// Abilities are the ids of abilities of the class's tree.
	Abilities []string `json:"abilities"`
}

func (e *AbilitiesSet) apply(b *Batch, r *records) error {
	if err := checkNames("abilities", e.Abilities); err != nil {
		return err
	}
	b.AbilitiesSet(r.characters[e.Character], append([]string{}, e.Abilities...))
	return nil
}

// checkNames checks that names are not empty and not listed twice.
func checkNames(field string, names []string) error {
	for i, name := range names {
		if name == "" {
			return invalid(field, "%s has an empty name", field)
		}
		if slices.Contains(names[:i], name) {
			return invalid(field, "%q is listed twice", name)
		}
	}
	return nil
}

// SkillPointsSet sets the skill points of a character.
type SkillPointsSet struct {
	Character CharacterID `json:"character"`
	// Points are strength, dexterity, intelligence, defence and agility.
	Points model.SkillPoints `json:"points"`
}

func (e *SkillPointsSet) apply(b *Batch, r *records) error {
	p := e.Points
	if min(p.Strength, p.Dexterity, p.Intelligence, p.Defence, p.Agility) < 0 {
		return invalid("points", "a number of points is negative")
	}
	b.SkillPointsSet(r.characters[e.Character], p)
	return nil
}

// GamemodeSet sets the gamemodes of a character, which decide on which leaderboards it is.
type GamemodeSet struct {
	Character CharacterID `json:"character"`
	// Gamemode lists the gamemodes: hardcore, ironman, ultimate_ironman, craftsman, hunted.
	Gamemode []string `json:"gamemode"`
}

func (e *GamemodeSet) apply(b *Batch, r *records) error {
	if err := checkNames("gamemode", e.Gamemode); err != nil {
		return err
	}
	c := r.characters[e.Character]
	b.GamemodeSet(r.owner(c), c, append([]string{}, e.Gamemode...))
	return nil
}

// CharacterRestyled sets nickname and reskin of a character.
type CharacterRestyled struct {
	Character CharacterID `json:"character"`
	// Nickname is the character's nickname; null removes it.
	Nickname *string `json:"nickname"`
	// Reskin is the name of the reskinned class, such as NINJA; null removes it.
	Reskin *string `json:"reskin"`
}

func (e *CharacterRestyled) apply(b *Batch, r *records) error {
	b.CharacterRestyled(r.characters[e.Character], e.Nickname, e.Reskin)
	return nil
}
