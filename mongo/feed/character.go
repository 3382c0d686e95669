package feed

import (
	"time"

	"gamedata/graph/model"
)

// CharacterDied makes the death of a hardcore character permanent.
func (b *Batch) CharacterDied(c *model.Character) {
	own := b.character(c)
	if c.Meta == nil || !c.Meta.Died {
		own.tally("deaths", &c.Deaths, 1)
		b.record(time.Time{}, &model.CharacterDied{Player: c.Owner, Character: c.UUID, Level: c.Level})
	}
	c.Meta = &model.CharacterMeta{Died: true}
	own.set("meta", c.Meta)
}

// AbilitiesSet sets the abilities that a character has unlocked.
func (b *Batch) AbilitiesSet(c *model.Character, abilities []string) {
	c.Unlocked = abilities
	b.character(c).set("unlocked", abilities)
}

// SkillPointsSet sets the skill points of a character.
func (b *Batch) SkillPointsSet(c *model.Character, points model.SkillPoints) {
	c.SkillPoints = &points
	b.character(c).set("skillPoints", points)
}

// GamemodeSet sets the gamemodes of a character, which decide on which leaderboards it is.
func (b *Batch) GamemodeSet(p *model.Player, c *model.Character, gamemode []string) {
	c.Gamemode = gamemode
	b.character(c).set("gamemode", gamemode)
	b.flagPlayer(p)
}

// CharacterRestyled sets nickname and reskin of a character; nil removes them.
func (b *Batch) CharacterRestyled(c *model.Character, nickname, reskin *string) {
	c.Nickname, c.Reskin = nickname, reskin
	own := b.character(c)
	own.set("nickname", nickname)
	own.set("reskin", reskin)
}
