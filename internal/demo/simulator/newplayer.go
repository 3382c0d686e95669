package simulator

import (
	"strings"

	"gamedata/graph/model"
	"gamedata/internal/feed"
)

// newcomersPerHour is how many new players join.
const newcomersPerHour = 0.5

var classes = []string{"ARCHER", "WARRIOR", "MAGE", "ASSASSIN", "SHAMAN"}

func (w *World) newPlayer() *player {
	p := &player{uuid: w.uuid()}
	w.play(&feed.PlayerAdded{Player: p.id(), Username: w.username(), At: w.now})
	p.session = &session{Player: w.game.Player(p.id())}
	w.addPlayer(p, p.Player)
	w.newcomerCount++
	w.tally[Newcomers]++
	return p
}

func (w *World) newCharacter(p *player) *model.Character {
	e := &feed.CharacterAdded{Player: p.id(), Character: feed.CharacterID(w.uuid()), Type: pick(w.dice, classes)}
	w.play(e)
	return w.game.Character(e.Character)
}

var (
	nameOnsets = strings.Fields("Bra Cle Dri Fo Gla Hee Ja Ki Lu Mo Ne Pra Ro Se Tha Ve Wi Yo")
	nameCodas  = strings.Fields("bbin cket dle fern gan lark mble nder pple rrow ssel tter vane wick xter zzle")
)

func (w *World) username() string {
	return pick(w.dice, nameOnsets) + pick(w.dice, nameCodas) + string(rune('0'+w.IntN(10))) + string(rune('0'+w.IntN(10)))
}
