package feed

import (
	"slices"
	"time"

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

var classes = []string{"ARCHER", "WARRIOR", "MAGE", "ASSASSIN", "SHAMAN"}

func (e *CharacterAdded) apply(g *Game) error {
	if err := oneOf("type", e.Type, classes); err != nil {
		return err
	}
	c, p := NewCharacter(string(e.Character), e.Type), g.players.now[e.Player]
	c.Owner, c.Gamemodes = p.UUID, append(c.Gamemodes, e.Gamemode...)
	g.characters.now[e.Character] = c
	g.lock("player", p.UUID)
	g.record(time.Time{}, &model.CharacterCreated{Player: p.UUID, Character: c.UUID, Class: c.ClassKey})
	if p.Totals != nil {
		model.Raise(&p.Totals.TotalLevel, int64(c.TotalLevel))
	}
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

func (e *CharacterDeleted) apply(g *Game) error {
	c, p := g.characters.now[e.Character], g.players.now[e.Player]
	if c != nil && c.Owner != string(e.Player) {
		return conflict("character", "character %s is not one of player %s", e.Character, e.Player)
	}
	g.characters.remove(e.Character)
	g.gone[string(e.Character)] = true
	if p.ActiveCharacter != nil && *p.ActiveCharacter == string(e.Character) {
		g.recordPresence(p, time.Time{}, func() { p.World, p.ActiveCharacter, p.Location = nil, nil, nil })
	}
	setTotals(p, g.charactersOf(p.UUID))
	return nil
}

// CharacterDied makes the death of a hardcore character permanent. The character keeps its place on the
// leaderboards.
type CharacterDied struct {
	Character CharacterID `json:"character"`
}

func (e *CharacterDied) apply(g *Game) error {
	c := g.characters.now[e.Character]
	if !slices.Contains(c.Gamemodes, "hardcore") {
		return conflict("character", "character %s is not a hardcore character", e.Character)
	}
	if c.Meta == nil || !c.Meta.Died {
		model.Add(&c.Deaths, 1)
		g.record(time.Time{}, &model.CharacterDied{Player: c.Owner, Character: c.UUID, Level: c.Level})
	}
	c.Meta = &model.CharacterMeta{Died: true}
	return nil
}

// AbilitiesSet sets the abilities that a character has unlocked.
type AbilitiesSet struct {
	Character CharacterID `json:"character"`
	// Abilities are the ids of abilities of the class's tree.
	Abilities []string `json:"abilities"`
}

func (e *AbilitiesSet) apply(g *Game) error {
	return setNames(&g.characters.now[e.Character].Unlocked, "abilities", e.Abilities)
}

// setNames sets a list of names, none of which may be empty or listed twice.
func setNames(to *[]string, field string, names []string) error {
	for i, name := range names {
		if name == "" {
			return invalid(field, "%s has an empty name", field)
		}
		if slices.Contains(names[:i], name) {
			return invalid(field, "%q is listed twice", name)
		}
	}
	*to = append([]string{}, names...)
	return nil
}

// SkillPointsSet sets the skill points of a character.
type SkillPointsSet struct {
	Character CharacterID `json:"character"`
	// Points are strength, dexterity, intelligence, defence and agility.
	Points model.SkillPoints `json:"points"`
}

func (e *SkillPointsSet) apply(g *Game) error {
	p := e.Points
	g.characters.now[e.Character].SkillPoints = &p
	return nil
}

// GamemodeSet sets the gamemodes of a character, which decide on which leaderboards it is.
type GamemodeSet struct {
	Character CharacterID `json:"character"`
	// Gamemode lists the gamemodes: hardcore, ironman, ultimate_ironman, craftsman, hunted.
	Gamemode []string `json:"gamemode"`
}

func (e *GamemodeSet) apply(g *Game) error {
	return setNames(&g.characters.now[e.Character].Gamemodes, "gamemode", e.Gamemode)
}

// CharacterRestyled sets nickname and reskin of a character.
type CharacterRestyled struct {
	Character CharacterID `json:"character"`
	// Nickname is the character's nickname; null removes it.
	Nickname *string `json:"nickname"`
	// Reskin is the name of the reskinned class, such as NINJA; null removes it.
	Reskin *string `json:"reskin"`
}

func (e *CharacterRestyled) apply(g *Game) error {
	c := g.characters.now[e.Character]
	c.Nickname, c.Reskin = e.Nickname, e.Reskin
	return nil
}
