package simulator

import (
	"context"
	"math"
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/feed"
)

const (
	// meanSession is how long a session lasts on average.
	meanSession = 45 * time.Minute
	// onlineShare is the share of players online on average. It varies by swing over the day, with the
	// maximum at the hour busiest.
	onlineShare = 0.07
	swing       = 0.55
	busiest     = 19
)

// targetOnline returns how many players should be online at this hour.
func (w *World) targetOnline() float64 {
	hour := float64(w.now.Hour()) + float64(w.now.Minute())/60
	return onlineShare * float64(len(w.players)) * (1 + swing*math.Cos((hour-busiest)/24*2*math.Pi))
}

// resumeSessions continues the sessions in the records.
func (w *World) resumeSessions(uuids []string) {
	for _, uuid := range uuids {
		p := w.byUUID[uuid]
		if !p.online() {
			continue
		}
		w.online = append(w.online, p)
		w.planSession(p)
		if p.ActiveCharacter != nil && p.World != nil {
			at := slices.IndexFunc(p.characters, func(c *model.Character) bool { return c.UUID == *p.ActiveCharacter })
			if at >= 0 {
				p.playing = p.characters[at]
			}
		}
	}
}

// planSession sets when a session ends and progress is recorded.
func (w *World) planSession(p *player) {
	p.leaves, p.recordedUntil = w.now.Add(w.duration(meanSession)), w.now
	p.nextProgress = w.now.Add(w.pause())
}

// pause returns the time between two records of a player's progress.
func (d dice) pause() time.Duration { return time.Duration(d.between(40, 80)) * time.Second }

// endSessions logs out players whose session is over.
func (w *World) endSessions() {
	w.online = slices.DeleteFunc(w.online, func(p *player) bool {
		if w.now.Before(p.leaves) {
			return false
		}
		w.recordProgress(p)
		w.play(&feed.PlayerLeft{Player: p.id()})
		w.unload(p)
		return true
	})
}

// startSessions logs players in, as many as the hour requires.
func (w *World) startSessions(ctx context.Context) error {
	want := w.targetOnline()
	perHour := want/meanSession.Hours() + 2*(want-float64(len(w.online)))
	var arrivals []string
	for range w.happen(max(perHour, 0)) {
		if p := pick(w.dice, w.players); !p.online() && !slices.Contains(arrivals, p.uuid) {
			arrivals = append(arrivals, p.uuid)
		}
	}
	if err := w.loadSessions(ctx, arrivals); err != nil {
		return err
	}
	for _, uuid := range arrivals {
		if p := w.byUUID[uuid]; p.online() {
			w.logIn(p)
		}
	}
	return nil
}

func (w *World) logIn(p *player) {
	p.playing = w.choose(p)
	w.play(&feed.PlayerJoined{
		Player: p.id(), At: w.now, Address: w.address(), Server: pick(w.dice, w.servers), Location: w.spawn(),
		Character: characterID(p.playing),
	})
	w.online = append(w.online, p)
	w.planSession(p)
}

var classes = []string{"ARCHER", "WARRIOR", "MAGE", "ASSASSIN", "SHAMAN"}

// choose returns the character that a player plays: usually the highest, sometimes another or a new one.
func (w *World) choose(p *player) *model.Character {
	if len(p.characters) == 0 || len(p.characters) < 6 && w.chance(0.002) {
		e := &feed.CharacterAdded{Player: p.id(), Character: feed.CharacterID(w.uuid()), Type: pick(w.dice, classes)}
		w.play(e)
		c := w.game.Character(e.Character)
		p.characters = append(p.characters, c)
		return c
	}
	if w.chance(0.3) {
		return pick(w.dice, p.characters)
	}
	return slices.MaxFunc(p.characters, func(a, b *model.Character) int { return a.Level - b.Level })
}

// spawn returns where a player enters a world.
func (d dice) spawn() model.Position {
	return model.Position{
		X: float64(d.between(-900, 900)), Y: float64(d.between(40, 110)), Z: float64(d.between(-2400, -300)),
	}
}
