package seed

import (
	"cmp"
	"iter"
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/demo/content"
	"gamedata/internal/demo/dice"
	"gamedata/internal/feed"
	"gamedata/mongo"
)

// circle is the number of consecutive players who may be friends of each other.
const circle = 10

// World creates the records of a world.
type World struct {
	Options
	game   *feed.Game // guilds, and the players made so far
	guilds []*model.Guild
	byTag  map[string]*model.Guild
	land   []*model.Territory
	log    []mongo.NewEvent

	members map[string]int // by guild
}

// New returns a world with the guilds of the cast.
func New(o Options) *World {
	o.Now = o.Timestamp()
	o.present = cmp.Or(o.present, o.Now)
	w := &World{
		Options: o, game: feed.NewGame(o.Now), byTag: map[string]*model.Guild{},
		members: map[string]int{}, land: read[model.Territory](o, "territories"),
	}
	w.foundKnown()
	return w
}

// Players creates the players with their characters, in a fixed order, the cast first. Records may share parts, so do
// not change them. Guilds and Log are complete afterwards.
func (w *World) Players() iter.Seq2[*model.Player, []*model.Character] {
	return func(yield func(*model.Player, []*model.Character) bool) {
		for first, next := 0, len(Cast); first < w.Options.Players; first, next = next, next+circle {
			next = min(next, w.Options.Players)
			players, characters := w.makeCircle(first, next)
			for i, p := range players {
				w.game.RemovePlayer(p.UUID)
				if !yield(p, characters[i]) {
					return
				}
			}
		}
	}
}

// makeCircle creates consecutive players and the friendships between them.
func (w *World) makeCircle(first, next int) (players []*model.Player, characters [][]*model.Character) {
	for i := first; i < next; i++ {
		p, cs := w.makePlayer(i)
		players, characters = append(players, p), append(characters, cs)
	}
	d := w.dice(forFriends, uint64(first))
	for i, p := range players {
		friends := []string{dice.Pick(d, players).UUID, dice.Pick(d, players).UUID}
		if first == 0 {
			friends = Cast[i].Friends
		}
		for _, friend := range friends {
			if friend != p.UUID && w.game.Player(feed.PlayerID(friend)) != nil {
				w.play(&feed.Befriended{Player: feed.PlayerID(p.UUID), Friend: feed.PlayerID(friend)})
			}
		}
	}
	return players, characters
}

// play lets an event happen. The events are our own, so it panics if one is impossible.
func (w *World) play(e feed.Event) {
	if err := w.game.Play(e); err != nil {
		panic(err)
	}
}

// record lets an event happen at a time, and logs it.
func (w *World) record(at time.Time, e feed.Event) {
	w.game.Begin(at)
	w.play(e)
	w.log = append(w.log, w.game.Log()...)
	w.game.Begin(w.Now)
}

// Log returns the event log of the players made since the last call: how they joined their guilds and got their present
// names.
func (w *World) Log() []mongo.NewEvent {
	log := w.log
	w.log = nil
	return log
}

// Guilds returns all guilds, with the territories that they hold in the season that runs.
func (w *World) Guilds() []*model.Guild {
	held, running := model.TerritoryCounts(w.land), model.RunningSeason(Seasons(w.present), w.Now)
	for i, g := range w.guilds {
		w.winPast(w.dice(forPast, uint64(i)), g)
		last := len(g.SeasonResults) - 1
		switch {
		case running == nil:
		case last >= 0 && g.SeasonResults[last].SeasonNumber == running.Number:
			g.SeasonResults[last] = w.result(g, running.Number, 0, held[g.UUID])
		case w.Now.Before(w.present): // in a played past all guilds take part
			g.SeasonResults = append(g.SeasonResults, w.result(g, running.Number, 0, held[g.UUID]))
		}
	}
	return slices.Clone(w.guilds)
}

// read returns the records of a kind that depends on the land of the world. Small worlds have a plain land: the cases
// of the contract describe such a world.
func read[T any](o Options, kind string) []*T {
	if o.Players+o.newcomers < 100 {
		return content.Read[T]("plain/" + kind)
	}
	return content.Read[T]("country/" + kind)
}
