package simulator

import (
	"strconv"
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

func (d dice) username() string {
	return pick(d, nameOnsets) + pick(d, nameCodas) + strconv.Itoa(d.between(10, 99))
}
