package simulator

import (
	"strings"

	"gamedata/graph/model"
	"gamedata/mongo/feed"
)

// newcomersPerHour is how many new players join.
const newcomersPerHour = 0.5

var classes = []string{"ARCHER", "WARRIOR", "MAGE", "ASSASSIN", "SHAMAN"}

func (w *World) newPlayer() *player {
	record := feed.NewPlayer(w.uuid(), w.username(), w.now)
	p := &player{uuid: record.UUID, session: &session{Player: record}}
	w.feed.PlayerAdded(record)
	w.addPlayer(p, record)
	w.newcomerCount++
	w.tally[Newcomers]++
	return p
}

func (w *World) newCharacter() *model.Character {
	return feed.NewCharacter(w.uuid(), pick(w.dice, classes))
}

var (
	nameOnsets = strings.Fields("Bra Cle Dri Fo Gla Hee Ja Ki Lu Mo Ne Pra Ro Se Tha Ve Wi Yo")
	nameCodas  = strings.Fields("bbin cket dle fern gan lark mble nder pple rrow ssel tter vane wick xter zzle")
)

func (w *World) username() string {
	return pick(w.dice, nameOnsets) + pick(w.dice, nameCodas) + string(rune('0'+w.IntN(10))) + string(rune('0'+w.IntN(10)))
}
